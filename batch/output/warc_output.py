"""Archives of what was rendered: a small one an input as soon as it is done, joined when its row is put into a file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...files.atomic import write_whole
from .shards import disk_named

_PENDING = "pending"
_NUMBER = re.compile(r"part-(\d{6,})\.warc\.gz\Z")


class WarcOutput:
    """The archives of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def pending(self, identity: str) -> Path:
        """Return where the archive of an input is, until it is joined to others."""
        return pending_path(self._folder, identity)

    def join(self, number: int, identities: Sequence[str]) -> None:
        """Write the archives of inputs into one; gzipped WARC files can be put one after the other."""
        found = [path for path in map(self.pending, identities) if path.exists()]
        if found:
            with disk_named(self._folder):
                write_whole(self._folder / f"part-{number:06d}.warc.gz", lambda path: _joined(path, found))

    def drop(self, identities: Iterable[str]) -> None:
        """Remove what has been joined."""
        if (self._folder / _PENDING).is_dir():
            for identity in identities:
                self.pending(identity).unlink(missing_ok=True)

    def sweep(self, counted: Iterable[int]) -> None:
        """Remove what a run that was ended has left behind."""
        if not self._folder.is_dir():
            return
        numbers = set(counted)
        for path in self._folder.iterdir():
            found = _NUMBER.match(path.name)
            if path.name.endswith(".unfinished") or (found and int(found[1]) not in numbers):
                path.unlink(missing_ok=True)


def pending_path(folder: Path, identity: str) -> Path:
    """Return where the archive of an input waits to be joined to others."""
    return folder / _PENDING / f"{identity}.warc.gz"


def _joined(path: Path, parts: Sequence[Path]) -> None:
    with path.open("wb") as whole:
        for part in parts:
            with part.open("rb") as one:
                shutil.copyfileobj(one, whole)
