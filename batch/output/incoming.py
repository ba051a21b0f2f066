"""Shards that cluster nodes write: their rows count once the ledger of the run lists them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ...errors import RunStopped
from ..row_schema import NAMES
from .shards import disk_errors

INCOMING = "incoming"
#: A file that makes the nodes start no further input.
STOP = "stop"


@dataclass(frozen=True, slots=True)
class IncomingShards:
    """The folder of incoming Parquet files."""

    folder: Path

    def make(self) -> None:
        """Make the folder; RunStopped if it is a link, or the disk is full."""
        if self.folder.is_symlink():
            raise RunStopped(f"{self.folder} is a link to another folder: remove it, and call the same command again")
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)

    def complete(self) -> list[Path]:
        """Return the complete files; others may still be in progress."""
        return [path for path in sorted(self.folder.glob("*.parquet")) if _is_complete(path)] if self._is_ours() else []

    def clean_up(self) -> None:
        """Delete incomplete files."""
        if not self._is_ours():
            return
        with disk_errors(self.folder):
            for path in self.folder.iterdir():
                if path.suffix == ".parquet" or path.name == STOP:
                    path.unlink(missing_ok=True)

    def _is_ours(self) -> bool:
        """Return whether the folder exists and is no link: files elsewhere must not be taken or deleted."""
        return self.folder.is_dir() and not self.folder.is_symlink()


def _is_complete(path: Path) -> bool:
    """Return whether a file has its footer, and our columns."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return set(NAMES) <= set(parquet.read_schema(path).names)
    except (OSError, pa.ArrowException):  # no footer yet
        return False
