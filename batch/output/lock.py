"""One run at a time in a folder; the lock ends with the process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ...errors import RunInProgress
from ...files.atomic import refuse_links

LOCK = "lock"
#: The content of the lock during a run.
_RUNNING = b"running\n"


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Lock a folder for one run, and yield whether the last run in it was killed.

    RunInProgress if another run holds the lock, FolderUnsafe for a folder with links.
    """
    refuse_links(folder)
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if not _acquire(descriptor):
            raise RunInProgress(f"{folder}: another run writes into it; wait for its end, or take another folder")
        was_killed = os.read(descriptor, len(_RUNNING)) == _RUNNING
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, _RUNNING)
        yield was_killed
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _acquire(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _acquire(descriptor: int) -> bool:
        # The open file holds it, not the process: a second run in the same process is refused as well.
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
