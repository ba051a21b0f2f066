"""Inputs from sources: folders, lists and archives are expanded; addresses and pages are taken as they are."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import IO, Any, TextIO

from ...errors import PageFailed
from ...files.buckets import bucket_files, is_bucket, is_bucket_file, open_bucket_file
from ...render.render_options import RenderOptions
from ...render.sources.sources import is_address
from .archive_pages import PACKED, is_packed, pages_in
from .inputs import Input, input_of, is_web_address, refused_input, unreadable_input

#: Suffixes of lists of sources, and the name of standard input.
_PACKINGS = ("", ".gz", ".zst")
LISTS = (*(f"{name}{packing}" for name in (".txt", ".csv", ".jsonl", ".ndjson") for packing in _PACKINGS), ".parquet")
STANDARD_INPUT = "-"
#: Suffixes of the pages of a folder.
_HTML = (".html", ".htm", ".xhtml")
PAGES = (*_HTML, *(f"{suffix}.gz" for suffix in _HTML), ".page", ".mhtml", ".mht", *PACKED)
#: Most characters of a line of a list.
MAX_LINE = 1_000_000
#: Default names of the column with the sources.
COLUMNS = ("url", "address", "source", "link", "href", "uri", "file", "path")

#: Names of the columns of an index of records: of their pages, archives, and places in these, as Common Crawl's.
INDEX = (("url",), ("filename", "warc_filename"), ("offset", "warc_record_offset"), ("length", "warc_record_length"))

Source = str | os.PathLike[str]


def inputs_of(
    sources: Iterable[Source],
    *,
    column: str | None = None,
    largest: int = RenderOptions().max_bytes,
    addresses_only: bool = False,
    archives: str = "",
) -> Iterator[Input]:
    """Yield the inputs of sources in order; each source is opened when it is reached.

    Sources are addresses; files; folders, with every page in alphabetical order; lists (``.txt``, ``.csv``, ``.jsonl``,
    or any file as ``@FILE``, standard input as ``@-``); archives (WARC, WACZ), with every page record of at most
    ``largest`` bytes; all but addresses may be in a bucket (:mod:`blocksight.files.buckets`). ``column`` of a list
    names the sources, by default the first of :data:`COLUMNS` that exists, else the first if it has sources; ValueError
    if a list has no such column. With ``addresses_only``, lists are read, and whatever is no http(s) address, in them
    or named, is an input with the reason. A ``.parquet`` list with the columns of :data:`INDEX` names records of
    archives, whose names are relative to ``archives``, by default to the folder of the list.
    """
    for source in map(os.fsdecode, sources):
        is_list = source.lower().endswith(LISTS) and (is_bucket(source) or os.path.isfile(source))
        if not (source.startswith("@") or is_list):
            yield from _one(source, largest, addresses_only)
            continue
        for entry in _listed(source.removeprefix("@"), column, archives):
            yield from (entry,) if isinstance(entry, Input) else _one(entry, largest, addresses_only)


def check_lists(sources: Iterable[Source], column: str | None = None) -> None:
    """Raise ValueError if a list among sources is missing, or has no column of sources: before any page is opened."""
    for source in map(os.fsdecode, sources):
        name = source.removeprefix("@")
        is_named = source.startswith("@") or source.lower().endswith(LISTS)
        if (is_address(source) and not is_bucket(source)) or not is_named or name == STANDARD_INPUT:
            continue
        try:
            exists = is_bucket_file(name) if is_bucket(name) else os.path.exists(name)
        except OSError as error:
            raise ValueError(str(error)) from error
        if not exists:
            raise ValueError(f"{name}: there is no such list")
        with suppress(OSError, EOFError, PageFailed):  # a row says that it cannot be read
            if _form(name) == ".parquet":
                next(_of_parquet(name, column), None)
            elif _form(name) == ".csv":
                with _lines(name) as lines:
                    next(_of_csv(_bounded(lines), name, column), None)


def _one(source: str, largest: int, addresses_only: bool) -> Iterator[Input]:
    """Expand a source that is not a list, also the entries of lists."""
    if addresses_only and not is_web_address(source):
        yield refused_input(source)
    elif is_bucket(source) and not source.lower().endswith(PAGES):
        yield from _pages_in_bucket(source, largest)
    elif is_packed(source):
        yield from _archived(source, largest)
    elif is_address(source):
        yield input_of(source)
    elif os.path.isdir(source):
        yield from _pages_below(source, largest)
    else:
        yield input_of(source)


def _archived(path: str, largest: int) -> Iterator[Input]:
    try:
        for url, offset in pages_in(path, largest=largest):
            yield input_of(path, url=url, offset=offset)
    except PageFailed as error:
        # The pages before the damage are inputs already; the rest of the file is one row with the reason.
        yield unreadable_input(path, error.reason)


def _pages_in_bucket(folder: str, largest: int) -> Iterator[Input]:
    try:
        for name in bucket_files(folder):
            if name.lower().endswith(PAGES):
                yield from _one(name, largest, False)
    except OSError as error:
        yield unreadable_input(folder, str(error))


def _pages_below(folder: str, largest: int) -> Iterator[Input]:
    unreadable: list[OSError] = []
    for parent, folders, files in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        for name in sorted(files):
            if name.lower().endswith(PAGES) and not name.startswith("."):
                yield from _one(os.path.join(parent, name), largest, False)
    for error in unreadable:
        yield unreadable_input(error.filename, f"the folder cannot be read: {error.strerror}")


def _listed(name: str, column: str | None, archives: str) -> Iterator[Input | str]:
    """Yield the sources of a list, and an input for each line that has none."""
    if _form(name) == ".parquet":
        yield from _of_parquet(name, column, archives)
        return
    try:
        lines = _lines(name)
    except OSError as error:
        yield unreadable_input(name, f"the list cannot be read: {error.strerror or error}")
        return
    number = 0
    with lines:
        try:
            for number, source in _READERS.get(_form(name), _of_lines)(_bounded(lines), name, column):  # noqa: B007
                yield source
        except (OSError, EOFError) as error:
            why = f"the list cannot be read after this line: {getattr(error, 'strerror', None) or error}"
            yield unreadable_input(name, why, place=str(number))


def lines_of(name: str) -> list[str]:
    """Return the sources of a plain list, without blank lines and comments (``#``); OSError if it cannot be read."""
    with _lines(name) as lines:
        return [source for _, source in _of_lines(_bounded(lines), name, None) if isinstance(source, str)]


def _form(name: str) -> str:
    """Return the suffix of a list without that of its packing."""
    path = Path(name.lower())
    return path.with_suffix("").suffix if path.suffix in _PACKINGS else path.suffix


def _lines(name: str) -> TextIO:
    if name == STANDARD_INPUT:
        file: Any = open(sys.stdin.fileno(), "rb", closefd=False)  # noqa: SIM115
    elif name.lower().endswith(".zst"):
        import pyarrow as pa

        file = pa.CompressedInputStream(_opened(name), "zstd")
    else:
        file = _opened(name)
        if name.lower().endswith(".gz"):
            packed, file = file, gzip.GzipFile(fileobj=file)
            file.myfileobj = packed  # closed with it
    head = io.BufferedReader(file)
    # Spreadsheets write UTF-16; file names may have bytes that are not UTF-8.
    encoding = "utf-16" if head.peek(2)[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return io.TextIOWrapper(head, encoding=encoding, errors="surrogateescape", newline="")


def _opened(name: str) -> IO[bytes]:
    return open_bucket_file(name) if is_bucket(name) else open(name, "rb")


def _bounded(lines: TextIO) -> Iterator[str]:
    """Yield lines, of longer ones one character more than the limit."""
    while line := lines.readline(MAX_LINE + 1):
        yield line
        while len(line) > MAX_LINE and not line.endswith("\n"):
            line = lines.readline(MAX_LINE + 1)


#: Line numbers with their sources, or an input for a line that has none.
_Lines = Iterator[tuple[int, str | Input]]


def _invalid(name: str, number: int, why: str, text: str = "") -> tuple[int, Input]:
    return number, unreadable_input(name, why, place=str(number), text=text)


def _of_lines(lines: Iterator[str], name: str, column: str | None) -> _Lines:
    del column
    for number, line in enumerate(lines, 1):
        source = line.strip()
        if len(line) > MAX_LINE:
            yield _invalid(name, number, f"the line has more than {MAX_LINE:,} characters", line)
        elif source and not source.startswith("#"):
            yield number, source


def _of_csv(lines: Iterator[str], name: str, column: str | None) -> _Lines:
    reader, index = csv.reader(lines), -1
    while True:
        try:
            row = next(reader, None)
        except csv.Error as error:  # a cell never ends
            index = _column_index([], name, column) if index < 0 else index
            yield _invalid(name, reader.line_num, f"the line is no CSV: {error}")
            continue
        if row is None:
            return
        if index < 0:
            index = _column_index(row, name, column)
            if column is not None or (row and row[index].strip().lower() in COLUMNS):
                continue
        if any(cell.strip() for cell in row):
            cell = row[index].strip() if len(row) > index else ""
            why = "the line has nothing in its column"
            yield (reader.line_num, cell) if cell else _invalid(name, reader.line_num, why, json.dumps(row))


def _column_index(header: list[str], name: str, column: str | None) -> int:
    names = [cell.strip() for cell in header]
    if column is not None:
        if column not in names:
            raise ValueError(f"{name}: there is no column {column!r}; there are {', '.join(names) or 'none'}")
        return names.index(column)
    lower = [cell.lower() for cell in names]
    index = next((lower.index(default) for default in COLUMNS if default in lower), 0)
    # Without a header, the first line has sources.
    is_source = not names or is_address(names[0]) or any(sign in names[0] for sign in "./\\")
    if not is_source and lower[index] not in COLUMNS:
        raise ValueError(f"{name}: no column is called {' or '.join(COLUMNS)} (column names it): {', '.join(names)}")
    return index


def _of_json(lines: Iterator[str], name: str, column: str | None) -> _Lines:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield _invalid(name, number, f"the line is no JSON: {error}", line)
            continue
        if isinstance(value, dict):
            names = (column,) if column is not None else COLUMNS
            value = next((value[key] for key in names if key in value), None)
        if isinstance(value, str) and value.strip():
            yield number, value.strip()
        else:
            yield _invalid(name, number, f"the line has no {column or 'source'} (column names it)", line)


def _of_parquet(name: str, column: str | None, archives: str = "") -> Iterator[Input | str]:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        with _opened(name) as source, parquet.ParquetFile(source) as file:
            names = file.schema_arrow.names
            index = [next((name for name in given if name in names), "") for given in INDEX]
            if column is None and all(index):
                rows = chain.from_iterable(batch.to_pylist() for batch in file.iter_batches(1000, columns=index))
                for number, row in enumerate(rows, 1):
                    yield _record(name, number, [row[name] for name in index], archives or os.path.dirname(name))
                return
            chosen = names[_column_index(names, name, column)]
            batches = file.iter_batches(batch_size=1000, columns=[chosen])
            values = chain.from_iterable(batch.column(0).to_pylist() for batch in batches)
            for number, value in enumerate(values, 1):
                is_source = isinstance(value, str) and value.strip()
                yield value if is_source else unreadable_input(name, "the row has no source", place=str(number))
    except (OSError, pa.ArrowException) as error:
        yield unreadable_input(name, f"the list cannot be read: {error}")


def _record(name: str, number: int, values: list[Any], folder: str) -> Input:
    """Return the input of a record of an archive; one with the reason if the row of the index names no place."""
    url, path, offset, length = values
    if not (url and path and isinstance(offset, int) and isinstance(length, int) and offset >= 0 < length):
        why = "the row has no place of a record: filename, offset and length"
        return unreadable_input(name, why, place=str(number), text=repr(values))
    path = path if is_bucket(path) else os.path.join(folder, path)
    return replace(input_of(path, url=url, offset=offset), length=length)


#: Readers of lists by suffix.
_READERS = {".csv": _of_csv, ".jsonl": _of_json, ".ndjson": _of_json}
