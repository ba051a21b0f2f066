"""Files of rows that other computers have written: they count once the ledger of the run names them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...errors import RunStopped
from ..row_schema import NAMES, Row
from .shards import disk_named, read_parquet

ARRIVING = "arriving"
#: A file there that tells those who write to begin nothing more.
STOP = "stop"


@dataclass(frozen=True, slots=True)
class IncomingShards:
    """A folder in which files of rows arrive."""

    folder: Path

    def make(self) -> None:
        """Make the folder, if it is not there.

        Raises
        ------
        RunStopped
            When a link stands in its place, or there is no room.
        """
        if self.folder.is_symlink():
            raise RunStopped(f"{self.folder} is a link to another folder: remove it, and call the same command again")
        with disk_named(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)

    def whole(self) -> list[Path]:
        """Return the files that are whole; others may still be written."""
        if not self._is_ours():
            return []
        return [path for path in sorted(self.folder.glob("*.parquet")) if _is_whole(path)]

    def read(self, path: Path) -> list[Row]:
        """Return the rows of a file."""
        return list(read_parquet(path))

    def sweep(self) -> None:
        """Remove what never became whole."""
        if not self._is_ours():
            return
        with disk_named(self.folder):
            for path in self.folder.iterdir():
                if path.suffix == ".parquet" or path.name == STOP:
                    path.unlink(missing_ok=True)

    def _is_ours(self) -> bool:
        """Return whether it is there, and no link: what lies in another folder is not ours to take or to remove."""
        return self.folder.is_dir() and not self.folder.is_symlink()


def _is_whole(path: Path) -> bool:
    """Return whether a file has its end, and our columns."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return set(NAMES) <= set(parquet.read_schema(path).names)
    except (OSError, pa.ArrowException):  # no end yet
        return False
