"""Memory that large pages take, given back when they are done (glibc keeps much of it by default).

Only where a page is really large is anything done: most programs never meet one.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from contextlib import suppress

#: Bytes from which on an answer of the browser counts as large: the snapshot of some 20,000 nodes.
LARGE = 4_000_000
#: Seconds for which memory is given back again and again after a large answer: it is in use for a while, and nobody
#: tells when a thread that was given up has come to its end.
_WHILE = 15.0
#: mallopt's names for the size from which on each allocation is a mapping of its own, and for how much may stay free
#: at the top of an arena; and both sizes, in bytes.
_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD, _MOST = -3, -1, 1_000_000


class _Due:
    """Until when memory is to be given back; for the whole process, as its heap is."""

    until = -1.0
    again = False


def expect_large() -> None:
    """Have the C library map large buffers one by one, so that each goes back to the system when it is freed.

    By default glibc raises the size from which on it does so to that of the largest buffer freed so far, and with it
    how much may stay free at the top of each thread's arena: up to 64 MB.
    """
    _Due.until, _Due.again = time.monotonic() + _WHILE, True
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_M_MMAP_THRESHOLD, _MOST)
            library.mallopt(_M_TRIM_THRESHOLD, _MOST)


def is_due() -> bool:
    """Return whether a large answer came a while ago."""
    return time.monotonic() < _Due.until


def is_over() -> bool:
    """Return, once, whether the while after a large answer has gone by."""
    over = _Due.again and not is_due()
    _Due.again = _Due.again and not over
    return over


def sweep() -> None:
    """Free what holds itself, as pages and errors with their tracebacks do, and give it back.

    Python may not look for it for very long: it counts objects, and a large page has few that are large.
    """
    gc.collect()
    give_back()


def give_back() -> None:
    """Have the C library return what it holds free."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
