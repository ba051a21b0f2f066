"""List the processes of a browser often: from the system's lists of children, not from all processes."""

from __future__ import annotations

import mmap
import os
from contextlib import suppress
from functools import cache

import psutil

_PAGE_BYTES = mmap.PAGESIZE


class ProcessTree:
    """A browser process and its descendants."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._known: dict[int, psutil.Process] = {}

    def members(self) -> list[psutil.Process]:
        """Return the current processes, the browser first; psutil distinguishes later ones with the same ids."""
        members: dict[int, psutil.Process] = {}
        with suppress(psutil.Error):
            for pid in [self._pid, *self._descendants()]:
                known = self._known.get(pid)
                with suppress(psutil.NoSuchProcess):
                    members[pid] = known if known is not None and known.is_running() else psutil.Process(pid)
        self._known = members
        return list(members.values())

    def _descendants(self) -> list[int]:
        if not _has_child_lists():
            # psutil reads all processes of the computer.
            return [child.pid for child in psutil.Process(self._pid).children(recursive=True)]
        found, pending = list[int](), [self._pid]
        while pending:
            children = _children(pending.pop())
            found += children
            pending += children
        return found


def own_bytes(process: psutil.Process) -> int:
    """Return the unshared memory of a process, if the system reports it; 0 for one that has ended."""
    if _has_child_lists():  # Linux: psutil takes three times as long to read the same file
        with suppress(OSError), open(f"/proc/{process.pid}/statm", "rb") as file:
            _, resident, shared, *_ = file.read().split()
            return (int(resident) - int(shared)) * _PAGE_BYTES
        return 0
    with suppress(psutil.Error):
        memory = process.memory_info()
        return int(memory.rss - getattr(memory, "shared", 0))
    return 0


@cache
def _has_child_lists() -> bool:
    """Return whether the system lists the children of each thread (Linux with this option; proc(5))."""
    return os.path.exists("/proc/thread-self/children")


def _children(pid: int) -> list[int]:
    pids: list[int] = []
    # Threads and processes may end meanwhile.
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{pid}/task/{thread}/children") as file:
                pids += map(int, file.read().split())
    return pids
