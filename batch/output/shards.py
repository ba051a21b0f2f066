"""The files of the output: each is written whole or not at all, and counts once the ledger names it."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import orjson

from ...errors import RunStopped, unknown_name
from ...files.atomic import write_whole
from ..row_schema import Row, schema

Form = Literal["parquet", "jsonl", "jsonl.zst"]
FORMS: tuple[Form, ...] = ("parquet", "jsonl", "jsonl.zst")
#: The folder of the rows, and of all that is kept beside them.
ROWS = "rows"

#: Without these no ledger can be made of rows.
_NEEDED = frozenset(["id", "source", "url", "error_kind", "tries", "finished"])

_NUMBER = re.compile(r"part-(\d{6,})\.[a-z.]+\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardFolder:
    """The numbered files of one folder.

    Attributes
    ----------
    folder : Path
    form : str
        One of :data:`FORMS`.
    """

    folder: Path
    form: Form

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise unknown_name("format", self.form, FORMS)

    def path(self, number: int) -> Path:
        """Return the name of a file."""
        return self.folder / f"part-{number:06d}.{self.form}"

    def numbers(self) -> list[int]:
        """Return the numbers of the files that are there."""
        if not self.folder.is_dir():
            return []
        found = (_NUMBER.match(path.name) for path in self.folder.iterdir())
        return sorted(int(match[1]) for match in found if match)

    def write(self, number: int, rows: Iterable[Row]) -> None:
        """Write a file.

        Raises
        ------
        RunStopped
            When it cannot be written; what was there is untouched.
        """
        write = _write_parquet if self.form == "parquet" else _write_lines
        with disk_named(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.path(number), lambda path: _on_disk(path, write, list(rows), self.form))

    def take(self, number: int, path: Path) -> None:
        """Make a file that is whole one of these; it stays where it is, too."""
        with disk_named(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.path(number), lambda fresh: _copied(path, fresh))

    def read(self, number: int) -> Iterator[Row]:
        """Yield the rows of a file.

        Raises
        ------
        RunStopped
            When it is damaged.
        """
        path = self.path(number)
        try:
            for row in (read_parquet if self.form == "parquet" else _read_lines)(path):
                if not (isinstance(row, dict) and row.keys() >= _NEEDED):
                    raise ValueError("a row without its columns")
                yield row
        except (OSError, ValueError) as error:
            then = "take it and the ledger away, and name the sources again: its pages are then done once more"
            raise RunStopped(f"{path}: damaged ({error}); {then}") from error

    def without(self, number: int, identities: frozenset[str]) -> None:
        """Take rows out of a file; one that has none left goes."""
        if not self.path(number).exists():
            return
        rows = list(self.read(number))
        kept = [row for row in rows if row["id"] not in identities]
        if not kept:
            self.remove(number)
        elif len(kept) < len(rows):
            self.write(number, kept)

    def remove(self, number: int) -> None:
        """Remove a file."""
        self.path(number).unlink(missing_ok=True)

    def sweep(self, counted: Iterable[int]) -> None:
        """Remove what a run that was ended has left behind: files that do not count, and unfinished ones."""
        for number in set(self.numbers()) - set(counted):
            self.remove(number)
        for path in self.folder.glob(".part-*.unfinished"):
            path.unlink(missing_ok=True)


@contextmanager
def disk_named(path: Path) -> Iterator[None]:
    """Turn an error of the disk into one that says what to do."""
    try:
        yield
    except OSError as error:
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        why = "the disk is full; make room" if full else f"cannot be written ({error.strerror or error}); mend that"
        then = "then call the same command again: it goes on where this run ended"
        raise RunStopped(f"{path}: {why}, {then}") from error


def _on_disk(path: Path, write: Callable[[Path, list[Row], Form], None], rows: list[Row], form: Form) -> None:
    """Write, and wait until it is on the disk: the ledger will say that it is."""
    write(path, rows, form)
    with path.open("rb") as written:
        os.fsync(written.fileno())


def _copied(path: Path, fresh: Path) -> None:
    shutil.copyfile(path, fresh)
    with fresh.open("rb") as written:
        os.fsync(written.fileno())


def _write_parquet(path: Path, rows: list[Row], form: Form) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    del form
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema()), path, compression="zstd")


def read_parquet(path: Path) -> Iterator[Row]:
    """Yield the rows of a file."""
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=200):
            yield from batch.to_pylist()


def _write_lines(path: Path, rows: list[Row], form: Form) -> None:
    lines = [orjson.dumps(row) + b"\n" for row in rows]
    if form == "jsonl":
        path.write_bytes(b"".join(lines))
        return
    import pyarrow as pa

    with pa.output_stream(str(path), compression="zstd") as stream:
        for line in lines:
            stream.write(line)


def _read_lines(path: Path) -> Iterator[Row]:
    for line in _lines(path).splitlines():
        yield orjson.loads(line)


def _lines(path: Path) -> bytes:
    if path.suffix != ".zst":
        return path.read_bytes()
    import pyarrow as pa

    with pa.input_stream(str(path), compression="zstd") as stream:
        return bytes(stream.read())
