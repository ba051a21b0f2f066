"""Results in files: whole or not at all, and in folders where an ended run goes on."""

from __future__ import annotations

import json
import os
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ..errors import SettingsMismatch

SETTINGS = "settings.json"


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Write a file by way of a neighbour, so that a failure or a full disk leaves what was there.

    Only regular files are replaced. Devices, pipes and links are written in place, as a shell would. The neighbour has
    a random name that did not exist before, so that nobody can plant a link under it.

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


def write_atomic(path: str | os.PathLike[str], write: Callable[[Path], object]) -> None:
    """Write a file by :func:`atomic_path`; ``write`` is given the path to write to, at which an empty file may be."""
    with atomic_path(path) as unfinished:
        write(unfinished)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write bytes in the same way."""
    write_atomic(path, lambda unfinished: unfinished.write_bytes(data))


def open_run_folder(folder: Path, settings: Mapping[str, object]) -> None:
    """Make the folder of a run, or go on in one that was begun with the same settings.

    Parameters
    ----------
    folder : Path
    settings : mapping
        What the results depend on, as JSON knows it; it is kept in the folder's ``settings.json``.

    Raises
    ------
    SettingsMismatch
        When what is there was begun with other settings; the message names them.
    """
    path = folder / SETTINGS
    wanted = json.loads(json.dumps(dict(settings)))
    folder.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        write_bytes(path, json.dumps(wanted, indent=1).encode() + b"\n")
        return
    try:
        found = dict(json.loads(path.read_bytes()))
    except (ValueError, TypeError, RecursionError) as error:
        raise SettingsMismatch(f"{path}: cannot be read ({error}); take another folder or remove it") from error
    other = sorted(name for name in wanted.keys() | found.keys() if wanted.get(name) != found.get(name))
    if other:
        raise SettingsMismatch(
            f"{folder}: begun with other settings ({', '.join(other)}); take another folder or remove it"
        )


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8 in the same way."""
    write_bytes(path, text.encode())


def complete_lines(path: str | os.PathLike[str]) -> list[bytes]:
    """Read the lines of a file that grows line by line; what stands behind the last newline was never finished."""
    return Path(path).read_bytes().split(b"\n")[:-1]


def append_line(path: str | os.PathLike[str], line: bytes) -> None:
    """Write one more line to a file that only grows, and see it onto the disk.

    A line that an ended program left unfinished is cut off first.

    Parameters
    ----------
    path : path
        Made where it is not there.
    line : bytes
        Without a newline.
    """
    with Path(path).open("ab+") as file:
        end = file.seek(0, os.SEEK_END)
        if end:
            file.seek(end - 1)
            if file.read(1) != b"\n":
                file.seek(0)
                file.truncate(file.read().rfind(b"\n") + 1)
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())
