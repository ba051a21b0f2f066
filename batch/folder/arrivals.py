"""Files of rows that other computers have written: they count once the ledger of the run names them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..rows import NAMES, Row
from .parts import disk_named, read_parquet

ARRIVING = "arriving"


@dataclass(frozen=True, slots=True)
class Arrivals:
    """A folder in which files of rows arrive.

    Attributes
    ----------
    folder : Path
    """

    folder: Path

    def whole(self) -> list[Path]:
        """Return the files that are whole; others may still be written."""
        if not self.folder.is_dir():
            return []
        return [path for path in sorted(self.folder.glob("*.parquet")) if _is_whole(path)]

    def read(self, path: Path) -> list[Row]:
        """Return the rows of a file."""
        return list(read_parquet(path))

    def sweep(self) -> None:
        """Remove what never became whole."""
        if not self.folder.is_dir():
            return
        with disk_named(self.folder):
            for path in self.folder.iterdir():
                path.unlink(missing_ok=True)


def _is_whole(path: Path) -> bool:
    """Return whether a file has its end, and our columns."""
    import pyarrow as pa
    from pyarrow import parquet

    try:
        return set(NAMES) <= set(parquet.read_schema(path).names)
    except (OSError, pa.ArrowException):  # no end yet
        return False
