"""Formats of records: JSON lines, CSV, Parquet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from ...records.field_values import FIELDS
from .record import Record, RecordSet

#: Columns of CSV and Parquet before the fields.
_ABOUT = ("url", "set", "kind", "type", "number", "depth")
#: Starts of text that a spreadsheet would parse as a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def numbered(sets: Iterable[RecordSet]) -> Iterator[tuple[dict[str, Any], Record]]:
    """Yield each record with the index, kind and type of its set, its number there from 1, and its depth from 0."""
    for index, records in enumerate(sets):
        about = {"set": index, "kind": records.kind, "type": records.record_type}
        for number, (depth, record) in enumerate(records.every(), 1):
            yield about | {"number": number, "depth": depth}, record


def json_lines(sets: Iterable[RecordSet], url: str = "") -> str:
    """Return one JSON object a line for each record, after the address; inner records follow, one level deeper."""
    import orjson

    lines = []
    for place, record in numbered(sets):
        values = record.to_dict()
        values.pop("records", None)
        lines.append(orjson.dumps({"url": url, **place, **values}).decode() + "\n")
    return "".join(lines)


def table_rows(sets: Iterable[RecordSet], url: str = "") -> list[dict[str, Any]]:
    """Return the address, position and typed fields of each record, for CSV and Parquet."""
    return [{"url": url, **place, **record.values} for place, record in numbered(sets)]


def csv_rows(rows: Sequence[dict[str, Any]]) -> str:
    """Return the rows of all pages as one CSV with a header; text that a spreadsheet would run gets a leading quote."""
    written = io.StringIO()
    writer = csv.DictWriter(written, _columns(rows), lineterminator="\n", restval="")
    writer.writeheader()
    for row in rows:
        writer.writerow(
            {name: f"'{value}" if str(value).startswith(_FORMULA) else value for name, value in row.items()}
        )
    return written.getvalue()


def write_parquet(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Write the rows of all pages as one table: typed numbers and text, null where there is none."""
    import pyarrow as pa
    from pyarrow import parquet

    types = {"set": pa.int32(), "number": pa.int32(), "depth": pa.int32(), "amount": pa.float64()}
    schema = pa.schema([(name, types.get(name, pa.string())) for name in _columns(rows)])
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema), path)


def _columns(rows: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys((*_ABOUT, *FIELDS, *(name for row in rows for name in row))))
