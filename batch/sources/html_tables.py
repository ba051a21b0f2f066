"""Pages in a column of a Parquet or JSON Lines file, one in each row."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any

import orjson

from ...errors import PageFailed
from ...files.buckets import is_bucket, open_bucket_file
from ...render.sources.raw import RawPage

if TYPE_CHECKING:
    from pyarrow import parquet

#: Suffixes of tables.
PARQUET, JSON_LINES = (".parquet",), (".jsonl", ".ndjson")
#: Default names of the column with the addresses of the pages.
_ADDRESSES = ("url", "address", "link", "uri")
#: Rows of a Parquet file that are in memory, and files that are kept open.
_ROWS, _FILES = 64, 8
_LOCK = threading.Lock()


def is_html_table(path: str) -> bool:
    """Return whether a file may be a table with a column of HTML."""
    return path.lower().endswith(PARQUET + JSON_LINES) and (is_bucket(path) or os.path.isfile(path))


def pages_in_table(path: str, column: str) -> Iterator[tuple[str, int]]:
    """Yield the address ("" if it has none) and the place of the page of each row.

    Raises ValueError without the column, PageFailed if the file is damaged.
    """
    if path.lower().endswith(PARQUET):
        yield from _parquet_addresses(path, column)
        return
    with _file(path) as file:
        place = 0
        for line in file:
            if line.strip():
                yield _address(_parsed(path, line)), place
            place += len(line)


def _parquet_addresses(path: str, column: str) -> Iterator[tuple[str, int]]:
    file = _opened(path, _modified(path)).file
    names = file.schema_arrow.names
    if column not in names:
        raise ValueError(f"{path}: there is no column {column!r}; there are {', '.join(names)}")
    address = [name for name in _ADDRESSES if name in names][:1]
    if not address:
        yield from (("", row) for row in range(file.metadata.num_rows))
        return
    row = 0
    with _damage_errors(path):
        for batch in file.iter_batches(batch_size=1000, columns=address):
            for value in batch.column(0).to_pylist():
                yield str(value or ""), row
                row += 1


def table_page(path: str, column: str, url: str, place: int, *, limit: int) -> RawPage:
    """Return the page of a row; PageFailed if there is none."""
    if path.lower().endswith(PARQUET):
        with _LOCK, _damage_errors(path):
            html = _opened(path, _modified(path)).value(column, place)
    else:
        with _file(path) as file:
            file.seek(place)
            html = _parsed(path, file.readline()).get(column)
    if not isinstance(html, str | bytes):
        raise PageFailed(path, f"the row has no HTML in the column {column!r}")
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    # An encoding that the markup declares is that of the bytes before they were text.
    encoding = "utf-8" if isinstance(html, str) else None
    return RawPage(data=data, name=url or f"{path}:{place}", url=url or None, encoding=encoding, limit=limit)


def _file(path: str) -> IO[bytes]:
    return open_bucket_file(path) if is_bucket(path) else open(path, "rb")


def _modified(path: str) -> int:
    return 0 if is_bucket(path) else os.stat(path).st_mtime_ns


def _parsed(path: str, line: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise PageFailed(path, f"a line is no JSON: {error}") from error
    return value if isinstance(value, dict) else {}


def _address(row: dict[str, Any]) -> str:
    return next((str(row[name]) for name in _ADDRESSES if row.get(name)), "")


class _ParquetRows:
    """A Parquet file, read in the order of its rows; an earlier row starts anew in its row group."""

    def __init__(self, file: parquet.ParquetFile) -> None:
        self.file = file
        self._column = ""
        self._batches: Iterator[Any] = iter(())
        self._first, self._values = 0, list[object]()

    def value(self, column: str, row: int) -> object:
        """Return the value of a column in a row."""
        if column != self._column or row < self._first or row >= self._first + len(self._values) + 10 * _ROWS:
            self._start(column, row)
        while row >= self._first + len(self._values):
            try:
                values = next(self._batches).column(0).to_pylist()
            except BaseException:
                self._column = ""  # the next row starts anew, at its own place
                raise
            self._first, self._values = self._first + len(self._values), values
        return self._values[row - self._first]

    def _start(self, column: str, row: int) -> None:
        first = group = 0
        while row >= first + (rows := self.file.metadata.row_group(group).num_rows):
            first, group = first + rows, group + 1
        groups = range(group, self.file.num_row_groups)
        self._batches = self.file.iter_batches(batch_size=_ROWS, row_groups=list(groups), columns=[column])
        self._column, self._first, self._values = column, first, []


@lru_cache(_FILES)
def _opened(path: str, modified: int) -> _ParquetRows:
    """Open a file; ``modified`` makes the cache key change."""
    del modified
    from pyarrow import parquet

    with _damage_errors(path):
        return _ParquetRows(parquet.ParquetFile(open_bucket_file(path) if is_bucket(path) else path))


@contextmanager
def _damage_errors(path: str) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (OSError, StopIteration, IndexError, pa.ArrowException) as error:
        raise PageFailed(path, f"the file is damaged ({error})") from error
