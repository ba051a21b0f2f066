"""Columns of the rows, one row per input also for failures, and the kinds of failure."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..errors import BlocksightError

if TYPE_CHECKING:
    import pyarrow

#: Version of the columns below. A new column raises it; existing ones keep their meaning.
SCHEMA_VERSION = 5

Kind = Literal["text", "number", "count", "truth", "hashes"]
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RowColumn:
    """One column of the rows: its ``kind`` is that of ``rows.toml``; every value may be null."""

    name: str
    kind: Kind
    about: str


_TABLES = tomllib.loads(Path(__file__).with_name("rows.toml").read_text(encoding="utf-8"))
COLUMNS = tuple(RowColumn(name, kind, about) for name, (kind, about) in _TABLES["columns"].items())
NAMES = tuple(column.name for column in COLUMNS)
#: Beginning of the names of columns with texts of more systems.
TEXT_OF = "text_"

#: Kinds of failure that no error has, or that inputs have which are not opened.
REFUSED, USAGE, ROBOTS, DIED, SOURCE, FAULT = "refused", "usage", "robots", "died", "source", "fault"
#: What each kind of failure means.
FAILURES: dict[str, str] = _TABLES["failures"]


def error_kind(error: BaseException) -> str:
    """Return the kind of failure of an error."""
    if isinstance(error, BlocksightError):
        return error.kind
    return "timeout" if isinstance(error, TimeoutError) else FAULT


def whole_row(values: Mapping[str, Any]) -> Row:
    """Return a row with every column, null by default; KeyError for a value without a column."""
    if unknown := {name for name in values if not name.startswith(TEXT_OF)} - set(NAMES):
        raise KeyError(f"there is no column {', '.join(sorted(unknown))}")
    names = dict.fromkeys([*NAMES, *values])
    return {name: _encodable(values.get(name)) for name in names} | {"schema": SCHEMA_VERSION}


def _encodable(value: object) -> object:
    """Replace the bytes of a file name that are not UTF-8."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def schema(names: Iterable[str] = ()) -> pyarrow.Schema:
    """Return the columns, and those of ``names`` with texts of more systems, as an Arrow schema with descriptions."""
    import pyarrow as pa

    types = {"text": pa.large_string(), "number": pa.float64(), "count": pa.int64(), "truth": pa.bool_()}
    types["hashes"] = pa.list_(pa.uint32())
    fields = [pa.field(column.name, types[column.kind], metadata={"about": column.about}) for column in COLUMNS]
    fields += [pa.field(name, types["text"]) for name in names if name.startswith(TEXT_OF)]
    return pa.schema(fields, metadata={"blocksight.schema": str(SCHEMA_VERSION)})
