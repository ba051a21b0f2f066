"""Data sets of blocks: rows with keys, label, box, text and features, written as Parquet, CSV or JSON Lines.

The label of a row comes from the caller: features are independent of gold texts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import orjson
import pandas as pd
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from ..files.atomic import atomic_path
from ..segment.element_locators import locator_columns
from .alignment import RowLabels
from .block_table import Table, groups_named, schema_hash

#: Locators of the block's element, by column.
LOCATORS = {
    "selector": "CSS selector that matches only the block's element; steps into frames and shadow roots after >>",
    "xpath": "the same as XPath",
}
#: Least number of rows of a batch.
BATCH_ROWS = 5_000
#: The columns before the features: meaning, unit and type of each.
KEYS: dict[str, tuple[str, str, pa.DataType]] = {
    "page": ("corpus and number of the page", "name", pa.string()),
    "site": ("the domain; pages of one site are in the same split", "name", pa.string()),
    "split": ("train, dev or test", "name", pa.string()),
    "url": ("address of the page, if known", "address", pa.string()),
    "block": ("row of the block in the segmentation", "count", pa.int32()),
    "tag": ("tag of the block's element", "name", pa.string()),
    **{name: (meaning, "path", pa.string()) for name, meaning in LOCATORS.items()},
    "words": ("words; a character of a script without spaces counts half a word", "words", pa.float32()),
    "x_px": ("left edge of the block's lines", "CSS pixels of the document", pa.float32()),
    "y_px": ("top edge of the block's lines", "CSS pixels of the document", pa.float32()),
    "width_px": ("width of the box around the block's lines", "CSS pixels", pa.float32()),
    "height_px": ("height of the box around the block's lines", "CSS pixels", pa.float32()),
    "label": ("1 for content, 0 for boilerplate; empty if the gold does not say", "0 or 1", pa.int8()),
    "label_share": ("share of the block's words in the gold; no feature", "share", pa.float32()),
    "text": ("text of the block, white space collapsed", "text", pa.string()),
}
#: The columns that say what a block is; learning from them would be learning from the answer.
LABELS = ("label", "label_share")
#: Fields of each column in the data dictionary.
FIELDS = ("name", "group", "meaning", "unit", "low", "high", "source")
_BOX = ("x_px", "y_px", "width_px", "height_px")


def block_rows(
    table: Table, labels: RowLabels, *, page: str, site: str, split: str, url: str | None = None
) -> pa.Table:
    """Return a page's rows: keys, box, label, text and features (float32, missing values null)."""
    count = len(table)
    if len(labels.label) != count:
        raise ValueError(f"{len(labels.label)} labels for {count} rows")
    rows = table.rows
    values = {
        "page": [page] * count,
        "site": [site] * count,
        "split": [split] * count,
        "url": [url] * count,
        "block": rows.block,
        "tag": [rows.page.tag_of(node) for node in rows.node.tolist()],
        **locator_columns(rows.page, rows.node),
        "words": rows.words.astype(np.float32),
        **dict(zip(_BOX, rows.box.T, strict=True)),
        "label": pa.array(labels.label, mask=labels.label < 0),
        "label_share": labels.share.astype(np.float32),
        "text": rows.texts,
    }
    columns = {name: pa.array(values[name], type=kind, from_pandas=True) for name, (_, _, kind) in KEYS.items()}
    columns |= {
        name: pa.array(column.astype(np.float32), type=pa.float32(), from_pandas=True)
        for name, column in table.columns.items()
    }
    return pa.table(columns)


def dictionary(*groups: str) -> pd.DataFrame:
    """Return the feature columns of some groups, or of all, as a data frame with the columns :data:`FIELDS`."""
    described = [
        (column.name, group.name, column.meaning, column.unit, column.low, column.high, column.source)
        for group in groups_named(*groups)
        for column in group.columns
    ]
    return pd.DataFrame(described, columns=list(FIELDS))


def data_dictionary(groups: tuple[str, ...]) -> pd.DataFrame:
    """Return a description of every column of a data set: name, group, meaning, unit, low, high, source."""
    head = pd.DataFrame({"name": list(KEYS), "meaning": [about[0] for about in KEYS.values()]})
    head["unit"] = [about[1] for about in KEYS.values()]
    head["group"] = ["label" if name in LABELS else "key" for name in KEYS]
    head["source"] = "blocksight"
    return pd.concat([head, dictionary(*groups)], ignore_index=True)[list(FIELDS)]


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Rows of many pages, read page by page, repeatedly."""

    name: str
    parts: Callable[[], Iterator[pa.Table]]  # returns an iterator over the pages' rows
    schema: pa.Schema
    dictionary: pd.DataFrame  # of :func:`data_dictionary`
    about: Mapping[str, str] = field(default_factory=dict)  # description of how the rows were made

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the feature columns."""
        return tuple(self.dictionary.loc[~self.dictionary["group"].isin(("key", "label")), "name"])

    def batches(self) -> Iterator[pa.Table]:
        """Yield the rows of many pages together."""
        waiting: list[pa.Table] = []
        for part in self.parts():
            waiting.append(part)
            if sum(map(len, waiting)) >= BATCH_ROWS:
                yield pa.concat_tables(waiting)
                waiting = []
        if waiting:
            yield pa.concat_tables(waiting)


def write_parquet(dataset: Dataset, path: Path) -> None:
    """Write one Parquet file; metadata ``blocksight`` has its description and data dictionary."""
    frame = dataset.dictionary
    finite = frame.astype(object).where(frame.notna() & ~frame.isin([np.inf, -np.inf]), None)
    about = {
        "name": dataset.name,
        "about": dict(dataset.about),
        "schema": schema_hash(dataset.features),
        "dictionary": finite.to_dict("records"),
    }
    schema = dataset.schema.with_metadata({"blocksight": json.dumps(about)})
    with atomic_path(path) as unfinished, pq.ParquetWriter(unfinished, schema, compression="zstd") as writer:
        for batch in dataset.batches():
            writer.write_table(batch.replace_schema_metadata(schema.metadata))


def write_csv(dataset: Dataset, path: Path) -> None:
    """Write comma-separated values with a header; missing values are empty."""
    with atomic_path(path) as unfinished, pa_csv.CSVWriter(unfinished, dataset.schema) as writer:
        for batch in dataset.batches():
            writer.write_table(batch)


def write_jsonl(dataset: Dataset, path: Path) -> None:
    """Write one JSON object per row; missing values are null."""
    with atomic_path(path) as unfinished, unfinished.open("wb") as out:
        for batch in dataset.batches():
            out.writelines(orjson.dumps(row) + b"\n" for row in batch.to_pylist())


#: Writer of each format; files are called ``blocks`` with the format as suffix.
FORMATS: dict[str, Callable[[Dataset, Path], None]] = {"parquet": write_parquet, "csv": write_csv, "jsonl": write_jsonl}
