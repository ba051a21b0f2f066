"""The processes of a browser, looked up often: from the browser's list of its children, not from all there are."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache

import psutil


class ProcessTree:
    """A browser and everything below it.

    Parameters
    ----------
    pid : int
        Of the browser.
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._known: dict[int, psutil.Process] = {}

    def members(self) -> list[psutil.Process]:
        """Return the processes as they are now, the browser first.

        psutil tells them from others that may get their numbers later.
        """
        found: dict[int, psutil.Process] = {}
        with suppress(psutil.Error):
            for pid in [self._pid, *_below(self._pid)]:
                known = self._known.get(pid)
                with suppress(psutil.NoSuchProcess):
                    found[pid] = known if known is not None and known.is_running() else psutil.Process(pid)
        self._known = found
        return list(found.values())


def _below(pid: int) -> list[int]:
    """Return the numbers of all processes below one."""
    if _are_listed():
        return _listed(pid)
    # psutil looks through all processes of the computer.
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


@cache
def _are_listed() -> bool:
    """Return whether the system lists the children of each thread (Linux, if it was built so; proc(5))."""
    return os.path.exists("/proc/thread-self/children")


def _listed(pid: int) -> list[int]:
    found: list[int] = []
    # Threads and processes may end while they are asked.
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{pid}/task/{thread}/children") as file:
                for child in map(int, file.read().split()):
                    found += [child, *_listed(child)]
    return found
