"""Results in files: whole or not at all."""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def whole(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Write a file by way of a neighbour, so that a failure or a full disk leaves what was there.

    Only regular files are replaced. Devices, pipes and links are written in place, as a shell would. The neighbour has
    a random name that did not exist before, so that nobody can plant a link under it.

    Parameters
    ----------
    path : path

    Yields
    ------
    Path
        Where to write to; it takes its place when the block ends well.

    Raises
    ------
    OSError
        When nothing can be written there.
    """
    path = Path(path)
    try:
        there = path.lstat()
    except FileNotFoundError:
        there = None
    if there is not None and not stat.S_ISREG(there.st_mode):
        yield path
        return
    unfinished = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}.unfinished")
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        if there is not None:
            # Before anything is in it: what was private is not open to others for a moment.
            unfinished.chmod(stat.S_IMODE(there.st_mode))
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def write_whole(path: str | os.PathLike[str], write: Callable[[Path], object]) -> None:
    """Write a file by :func:`whole`; ``write`` is given the path to write to, at which an empty file may be."""
    with whole(path) as unfinished:
        write(unfinished)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write bytes in the same way."""
    write_whole(path, lambda unfinished: unfinished.write_bytes(data))


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8 in the same way."""
    write_bytes(path, text.encode())
