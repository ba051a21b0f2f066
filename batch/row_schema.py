"""Columns of the rows, one row per input also for failures, and the kinds of failure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..errors import (
    BlocksightError,
    ConnectionFailed,
    HttpFailed,
    LanguageUnknown,
    NameUnresolved,
    PageEmpty,
    PageFailed,
    PageUnreadable,
    Refused,
    TimedOut,
    UseReserved,
)

if TYPE_CHECKING:
    import pyarrow

#: Version of the columns below. A new column raises it; existing ones keep their meaning.
SCHEMA_VERSION = 4

Kind = Literal["text", "number", "count", "truth"]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RowColumn:
    """One column of the rows: "text", "number" (float64), "count" (int64) or "truth"; every value may be null."""

    name: str
    kind: Kind
    about: str


COLUMNS = (
    RowColumn("id", "text", "digest of the canonical source, 32 hexadecimal digits"),
    RowColumn("source", "text", "address or file, as it was named"),
    RowColumn("url", "text", "the page's own address; of an archive or a saved page, the original one"),
    RowColumn("final_address", "text", "address after redirects; null for files"),
    RowColumn("status", "count", "HTTP status; null if no server was asked"),
    RowColumn("title", "text", "title"),
    RowColumn("language", "text", "BCP 47"),
    RowColumn("text", "text", "the content as plain text; null if the page failed"),
    RowColumn("markdown", "text", "the content as Markdown"),
    RowColumn("content_hash", "text", "digest of the words of `text`, in lower case; null if there are none"),
    RowColumn("duplicate_of", "text", "`id` of the first row of the run with the same `content_hash`; else null"),
    RowColumn("metadata", "text", "authors, dates and more, as JSON"),
    RowColumn("allows_search", "truth", "whether search results may show it; null if nothing is stated"),
    RowColumn("allows_ai_input", "truth", "whether it may be input of models; null if nothing is stated"),
    RowColumn("allows_ai_train", "truth", "whether models may be trained with it; null if nothing is stated"),
    RowColumn("allows_ai_image", "truth", "whether models may be trained with its pictures; null if nothing is stated"),
    RowColumn("allows_tdm", "truth", "whether text and data mining is allowed; null if nothing is stated"),
    RowColumn("confidence", "number", "expected F1 of the content, 0 to 1"),
    RowColumn("verdict", "text", "content, index, thin, shell, challenge, paywall or error"),
    RowColumn("rendered", "truth", "whether a browser rendered it"),
    RowColumn("partial", "truth", "still loading at its deadline"),
    RowColumn("error_kind", "text", "kind of failure; null if there is none"),
    RowColumn("error", "text", "reason of the failure, in words"),
    RowColumn("tries", "count", "number of attempts, including this one"),
    RowColumn("finished", "number", "end of the page, in seconds since 1970 (UTC)"),
    RowColumn("seconds_render", "number", "seconds of rendering, or of reading the file"),
    RowColumn("seconds_analyse", "number", "seconds of extraction"),
    RowColumn("cpu_seconds", "number", "CPU seconds of extraction, without the browser's"),
    RowColumn("nodes", "count", "nodes of the page"),
    RowColumn("system", "text", "system that chose the content"),
    RowColumn("model", "text", "name and digest of its model; null if it has none"),
    RowColumn("blocksight", "text", "version of the program"),
    RowColumn("options", "text", "digest of the settings of rendering and extraction"),
    RowColumn("schema", "count", "version of these columns"),
)
NAMES = tuple(column.name for column in COLUMNS)

#: The kind of an address or a file that must not be opened.
REFUSED = "refused"
#: The kind of a page that has no text.
EMPTY = "empty"
#: The kind of a page that is left out for a use that it reserves.
USAGE = "usage"
#: Kinds of failure by their errors, the narrower first.
ERROR_KINDS: tuple[tuple[type[BaseException], str], ...] = (
    (HttpFailed, "http"),
    (PageEmpty, EMPTY),
    (NameUnresolved, "dns"),
    (ConnectionFailed, "connection"),
    (TimedOut, "timeout"),
    (TimeoutError, "timeout"),
    (Refused, REFUSED),
    (UseReserved, USAGE),
    (LanguageUnknown, "language"),
    (PageUnreadable, "unreadable"),
    (PageFailed, "failed"),
    (BlocksightError, "failed"),
)
#: Kinds of failure without an error class.
ROBOTS, DIED, SOURCE, FAULT = "robots", "died", "source", "fault"
FAILURES = {
    "http": "the server answered with an error (its number is in `status`)",
    "dns": "its host has no address, or the name server did not answer",
    "connection": "its host or the proxy could not be reached, or the connection broke",
    "timeout": "it was not done within the timeout",
    REFUSED: "its address or size exceeds the limits in force",
    "language": "the system does not support the page's language",
    "unreadable": "a saved page is damaged, or newer than the program",
    "failed": "any other reason: no such file, not a web page, the browser crashed",
    EMPTY: "there is no text on the page",
    ROBOTS: "the site's robots.txt forbids it",
    USAGE: "it, or its site, reserves a use of `--respect-usage`",
    DIED: "its worker process died twice, perhaps of the page's size",
    SOURCE: "a line of a list, or a part of an archive, cannot be read",
    FAULT: "a fault of the program; please report it",
}


def error_kind(error: BaseException) -> str:
    """Return the kind of failure of an error."""
    return next((name for kind, name in ERROR_KINDS if isinstance(error, kind)), FAULT)


def whole_row(values: Mapping[str, Any]) -> Row:
    """Return a row with every column, null by default; KeyError for a value without a column."""
    if unknown := values.keys() - set(NAMES):
        raise KeyError(f"there is no column {', '.join(sorted(unknown))}")
    return {name: _encodable(values.get(name)) for name in NAMES} | {"schema": SCHEMA_VERSION}


def _encodable(value: object) -> object:
    """Replace the bytes of a file name that are not UTF-8."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def schema() -> pyarrow.Schema:
    """Return the columns as an Arrow schema, with their descriptions as metadata."""
    import pyarrow as pa

    types = {"text": pa.large_string(), "number": pa.float64(), "count": pa.int64(), "truth": pa.bool_()}
    fields = [pa.field(column.name, types[column.kind], metadata={"about": column.about}) for column in COLUMNS]
    return pa.schema(fields, metadata={"blocksight.schema": str(SCHEMA_VERSION)})
