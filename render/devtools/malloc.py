"""Return the memory of large pages to the system; by default glibc keeps much of it.

Nothing is done until a page is large: most programs never render one.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import time
from contextlib import suppress

#: Bytes from which on a reply of the browser is large: the snapshot of about 20,000 nodes.
LARGE = 4_000_000
#: Seconds for which memory is returned repeatedly after a large reply: it is in use for a while, and no event reports
#: that an abandoned thread has ended.
_PERIOD = 15.0
#: Parameters of mallopt: the size from which on each allocation is a mapping of its own, and how much may stay free at
#: the top of an arena. Both are set to the same number of bytes.
_M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD, _MOST = -3, -1, 1_000_000


class _Period:
    """The time during which memory is returned; one for the whole process, as the heap is."""

    until = -1.0
    is_active = False


def expect_large() -> None:
    """Map large buffers one by one, so that each returns to the system when it is freed.

    By default glibc raises the threshold for this to the size of the largest buffer freed so far, and with it the
    memory that may stay free at the top of each thread's arena: up to 64 MB.
    """
    _Period.until, _Period.is_active = time.monotonic() + _PERIOD, True
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_M_MMAP_THRESHOLD, _MOST)
            library.mallopt(_M_TRIM_THRESHOLD, _MOST)


def is_due() -> bool:
    """Return whether a large reply arrived a short time ago."""
    return time.monotonic() < _Period.until


def is_over() -> bool:
    """Return, once, whether the period after a large reply has ended."""
    over = _Period.is_active and not is_due()
    _Period.is_active = _Period.is_active and not over
    return over


def sweep() -> None:
    """Collect reference cycles, as pages and errors with tracebacks are, and return their memory.

    Python may run its own collection much later: it counts objects, and a large page has few of them.
    """
    gc.collect()
    give_back()


def give_back() -> None:
    """Return the free memory of the C library to the system."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)
