"""Files of rows (shards): each is written whole or not at all, and counts once the ledger lists it."""

from __future__ import annotations

import errno
import os
import re
from abc import ABC, abstractmethod
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
#: Columns that are needed to rebuild a ledger from rows.
_NEEDED = frozenset(["id", "source", "url", "error_kind", "tries", "finished"])
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
    yield from map(orjson.loads, file.read().splitlines())


def _write_zstd(file: IO[bytes], rows: list[Row]) -> None:
    import pyarrow as pa

    lines = BytesIO()
    _write_lines(lines, rows)
    file.write(pa.compress(lines.getvalue(), codec="zstd", asbytes=True))


def _read_zstd(file: IO[bytes]) -> Iterator[Row]:
    import pyarrow as pa

    with pa.CompressedInputStream(file, "zstd") as stream:
        yield from _read_lines(stream)


#: A writer and a reader of each file format of rows, by its name, which is also the suffix of its files.
SINKS: dict[str, tuple[Callable[[IO[bytes], list[Row]], None], Callable[[IO[bytes]], Iterator[Row]]]] = {
    "parquet": (_write_parquet, _read_parquet),
    "jsonl": (_write_lines, _read_lines),
    "jsonl.zst": (_write_zstd, _read_zstd),
}
#: Names of the formats; the first is the default.
FORMATS = tuple(SINKS)


def check_row(row: object) -> Row:
    """Return a row; ValueError if it lacks columns, or has no identity, which names files."""
    if not (isinstance(row, dict) and row.keys() >= _NEEDED):
        raise ValueError("a row without its columns")
    if not is_identity(row["id"]):
        raise ValueError("a row without an identity")
    return row


class Shards(ABC):
    """The numbered shards of one place, in one of :data:`FORMATS`."""

    def __init__(self, place: str, format: str) -> None:  # noqa: A002
        if format not in SINKS:
            raise unknown_name("format", format, FORMATS)
        self.place = place
        self._suffix = format
        self._write, self._read = SINKS[format]
        # Imports what it needs now: broken off by an interrupt, an import cannot be repeated to store what is done.
        self._write(BytesIO(), [])

    @abstractmethod
    def names(self) -> list[str]:
        """Return the names of the files of the place; RunStopped if it cannot be read."""

    @abstractmethod
    def _store(self, name: str, data: bytes) -> None:
        """Write a file whole or not at all, so that it survives a power failure; RunStopped if that fails."""

    @abstractmethod
    def _opened(self, name: str) -> IO[bytes]:
        """Open a file for reading; OSError if that fails."""

    @abstractmethod
    def _delete(self, name: str) -> None:
        """Delete a file, if it exists."""

    def name(self, number: int) -> str:
        """Return the name of a shard."""
        return f"part-{number:06d}.{self._suffix}"

    def numbers(self) -> list[int]:
        """Return the numbers of the existing shards."""
        matches = (_NUMBER.match(name) for name in self.names())
        return sorted(int(match[1]) for match in matches if match)

    def write(self, number: int, rows: Iterable[Row]) -> None:
        """Write a shard; RunStopped if it cannot be written, and then an older one is untouched."""
        buffer = BytesIO()
        self._write(buffer, list(rows))
        self._store(self.name(number), buffer.getvalue())

    def read(self, number: int) -> Iterator[Row]:
        """Yield the rows of a shard; RunStopped if it is damaged."""
        name = self.name(number)
        try:
            with self._opened(name) as file:
                for row in self._read(file):
                    yield check_row(row)
        except (OSError, ValueError) as error:
            remedy = "remove it and the ledger, and name the sources again: its pages are then done again"
            raise RunStopped(f"{self.place}/{name}: damaged ({error}); {remedy}") from error

    def delete_rows(self, number: int, identities: Iterable[str]) -> None:
        """Delete rows of a shard, and the shard if none is left."""
        if self.name(number) not in self.names():
            return
        rows = list(self.read(number))
        rest = [row for row in rows if row["id"] not in identities]
        if not rest:
            self._delete(self.name(number))
        elif len(rest) < len(rows):
            self.write(number, rest)

    def clean_up(self, listed: Iterable[int]) -> None:
        """Delete the files of an interrupted run: shards that the ledger does not list."""
        for number in set(self.numbers()) - set(listed):
            self._delete(self.name(number))


class ShardFolder(Shards):
    """Shards in a folder of this computer."""

    def __init__(self, folder: Path, format: str) -> None:  # noqa: A002
        super().__init__(str(folder), format)
        self.folder = folder

    def names(self) -> list[str]:
        """Return the names of the files."""
        return [path.name for path in self.folder.iterdir()] if self.folder.is_dir() else []

    def _store(self, name: str, data: bytes) -> None:
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            with atomic_path(self.folder / name) as unfinished:
                unfinished.write_bytes(data)
                with unfinished.open("rb") as written:
                    os.fsync(written.fileno())  # before the ledger lists it

    def _opened(self, name: str) -> IO[bytes]:
        return open(self.folder / name, "rb")

    def _delete(self, name: str) -> None:
        (self.folder / name).unlink(missing_ok=True)


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
