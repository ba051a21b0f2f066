"""The folder of a run: the ledger, the shards of rows, and kept pages.

::

    OUT/settings.json           the settings that the rows depend on
    OUT/ledger.sqlite           the state of every input
    OUT/rows/part-000001.parquet
    OUT/pages/ab/ab12….page     rendered pages, if they are kept
    OUT/summary.json            counts of done, failed and waiting inputs
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import orjson

from ...errors import RunInProgress, RunStopped
from ...files.atomic import refuse_links
from ..row_schema import Row
from ..sources.inputs import Input
from .ledger import NAME, Ledger, content_number, damaged_ledger
from .shards import ROWS, Shards, check_row

PAGES = "pages"

#: Most bytes of rows in one shard, whatever their number.
_MAX_BYTES = 64_000_000


class Output:
    """The output of a run in a locked folder, in shards of ``shard_rows`` rows."""

    def __init__(self, folder: Path, *, format: str, shard_rows: int) -> None:  # noqa: A002
        self.folder = folder
        self._shard_rows = shard_rows
        self._shards = Shards(folder / ROWS, format)
        self.ledger = self._open_ledger()
        self._shards.clean_up(self.ledger.shards())
        self._unwritten = self.ledger.unwritten_count()
        self._bytes = 0

    def close(self) -> None:
        """Close the ledger."""
        self.ledger.close()

    def _open_ledger(self) -> Ledger:
        path = self.folder / NAME
        ledger = Ledger(path)
        # A run that was killed leaves one shard that is not listed yet: more are not those of this ledger.
        unlisted = set(self._shards.numbers()) - set(ledger.shards())
        if len(unlisted) > 1 or (unlisted and ledger.counts() == (0, 0, {})):
            ledger.close()
            raise RunStopped(damaged_ledger(path, "it does not list the files of rows"))
        return ledger

    def add(self, entry: Input, row: Row) -> Row:
        """Store a row, and return it with ``duplicate_of``: from now on its input is done."""
        content = content_number(row["content_hash"])
        first = None if content is None else self.ledger.with_content(content, entry.id)
        row = row | {"duplicate_of": first}
        data = orjson.dumps(row)
        # Of equal texts only the first is in the index.
        new = content if first is None else None
        self.ledger.finish(entry.id, data, error_kind=row["error_kind"], tries=row["tries"], content=new)
        self._unwritten += 1
        self._bytes += len(data)
        if self._unwritten >= self._shard_rows or self._bytes >= _MAX_BYTES:
            self.flush()
        return row

    def flush(self) -> None:
        """Write all stored rows to shards; RunStopped if that fails, and then they stay in the ledger."""
        while rows := self.ledger.unwritten(self._shard_rows):
            number = max(self.ledger.shards(), default=0) + 1
            older: dict[int, set[str]] = {}
            for identity, shard, _ in rows:
                if shard is not None:
                    older.setdefault(shard, set()).add(identity)
            # First out of the old shard, then into the new one: in between the ledger has them, also after a power cut.
            if older:
                self.ledger.sync()
            for shard, identities in older.items():
                self._shards.delete_rows(shard, identities)
            self._shards.write(number, [self._parsed(row) for _, _, row in rows])
            self.ledger.list_shard(number, [identity for identity, _, _ in rows])
        self._unwritten = self._bytes = 0

    def _parsed(self, data: bytes) -> Row:
        try:
            return check_row(orjson.loads(data))
        except (ValueError, TypeError) as error:
            raise RunStopped(damaged_ledger(self.ledger.path, error)) from error


#: The file that is locked, and one that exists during a run.
LOCK, RUNNING = "lock.sqlite", "running"


@contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Lock a folder for one run, and yield whether the last run in it was killed.

    RunInProgress if another run holds the lock, FolderUnsafe for a folder with links.
    """
    refuse_links(folder)
    folder.mkdir(parents=True, exist_ok=True)
    os.close(os.open(folder / LOCK, os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
    with closing(sqlite3.connect(folder / LOCK, timeout=0, isolation_level=None, check_same_thread=False)) as file:
        try:
            file.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise RunInProgress(
                f"{folder}: another run writes into it; wait for its end, or take another folder"
            ) from error
        was_killed = (folder / RUNNING).exists()
        (folder / RUNNING).touch()
        yield was_killed
        (folder / RUNNING).unlink(missing_ok=True)
