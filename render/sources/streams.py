"""Bytes out of files, pipes, terminals and devices: no more than may be, and for no longer than one cares to wait."""

from __future__ import annotations

import os
import select
import stat
import time
from collections.abc import Callable

from ...errors import PageFailed

_PIECE = 1 << 16
#: First bytes that tell how many there may be.
_LOOK_BYTES = 4096
#: Where there are no pipes with names, nothing waits.
_NON_BLOCKING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def open_stream(path: str | os.PathLike[str]) -> int:
    """Open what is to be read, without waiting for whoever writes it; return the descriptor.

    Raises
    ------
    PageFailed
        When it is a directory, a socket or a disk.
    OSError, ValueError
        When it cannot be opened, or the name is none.
    """
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
    """Read to the end, or one byte more than may be.

    Parameters
    ----------
    descriptor : int
    name : str
        What the user calls it.
    limit : callable
        From the first bytes to how many there may be.
    seconds : float or None
        How long a pipe or a device is waited for, all in all; None for as long as it takes. A person at a terminal is
        not hurried.

    Raises
    ------
    PageFailed
        When it is not over in time.
    OSError
        When it cannot be read.
    """
    waits = not stat.S_ISREG(os.fstat(descriptor).st_mode)
    deadline = None if seconds is None or not waits or os.isatty(descriptor) else time.monotonic() + seconds
    found, most = bytearray(), _LOOK_BYTES
    while len(found) <= most:
        if waits and not _ready(descriptor, deadline):
            raise PageFailed(name, f"nothing more came within {seconds:g} s (--timeout sets it)")
        try:
            piece = os.read(descriptor, _PIECE)
        except BlockingIOError:
            continue
        if not piece:
            break
        found += piece
        most = limit(bytes(found[:_LOOK_BYTES])) if len(found) >= _LOOK_BYTES else _LOOK_BYTES
    return bytes(found[: max(most, limit(bytes(found[:_LOOK_BYTES]))) + 1])


def _ready(descriptor: int, deadline: float | None) -> bool:
    """Wait until there is something to read, or its end; return whether that was in time."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    left = None if deadline is None else max(deadline - time.monotonic(), 0.0) * 1000
    return bool(poll.poll(left))
