"""Ctrl-C, and the end of the terminal: no process is left behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psutil
import pytest

pytestmark = [pytest.mark.browser, pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")]


class Hanging(BaseHTTPRequestHandler):
    """Answers at last."""

    def do_GET(self):
        self.server.asked.set()
        time.sleep(20)

    def log_message(self, format, *args):
        pass


@pytest.fixture
def hanging():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hanging)
    server.daemon_threads = True
    server.asked = threading.Event()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize("whom", ["process", "group"])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=["interrupt", "terminate"])
def test_nothing_is_left(hanging, whom, sent):
    """The shell's Ctrl-C goes to the whole group, ``kill`` to the one process."""
    command = [sys.executable, "-m", "blocksight", "extract", "--allow-private"]
    running = subprocess.Popen(
        [*command, f"http://127.0.0.1:{hanging.server_port}/"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert hanging.asked.wait(30)
    below = psutil.Process(running.pid).children(recursive=True)
    assert below
    (os.killpg if whom == "group" else os.kill)(running.pid, sent)
    said = running.communicate(timeout=20)[1]
    _, left = psutil.wait_procs(below, timeout=10)
    for process in left:
        with suppress(psutil.Error):
            process.kill()
    assert left == []
    assert running.returncode != 0
    assert b"Traceback" not in said
