"""From what a person names to inputs, one after the other: folders, lists and archives are opened, the rest stays."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TextIO

from ...errors import PageFailed
from ...render.render_options import RenderOptions
from ...render.sources.sources import is_address
from .archive_pages import PACKED, is_packed, pages_in
from .inputs import Input, input_of

#: Files that are lists of sources, by their endings, and the word for one that is given by standard input.
LISTS = (".txt", ".csv", ".jsonl", ".ndjson")
STANDARD_INPUT = "-"
#: Files of a folder that are pages.
PAGES = (".html", ".htm", ".xhtml", ".page", ".mhtml", ".mht", *PACKED)
#: Columns that are looked for where none is named.
COLUMNS = ("url", "address", "source", "link", "href", "uri", "file", "path")

Source = str | os.PathLike[str]


def inputs_of(
    sources: Iterable[Source | Input], *, column: str | None = None, largest: int = RenderOptions().max_bytes
) -> Iterator[Input]:
    """Yield the inputs that sources stand for, in order; nothing is opened before its turn.

    Parameters
    ----------
    sources : iterable of str, path or Input
        Addresses; files; folders, of which every page is taken, in alphabetical order; lists (``.txt``, ``.csv``,
        ``.jsonl``, or any file as ``@FILE``, standard input as ``@-``); archives (WARC, WACZ, HAR), of which every
        page record is taken.
    column : str, optional
        Of lists with columns: the one that names sources; by default the first of :data:`COLUMNS` that is there, or
        else the first column.
    largest : int
        Of archives: pages of more bytes are left out.

    Raises
    ------
    ValueError
        When a list has no such column.
    """
    for source in sources:
        if isinstance(source, Input):
            yield source
        else:
            yield from _opened(os.fsdecode(source), column, largest)


def _opened(source: str, column: str | None, largest: int) -> Iterator[Input]:
    if source.startswith("@"):
        yield from _listed(source[1:], column, largest)
    elif not is_address(source) and source.lower().endswith(LISTS) and os.path.isfile(source):
        yield from _listed(source, column, largest)
    else:
        yield from _one(source, largest)


def _one(source: str, largest: int) -> Iterator[Input]:
    """Open what stands in a list, too: anything but another list."""
    if is_address(source):
        yield input_of(source)
    elif os.path.isdir(source):
        for path in _pages_below(source):
            yield from _one(path, largest)
    elif is_packed(source):
        yield from _archived(source, largest)
    else:
        yield input_of(source)


def _archived(path: str, largest: int) -> Iterator[Input]:
    try:
        for url, place in pages_in(path, largest=largest):
            yield input_of(path, url=url, place=place)
    except PageFailed as error:
        # What came before the damage is there already; the rest of the file is one row with the reason.
        yield input_of(path, wrong=error.why)


def _pages_below(folder: str) -> Iterator[str]:
    for above, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            if name.lower().endswith(PAGES) and not name.startswith("."):
                yield os.path.join(above, name)


def _listed(name: str, column: str | None, largest: int) -> Iterator[Input]:
    try:
        lines = _lines(name)
    except OSError as error:
        yield input_of(name, wrong=f"the list cannot be read: {error.strerror or error}")
        return
    reader = {".csv": _of_csv, ".jsonl": _of_json, ".ndjson": _of_json}.get(Path(name).suffix.lower(), _of_lines)
    with lines:
        for number, found in reader(lines, name, column):
            if isinstance(found, str):
                yield from _one(found, largest)
            else:
                yield input_of(f"{name}:{number}", wrong=found[0])


def lines_of(name: str) -> list[str]:
    """Return the sources of a plain list, one a line; blank lines and such that begin with ``#`` are none.

    Raises
    ------
    OSError
        When it cannot be read.
    """
    with _lines(name) as lines:
        return [str(found) for _, found in _of_lines(lines, name, None)]


def _lines(name: str) -> TextIO:
    if name == STANDARD_INPUT:
        return open(sys.stdin.fileno(), encoding="utf-8-sig", errors="surrogateescape", closefd=False)
    # Bytes that are no UTF-8 stay what they are: names of files can have them.
    return open(name, encoding="utf-8-sig", errors="surrogateescape", newline="")


#: The number of a line with the source that it names, or with the reason why it names none.
_Lines = Iterator[tuple[int, str | tuple[str]]]


def _of_lines(lines: TextIO, name: str, column: str | None) -> _Lines:
    del name, column
    for number, line in enumerate(lines, 1):
        source = line.strip()
        if source and not source.startswith("#"):
            yield number, source


def _of_csv(lines: TextIO, name: str, column: str | None) -> _Lines:
    rows = _rows(lines)
    number, first = next(rows, (1, []))
    head = [] if isinstance(first, tuple) else first
    place = _place(head, name, column)
    headed = column is not None or (bool(head) and head[place].strip().lower() in COLUMNS)
    for line, row in rows if headed else chain([(number, first)], rows):
        if isinstance(row, tuple):
            yield line, row
        elif any(cell.strip() for cell in row):
            whole = len(row) > place and row[place].strip()
            yield line, row[place].strip() if whole else ("the line has nothing in its column",)


def _rows(lines: TextIO) -> Iterator[tuple[int, list[str] | tuple[str]]]:
    """Yield each line of a table with its number, or with the reason why it is none: cells that never end."""
    reader = csv.reader(lines)
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield reader.line_num, (f"the line is no CSV: {error}",)
        else:
            yield reader.line_num, row


def _place(first: list[str], name: str, column: str | None) -> int:
    heads = [head.strip() for head in first]
    if column is not None:
        if column not in heads:
            raise ValueError(f"{name}: there is no column {column!r}; there are {', '.join(heads) or 'none'}")
        return heads.index(column)
    lower = [head.lower() for head in heads]
    return next((lower.index(known) for known in COLUMNS if known in lower), 0)


def _of_json(lines: TextIO, name: str, column: str | None) -> _Lines:
    del name
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            yield number, (f"the line is no JSON: {error}",)
            continue
        yield number, _named(found, column)


def _named(found: object, column: str | None) -> str | tuple[str]:
    if isinstance(found, dict):
        names = (column,) if column is not None else COLUMNS
        found = next((found[name] for name in names if name in found), None)
    if isinstance(found, str) and found.strip():
        return found.strip()
    return (f"the line has no {column or 'source'} (--column names it)",)
