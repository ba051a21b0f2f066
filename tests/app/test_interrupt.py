"""Ctrl-C, and the end of the terminal: no process is left behind."""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress

import psutil
import pytest
from blocksight.render.network.local_server import QuietHandler, serve

pytestmark = [pytest.mark.browser, pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")]


@pytest.fixture
def asked():
    """Set by the first request."""
    return threading.Event()


@pytest.fixture
def hanging(asked):
    """The address of a server that answers when the test is over."""
    over = threading.Event()

    class Hanging(QuietHandler):
        def do_GET(self):
            asked.set()
            over.wait(600)

    with serve(Hanging) as address:
        yield address
        over.set()


@pytest.fixture(autouse=True)
def heeded():
    """Handle Ctrl-C: a background job of a shell ignores it, and so does all that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("whom", ["process", "group"])
@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM], ids=["interrupt", "terminate"])
def test_nothing_is_left(hanging, asked, whom, sent):
    """The shell's Ctrl-C goes to the whole group, ``kill`` to the one process."""
    command = [sys.executable, "-m", "blocksight", "extract", "--allow-private"]
    running = subprocess.Popen(
        [*command, hanging],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert asked.wait(300)
    below = psutil.Process(running.pid).children(recursive=True)
    assert below
    (os.killpg if whom == "group" else os.kill)(running.pid, sent)
    said = running.communicate(timeout=300)[1]
    _, left = psutil.wait_procs(below, timeout=300)
    for process in left:
        with suppress(psutil.Error):
            process.kill()
    assert left == []
    assert running.returncode != 0
    assert b"Traceback" not in said
    assert b"Task was destroyed" not in said
