"""The row of an input, whatever became of it: its columns, one after the other, and the kinds of failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..errors import BlocksightError, HttpFailed, LanguageUnknown, PageFailed, PageUnreadable, Refused, TimedOut

if TYPE_CHECKING:
    import pyarrow

#: Of the columns below. A new column raises it, and old ones keep their meaning: readers that look for columns by name
#: go on working.
SCHEMA_VERSION = 1

Kind = Literal["text", "number", "count", "truth"]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class RowColumn:
    """One column of the rows.

    Attributes
    ----------
    name : str
    kind : str
        "text", "number" (float64), "count" (int64) or "truth"; every column may be null.
    about : str
        What stands in it.
    """

    name: str
    kind: Kind
    about: str


COLUMNS = (
    RowColumn(name="id", kind="text", about="digest of the canonical source, 32 hexadecimal digits"),
    RowColumn(name="source", kind="text", about="address or file, as it was named"),
    RowColumn(
        name="url", kind="text", about="the page's own address: in an archive or a saved page, that which it had"
    ),
    RowColumn(name="final_address", kind="text", about="where it was found after redirects; null for files"),
    RowColumn(name="status", kind="count", about="HTTP status; null where no server was asked"),
    RowColumn(name="title", kind="text", about="title"),
    RowColumn(name="language", kind="text", about="BCP 47"),
    RowColumn(name="text", kind="text", about="the content as plain text; null where the page failed"),
    RowColumn(name="markdown", kind="text", about="the content as Markdown"),
    RowColumn(name="metadata", kind="text", about="authors, dates and more, as JSON"),
    RowColumn(name="confidence", kind="number", about="how well the text is expected to hit the content, 0 to 1"),
    RowColumn(name="partial", kind="truth", about="still loading at its deadline"),
    RowColumn(name="error_kind", kind="text", about="kind of failure; null where there is none"),
    RowColumn(name="error", kind="text", about="its reason, in words"),
    RowColumn(name="tries", kind="count", about="how often it was tried, this one included"),
    RowColumn(name="finished", kind="number", about="when it was done, in seconds since 1970 (UTC)"),
    RowColumn(name="seconds_render", kind="number", about="seconds of rendering, or of reading the file"),
    RowColumn(name="seconds_analyse", kind="number", about="seconds of judging and writing down"),
    RowColumn(
        name="cpu_seconds", kind="number", about="CPU seconds of judging and writing down; the browser's are not in it"
    ),
    RowColumn(name="nodes", kind="count", about="nodes of the page"),
    RowColumn(name="system", kind="text", about="system that chose the content"),
    RowColumn(name="model", kind="text", about="name and digest of its model; null where it has none"),
    RowColumn(name="blocksight", kind="text", about="version of the program"),
    RowColumn(name="options", kind="text", about="digest of how pages were rendered and read"),
    RowColumn(name="schema", kind="count", about="version of these columns"),
)
NAMES = tuple(column.name for column in COLUMNS)

#: Kinds of failure by their errors, the narrower first.
ERROR_KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (HttpFailed, "http"),
    (TimedOut, "timeout"),
    (TimeoutError, "timeout"),
    (Refused, "refused"),
    (LanguageUnknown, "language"),
    (PageUnreadable, "unreadable"),
    (PageFailed, "failed"),
    (BlocksightError, "failed"),
)
#: The others, which no error of a page stands for.
EMPTY, ROBOTS, DIED, SOURCE, FAULT = "empty", "robots", "died", "source", "fault"
FAILURES = {
    "http": "the server answered with an error (its number is in `status`)",
    "timeout": "it was not done in the time for a page",
    "refused": "its address or size is against the limits in force",
    "language": "the system does not know the page's language",
    "unreadable": "a saved page is damaged, or newer than the program",
    "failed": "any other reason: no such host or file, not a web page, the browser died",
    EMPTY: "there is no text on the page",
    ROBOTS: "the site's robots.txt forbids it",
    DIED: "the process that read it died twice, perhaps of the page's size",
    SOURCE: "a line of a list, or a part of an archive, cannot be read",
    FAULT: "a fault of the program; please report it",
}


def error_kind(error: BaseException) -> str:
    """Return the kind of failure that an error stands for."""
    return next((name for kind, name in ERROR_KINDS if isinstance(error, kind)), FAULT)


def whole_row(known: Mapping[str, Any]) -> Row:
    """Return a row with every column, null where nothing is known.

    Raises
    ------
    KeyError
        When something is known for which there is no column.
    """
    if unknown := known.keys() - set(NAMES):
        raise KeyError(f"there is no column {', '.join(sorted(unknown))}")
    return {name: _writable(known.get(name)) for name in NAMES} | {"schema": SCHEMA_VERSION}


def _writable(value: object) -> object:
    """Replace the bytes of a file's name that are no UTF-8, which no file of rows can hold."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def schema() -> pyarrow.Schema:
    """Return the columns as Arrow knows them; what stands in each is in its metadata."""
    import pyarrow as pa

    kinds = {"text": pa.large_string(), "number": pa.float64(), "count": pa.int64(), "truth": pa.bool_()}
    fields = [pa.field(column.name, kinds[column.kind], metadata={"about": column.about}) for column in COLUMNS]
    return pa.schema(fields, metadata={"blocksight.schema": str(SCHEMA_VERSION)})
