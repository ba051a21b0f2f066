"""Bounded reads from files, pipes, terminals and devices, with a time limit."""

from __future__ import annotations

import os
import select
import stat
import time
from collections.abc import Callable

from ...errors import PageFailed

_CHUNK_SIZE = 1 << 16
#: First bytes, which determine the size limit.
_HEAD_BYTES = 4096
#: Platforms without named pipes lack these flags.
_NON_BLOCKING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_stream(path: str | os.PathLike[str]) -> int:
    """Return a descriptor without waiting for the writer of a pipe; PageFailed for a directory, a socket or a disk."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _NON_BLOCKING)
    except OSError:
        if stat.S_ISSOCK(os.stat(path).st_mode):
            raise PageFailed(os.fsdecode(path), "this is a socket, not a web page") from None
        raise
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(kind) or stat.S_ISBLK(kind):
        os.close(descriptor)
        what = "this is a directory; name the files in it" if stat.S_ISDIR(kind) else "this is a disk, not a web page"
        raise PageFailed(os.fsdecode(path), what)
    return descriptor


def read_stream(descriptor: int, *, name: str, limit: Callable[[bytes], int], seconds: float | None) -> bytes:
    """Read to the end, or one byte more than ``limit`` of the first bytes; PageFailed if it takes too long.

    The time limit holds for pipes and devices, but not for a terminal; None for no limit.
    """
    waits = not stat.S_ISREG(os.fstat(descriptor).st_mode)
    deadline = None if seconds is None or not waits or os.isatty(descriptor) else time.monotonic() + seconds
    data, max_bytes = bytearray(), _HEAD_BYTES
    while len(data) <= max_bytes:
        if waits and not _ready(descriptor, deadline):
            raise PageFailed(name, f"nothing more came within {seconds:g} s (--timeout sets it)")
        try:
            chunk = os.read(descriptor, _CHUNK_SIZE)
        except BlockingIOError:
            continue
        if not chunk:
            break
        data += chunk
        max_bytes = limit(bytes(data[:_HEAD_BYTES])) if len(data) >= _HEAD_BYTES else _HEAD_BYTES
    return bytes(data[: max(max_bytes, limit(bytes(data[:_HEAD_BYTES]))) + 1])


def _ready(descriptor: int, deadline: float | None) -> bool:
    """Wait until data, or the end of the file, can be read; return False if the deadline passes."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    milliseconds = None if deadline is None else max(deadline - time.monotonic(), 0.0) * 1000
    return bool(poll.poll(milliseconds))
