"""List the processes of a browser often: from the system's lists of children, not from all processes."""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache

import psutil


class ProcessTree:
    """A browser process and its descendants."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._known: dict[int, psutil.Process] = {}

    def members(self) -> list[psutil.Process]:
        """Return the current processes, the browser first; psutil distinguishes later ones with the same ids."""
        members: dict[int, psutil.Process] = {}
        with suppress(psutil.Error):
            for pid in [self._pid, *_descendants(self._pid)]:
                known = self._known.get(pid)
                with suppress(psutil.NoSuchProcess):
                    members[pid] = known if known is not None and known.is_running() else psutil.Process(pid)
        self._known = members
        return list(members.values())


def _descendants(pid: int) -> list[int]:
    if _has_child_lists():
        return _listed(pid)
    # psutil reads all processes of the computer.
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


@cache
def _has_child_lists() -> bool:
    """Return whether the system lists the children of each thread (Linux with this option; proc(5))."""
    return os.path.exists("/proc/thread-self/children")


def _listed(pid: int) -> list[int]:
    pids: list[int] = []
    # Threads and processes may end meanwhile.
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{pid}/task/{thread}/children") as file:
                for child in map(int, file.read().split()):
                    pids += [child, *_listed(child)]
    return pids
