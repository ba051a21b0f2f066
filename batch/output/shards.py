"""Files of rows (shards): each is written whole or not at all, and counts once the ledger lists it."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import orjson

from ...errors import RunStopped, unknown_name
from ...files.atomic import write_atomic
from ..row_schema import Row, schema
from ..sources.inputs import is_identity

#: The folder of the shards.
ROWS = "rows"
#: Columns that are needed to rebuild a ledger from rows.
_NEEDED = frozenset(["id", "source", "url", "error_kind", "tries", "finished"])
_NUMBER = re.compile(r"part-(\d{6,})\.[a-z.]+\Z")


def _write_parquet(path: Path, rows: list[Row]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    parquet.write_table(pa.Table.from_pylist(rows, schema=schema()), path, compression="zstd")


def read_parquet(path: Path) -> Iterator[Row]:
    """Yield the rows of a Parquet file."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=200):
            yield from batch.to_pylist()


def _write_lines(path: Path, rows: list[Row]) -> None:
    path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))


def _read_lines(path: Path) -> Iterator[Row]:
    yield from map(orjson.loads, path.read_bytes().splitlines())


def _write_zstd(path: Path, rows: list[Row]) -> None:
    import pyarrow as pa

    with pa.output_stream(str(path), compression="zstd") as stream:
        for row in rows:
            stream.write(orjson.dumps(row) + b"\n")


def _read_zstd(path: Path) -> Iterator[Row]:
    import pyarrow as pa

    with pa.input_stream(str(path), compression="zstd") as stream:
        yield from map(orjson.loads, bytes(stream.read()).splitlines())


@dataclass(frozen=True, slots=True)
class Sink:
    """A file format of rows: its name, which is also the suffix of its files, a writer and a reader."""

    name: str
    write: Callable[[Path, list[Row]], None]
    read: Callable[[Path], Iterator[Row]]


#: Every format; the first is the default.
SINKS = (
    Sink("parquet", _write_parquet, read_parquet),
    Sink("jsonl", _write_lines, _read_lines),
    Sink("jsonl.zst", _write_zstd, _read_zstd),
)
FORMATS = tuple(sink.name for sink in SINKS)


def check_row(row: object) -> Row:
    """Return a row; ValueError if it lacks columns, or has no identity, which names files."""
    if not (isinstance(row, dict) and row.keys() >= _NEEDED):
        raise ValueError("a row without its columns")
    if not is_identity(row["id"]):
        raise ValueError("a row without an identity")
    return row


class ShardFolder:
    """The numbered shards of one folder, in one of :data:`FORMATS`."""

    def __init__(self, folder: Path, format: str) -> None:  # noqa: A002
        sinks = [sink for sink in SINKS if sink.name == format]
        if not sinks:
            raise unknown_name("format", format, FORMATS)
        self.folder = folder
        self._sink = sinks[0]

    def path(self, number: int) -> Path:
        """Return the path of a shard."""
        return self.folder / f"part-{number:06d}.{self._sink.name}"

    def numbers(self) -> list[int]:
        """Return the numbers of the existing shards."""
        if not self.folder.is_dir():
            return []
        matches = (_NUMBER.match(path.name) for path in self.folder.iterdir())
        return sorted(int(match[1]) for match in matches if match)

    def write(self, number: int, rows: Iterable[Row]) -> None:
        """Write a shard; RunStopped if it cannot be written, and then an older one is untouched."""
        self._write(number, lambda path: self._sink.write(path, list(rows)))

    def take(self, number: int, path: Path, rows: list[Row]) -> None:
        """Make a shard of a file that holds some rows: a copy, if it has the right format."""
        if path.name.endswith(f".{self._sink.name}"):
            self._write(number, lambda shard: shutil.copyfile(path, shard))
        else:
            self.write(number, rows)

    def _write(self, number: int, write: Callable[[Path], object]) -> None:
        def write_and_sync(path: Path) -> None:
            write(path)
            with path.open("rb") as written:
                os.fsync(written.fileno())  # before the ledger lists it

        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomic(self.path(number), write_and_sync)

    def read(self, number: int) -> Iterator[Row]:
        """Yield the rows of a shard; RunStopped if it is damaged."""
        path = self.path(number)
        try:
            for row in self._sink.read(path):
                yield check_row(row)
        except (OSError, ValueError) as error:
            remedy = "remove it and the ledger, and name the sources again: its pages are then done again"
            raise RunStopped(f"{path}: damaged ({error}); {remedy}") from error

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
        """Delete the files of an interrupted run: shards that the ledger does not list, and unfinished ones."""
        for number in set(self.numbers()) - set(listed):
            self.path(number).unlink(missing_ok=True)
        for path in self.folder.glob(".part-*.unfinished"):
            path.unlink(missing_ok=True)


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
