"""Rows of an earlier run, by the identity of their inputs."""

from __future__ import annotations

import sqlite3
from functools import lru_cache
from pathlib import Path

import orjson

from ...errors import RunStopped
from ..row_schema import Row
from .ledger import NAME, read_counts
from .output import FORMATS, ROWS, Shards

#: Shards whose rows are held in memory.
_HELD = 2


class EarlierRows:
    """The rows of a folder, into which a run may write meanwhile; RunStopped if there is none."""

    def __init__(self, folder: Path) -> None:
        read_counts(folder / NAME)
        rows = folder / ROWS
        form = next((form for form in FORMATS if next(rows.glob(f"*.{form}"), None)), FORMATS[0])
        self._path, self._shards = folder / NAME, Shards(rows, form)
        uri = f"{self._path.absolute().as_uri()}?mode=ro"
        self._file = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._held = lru_cache(_HELD)(lambda number: {row["id"]: row for row in self._shards.read(number)})

    def close(self) -> None:
        """Close the ledger."""
        self._file.close()

    def row(self, identity: str) -> Row | None:
        """Return the row of an input, None if there is none."""
        try:
            found = self._file.execute("SELECT shard, row FROM inputs WHERE id = ?", (identity,)).fetchone()
        except sqlite3.DatabaseError as error:
            raise RunStopped(f"{self._path}: it cannot be read ({error})") from error
        number, data = found or (None, None)
        if data is not None:
            row: Row = orjson.loads(data)
            return row
        return None if number is None else self._held(number).get(identity)
