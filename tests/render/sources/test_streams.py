"""Pipes, sockets and devices in place of files: read to their end, or given up in time."""

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress

import pytest
from blocksight.errors import PageFailed, Refused
from blocksight.render.sources.sources import read_file

pytestmark = pytest.mark.skipif(os.name != "posix", reason="pipes with names are POSIX")


@pytest.fixture
def pipe(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


def writer(path, pieces, *, pause=0.0):
    """Write pieces into a pipe, in a thread."""

    def write():
        with suppress(BrokenPipeError), path.open("wb", buffering=0) as out:
            for piece in pieces:
                out.write(piece)
                time.sleep(pause)

    thread = threading.Thread(target=write, daemon=True)
    thread.start()
    return thread


def test_a_pipe_is_read_to_its_end(pipe):
    thread = writer(pipe, [b"<p>one", b"<p>two", b"x" * 10_000], pause=0.1)
    assert read_file(pipe, max_bytes=100_000, timeout=300) == b"<p>one<p>two" + b"x" * 10_000
    thread.join(300)


def test_a_pipe_without_a_writer_is_given_up(pipe):
    with pytest.raises(PageFailed, match=r"pipe: nothing more came within 0\.3 s \(timeout sets it\)"):
        read_file(pipe, max_bytes=100, timeout=0.3)


def test_a_pipe_that_drips_is_given_up(pipe):
    writer(pipe, [b"x"] * 1000, pause=0.1)  # for 100 s at least
    with pytest.raises(PageFailed, match="nothing more came"):
        read_file(pipe, max_bytes=10_000, timeout=0.5)


def test_what_does_not_end_is_refused():
    with pytest.raises(Refused, match=r"/dev/zero: 1\.0 MB, above the limit of 1 MB"):
        read_file("/dev/zero", max_bytes=1_000_000, timeout=5)
    assert read_file(os.devnull, max_bytes=1000, timeout=5) == b""


def test_a_socket_is_named(tmp_path):
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        with pytest.raises(PageFailed, match="this is a socket"):
            read_file(tmp_path / "socket", max_bytes=1000, timeout=5)


@pytest.mark.parametrize("name", ["a\0b", "\0"])
def test_a_name_that_is_none(name):
    with pytest.raises(PageFailed, match="no name of a file"):
        read_file(name, max_bytes=1000)


def test_a_sparse_file_of_a_terabyte_is_refused_unread(tmp_path):
    with (tmp_path / "a.html").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(Refused, match=r"1,000\.0 GB, above the limit of 10 MB"):
        read_file(tmp_path / "a.html", max_bytes=10_000_000)


def test_standard_input_has_a_deadline():
    command = [sys.executable, "-m", "blocksight", "extract", "--no-browser", "-", "--timeout", "1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        said = running.stderr.read()
        assert running.wait(300) == 1
        running.stdin.close()
    assert said == b"-: nothing more came within 1 s (--timeout sets it)\n"
