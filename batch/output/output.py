"""The folder of a run: the ledger, the shards of rows, and kept pages.

::

    OUT/settings.json           the settings that the rows depend on
    OUT/ledger.sqlite           the state of every input
    OUT/rows/part-000001.parquet
    OUT/pages/ab/ab12….page     rendered pages, if they are kept
    OUT/summary.json            counts of done, failed and waiting inputs
"""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import IO

import orjson

from ...errors import RunInProgress, RunStopped, unknown_name
from ...files.atomic import atomic_path, refuse_links
from ..row_schema import Row, schema
from ..sources.inputs import Input, is_identity
from .ledger import NAME, Ledger, content_number, damaged_ledger, read_counts

#: The folder of the shards.
ROWS = "rows"
_NUMBER = re.compile(r"part-(\d{6,})\.[a-z.]+\Z")


def _write_parquet(file: IO[bytes], rows: list[Row]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist(rows, schema=schema(rows[0] if rows else ())), file, compression="zstd")


def _read_parquet(file: IO[bytes]) -> Iterator[Row]:
    from pyarrow import parquet

    with parquet.ParquetFile(file) as table:
        for batch in table.iter_batches(batch_size=200):
            yield from batch.to_pylist()


def _write_lines(file: IO[bytes], rows: list[Row]) -> None:
    file.writelines(orjson.dumps(row) + b"\n" for row in rows)


def _read_lines(file: IO[bytes]) -> Iterator[Row]:
    yield from map(orjson.loads, file)


#: A writer and a reader of each file format of rows, by its name, which is also the suffix of its files.
SINKS: dict[str, tuple[Callable[[IO[bytes], list[Row]], None], Callable[[IO[bytes]], Iterator[Row]]]] = {
    "parquet": (_write_parquet, _read_parquet),
    "jsonl": (_write_lines, _read_lines),
}
#: Names of the formats; the first is the default.
FORMATS = tuple(SINKS)


def check_row(row: object) -> Row:
    """Return a row; ValueError if it has no identity, which names files."""
    if not (isinstance(row, dict) and is_identity(row.get("id"))):
        raise ValueError("a row without an identity")
    return row


class Shards:
    """The numbered shards of a folder, in one of :data:`FORMATS`."""

    def __init__(self, folder: Path, format: str) -> None:  # noqa: A002
        if format not in SINKS:
            raise unknown_name("format", format, FORMATS)
        self.folder = folder
        self._suffix = format
        self._write, self._read = SINKS[format]
        # Imports what it needs now: broken off by an interrupt, an import cannot be repeated to store what is done.
        self._write(BytesIO(), [])

    def path(self, number: int) -> Path:
        """Return the path of a shard."""
        return self.folder / f"part-{number:06d}.{self._suffix}"

    def numbers(self) -> list[int]:
        """Return the numbers of the existing shards."""
        names = [path.name for path in self.folder.iterdir()] if self.folder.is_dir() else []
        return sorted(int(match[1]) for match in map(_NUMBER.match, names) if match)

    def write(self, number: int, rows: Iterable[Row]) -> None:
        """Write a shard; RunStopped if it cannot be written, and then an older one is untouched."""
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with atomic_path(self.path(number)) as unfinished, unfinished.open("r+b") as file:
                self._write(file, list(rows))
                file.flush()
                os.fsync(file.fileno())  # before the ledger lists it

    def read(self, number: int) -> Iterator[Row]:
        """Yield the rows of a shard; RunStopped if it is damaged."""
        try:
            with self.path(number).open("rb") as file:
                for row in self._read(file):
                    yield check_row(row)
        except (OSError, ValueError) as error:
            raise RunStopped(f"{self.path(number)}: damaged ({error}); do its pages in another folder") from error

    def delete_rows(self, number: int, identities: Iterable[str]) -> None:
        """Delete rows of a shard, and the shard if none is left."""
        if not self.path(number).exists():
            return
        rows = list(self.read(number))
        rest = [row for row in rows if row["id"] not in identities]
        if not rest:
            self.path(number).unlink()
        elif len(rest) < len(rows):
            self.write(number, rest)

    def clean_up(self, listed: Iterable[int]) -> None:
        """Delete the files of an interrupted run: shards that the ledger does not list."""
        for number in set(self.numbers()) - set(listed):
            self.path(number).unlink(missing_ok=True)


@contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Turn an OSError into a RunStopped that says what to do."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        why = "the disk is full; free some space" if full else f"cannot be written ({error.strerror or error})"
        remedy = "then call the same command again: it continues this run"
        raise RunStopped(f"{path}: {why}, {remedy}") from error


PAGES = "pages"

#: Most bytes of rows in one shard, whatever their number.
_MAX_BYTES = 64_000_000


class Output:
    """The output of a run in a locked folder, in shards of ``shard_rows`` rows.

    ``texts`` are the columns of more systems, which each row has.
    """

    def __init__(self, folder: Path, *, format: str, shard_rows: int, texts: Iterable[str] = ()) -> None:  # noqa: A002
        self.folder = folder
        self._shard_rows = shard_rows
        self._texts = texts
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
        row = dict.fromkeys(self._texts) | row | {"duplicate_of": first}
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


class EarlierRows:
    """The rows of a folder by the identity of their inputs; RunStopped if no run was there. A run may write into it."""

    def __init__(self, folder: Path) -> None:
        read_counts(folder / NAME)
        form = next((form for form in FORMATS if next((folder / ROWS).glob(f"*.{form}"), None)), FORMATS[0])
        self._ledger, self._shards = folder / NAME, Shards(folder / ROWS, form)
        # Neighbouring inputs are mostly in the same shards.
        self._rows = lru_cache(2)(lambda number: {row["id"]: row for row in self._shards.read(number)})

    def row(self, identity: str) -> Row | None:
        """Return the row of an input, None if it is in no shard."""
        with closing(sqlite3.connect(f"{self._ledger.absolute().as_uri()}?mode=ro", uri=True)) as file:
            (number,) = file.execute("SELECT shard FROM inputs WHERE id = ?", (identity,)).fetchone() or (None,)
        return None if number is None else self._rows(number).get(identity)


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
