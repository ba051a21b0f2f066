"""Atomic writes: files are complete or absent; folders of runs that can be resumed; files that grow by lines."""

from __future__ import annotations

import json
import os
import re
import secrets
import stat
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import FolderUnsafe, SettingsMismatch

SETTINGS = "settings.json"
#: The names of temporary files.
_UNFINISHED = re.compile(r"\..{1,40}\.[0-9a-f]{16}\.unfinished", re.DOTALL)


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path in the same folder that replaces ``path`` if the block succeeds.

    After a failure or on a full disk the old file is unchanged. Only regular files are replaced: devices, pipes and
    links are written in place, as a shell would, but a link of another user raises FolderUnsafe. The random name and
    O_EXCL prevent that a link is planted there.
    """
    path = Path(path)
    _refuse_link_of_others(path)
    try:
        old = path.lstat()
    except FileNotFoundError:
        old = None
    if old is not None and not stat.S_ISREG(old.st_mode):
        yield path
        return
    unfinished = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}.unfinished")
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
    try:
        if old is not None:
            # Before anything is written: the content of a private file is never readable by others.
            unfinished.chmod(stat.S_IMODE(old.st_mode))
        yield unfinished
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def delete_unfinished(folder: Path) -> None:
    """Delete the temporary files that a killed program has left in a folder and in its folders."""
    for parent, _, names in os.walk(folder):
        for name in names:
            if _UNFINISHED.fullmatch(name):
                Path(parent, name).unlink(missing_ok=True)


def delete_unfinished_of(path: Path) -> None:
    """Delete the temporary files of one file, whose writer was killed."""
    start = f".{path.name[:40]}."
    with suppress(FileNotFoundError), os.scandir(path.parent) as entries:
        for entry in entries:
            if entry.name.startswith(start) and _UNFINISHED.fullmatch(entry.name):
                Path(entry.path).unlink(missing_ok=True)


def write_atomic(path: str | os.PathLike[str], write: Callable[[Path], object]) -> None:
    """Write a file by :func:`atomic_path`; ``write`` gets the path to write to, at which an empty file may exist."""
    with atomic_path(path) as unfinished:
        write(unfinished)


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write bytes to a file atomically."""
    write_atomic(path, lambda unfinished: unfinished.write_bytes(data))


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write text as UTF-8 to a file atomically."""
    write_bytes(path, text.encode())


def refuse_links(folder: Path) -> None:
    """Raise FolderUnsafe if an output folder, or a folder in it, contains links: what is written to one is elsewhere.

    The folder itself may be a link of this user or of root. It need not exist.
    """
    _refuse_link_of_others(folder)
    if not folder.is_dir():
        return
    for inner in (folder, *(Path(entry) for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False))):
        with os.scandir(inner) as entries:
            link = next((entry.path for entry in entries if entry.is_symlink()), None)
        if link is not None:
            raise FolderUnsafe(f"{link} is a link: replace it by the file itself, or remove it")


def create_folder(folder: Path) -> None:
    """Create an output folder if there is none; raises FolderUnsafe by :func:`refuse_links`."""
    refuse_links(folder)
    folder.mkdir(parents=True, exist_ok=True)


def open_run_folder(folder: Path, settings: Mapping[str, object], defaults: Mapping[str, object] | None = None) -> None:
    """Create the folder of a run; raise SettingsMismatch if it was created with other settings (JSON values).

    ``defaults`` are those of settings that a folder of an earlier version does not name. Raises FolderUnsafe for a
    folder with links.
    """
    create_folder(folder)
    path = folder / SETTINGS
    expected, usual = (json.loads(json.dumps(dict(values or {}))) for values in (settings, defaults))
    if not path.exists():
        write_bytes(path, json.dumps(expected, indent=1).encode() + b"\n")
        return
    try:
        actual = usual | dict(json.loads(path.read_bytes()))
    except (ValueError, TypeError, RecursionError) as error:
        raise SettingsMismatch(f"{path}: cannot be read ({error}); choose another folder or remove it") from error
    other = sorted(name for name in expected.keys() | actual.keys() if expected.get(name) != actual.get(name))
    if other:
        was = ", ".join(f"{name.removeprefix('render.')} was {json.dumps(actual.get(name))[:60]}" for name in other)
        why = f"created with other settings ({was}); give the same to go on, or choose another folder"
        raise SettingsMismatch(f"{folder}: {why}")


def _refuse_link_of_others(path: Path) -> None:
    if path.is_symlink() and os.name == "posix" and path.lstat().st_uid not in (0, os.geteuid()):
        raise FolderUnsafe(f"{path} is a link of another user: choose another place, or remove it")


def complete_lines(path: str | os.PathLike[str]) -> list[bytes]:
    """Read the lines of a file without a last line that has no newline: it was not finished."""
    return Path(path).read_bytes().split(b"\n")[:-1]


def append_line(path: str | os.PathLike[str], line: bytes) -> None:
    """Append a line (without a newline) to a file and flush it to disk; an unfinished last line is removed first."""
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
