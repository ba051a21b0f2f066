"""Files of rows (shards): each is written whole or not at all, and counts once the ledger lists it."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO

import orjson

from ...errors import RunStopped, unknown_name
from ...files.atomic import atomic_path
from ..row_schema import Row, schema
from ..sources.inputs import is_identity

#: The folder of the shards.
ROWS = "rows"
_NUMBER = re.compile(r"part-(\d{6,})\.[a-z.]+\Z")


def _write_parquet(file: IO[bytes], rows: list[Row]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist(rows, schema=schema()), file, compression="zstd")


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
