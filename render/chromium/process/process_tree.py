"""List the processes of a browser often: from the system's lists of children, not from all processes."""

from __future__ import annotations

import mmap
import os
from collections.abc import Set
from contextlib import suppress
from functools import cache

import psutil

#: Arguments of Chromium's processes that start no others.
_LEAVES = ("--type=renderer", "--type=gpu-process", "--type=utility")
_PAGE_BYTES = mmap.PAGESIZE


class ProcessTree:
    """A browser process and its descendants."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._known: dict[int, psutil.Process] = {}
        #: Processes that start no others: a page has some fifteen threads, each with a list.
        self._leaves: set[int] = set()

    def members(self) -> list[psutil.Process]:
        """Return the current processes, the browser first; psutil distinguishes later ones with the same ids."""
        members: dict[int, psutil.Process] = {}
        with suppress(psutil.Error):
            for pid in [self._pid, *_descendants(self._pid, self._leaves)]:
                known = self._known.get(pid)
                with suppress(psutil.NoSuchProcess):
                    members[pid] = known if known is not None and known.is_running() else psutil.Process(pid)
        for pid in members.keys() - self._known.keys():
            with suppress(psutil.Error):
                if any(kind in members[pid].cmdline() for kind in _LEAVES):
                    self._leaves.add(pid)
        self._leaves &= members.keys()
        self._known = members
        return list(members.values())


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


def _descendants(pid: int, leaves: Set[int]) -> list[int]:
    if _has_child_lists():
        return _listed(pid, leaves)
    # psutil reads all processes of the computer.
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


@cache
def _has_child_lists() -> bool:
    """Return whether the system lists the children of each thread (Linux with this option; proc(5))."""
    return os.path.exists("/proc/thread-self/children")


def _listed(pid: int, leaves: Set[int]) -> list[int]:
    pids: list[int] = []
    if pid in leaves:
        return pids
    # Threads and processes may end meanwhile.
    with suppress(FileNotFoundError, ProcessLookupError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{pid}/task/{thread}/children") as file:
                for child in map(int, file.read().split()):
                    pids += [child, *_listed(child, leaves)]
    return pids
