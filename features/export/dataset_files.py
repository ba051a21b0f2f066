"""Data sets: the rows of a page with their keys, label, box and text, ready to be written in any format.

The label of a row comes from the caller: features know nothing of gold texts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np
import pandas as pd
import pyarrow as pa

from ...lexicon.words import text_hash
from ..alignment import RowLabels
from ..block_table import Table
from .dictionary import FIELDS, dictionary
from .located import LOCATORS, locator_columns

#: What a row tells of its text: all of it, a digest by which equal texts are found, or nothing.
TextColumn = Literal["text", "hash", "none"]

#: Rows that are written at once.
BATCH_ROWS = 5_000
#: The columns before the features: meaning, unit and type of each.
KEYS: dict[str, tuple[str, str, pa.DataType]] = {
    "page": ("corpus and number of the page", "name", pa.string()),
    "site": ("what pages are kept together by when they are split: the domain", "name", pa.string()),
    "split": ("train, dev or test", "name", pa.string()),
    "url": ("address of the page, where it is known", "address", pa.string()),
    "block": ("row of the block in the segmentation", "count", pa.int32()),
    "tag": ("tag of the block's element", "name", pa.string()),
    **{name: (meaning, "path", pa.string()) for name, meaning in LOCATORS.items()},
    "words": ("words; a character of a script without spaces counts half a word", "words", pa.float32()),
    "x_px": ("left edge of the block's lines", "CSS pixels of the document", pa.float32()),
    "y_px": ("top edge of the block's lines", "CSS pixels of the document", pa.float32()),
    "width_px": ("width of the box around the block's lines", "CSS pixels", pa.float32()),
    "height_px": ("height of the box around the block's lines", "CSS pixels", pa.float32()),
    "label": ("1 for content, 0 for boilerplate; empty where the gold does not tell", "0 or 1", pa.int8()),
    "label_share": ("share of the block's words that the gold holds", "share", pa.float32()),
}
#: What stands in the column of the text, by choice.
TEXTS: dict[str, tuple[str, str, pa.DataType]] = {
    "text": ("text of the block, white space collapsed", "text", pa.string()),
    "text_hash": ("first 16 hexadecimal digits of the SHA-256 of that text", "digest", pa.string()),
}
_BOX = ("x_px", "y_px", "width_px", "height_px")


@dataclass(frozen=True, slots=True, kw_only=True)
class PageKey:
    """Which page rows come from."""

    page: str
    site: str
    split: str
    url: str | None = None


def block_rows(table: Table, key: PageKey, labels: RowLabels | None = None, *, text: TextColumn = "text") -> pa.Table:
    """Put a page's rows together: keys, box, label, text and features.

    Parameters
    ----------
    table : Table
        The measured blocks; its columns are the features that are written (as float32, missing ones null).
    key : PageKey
    labels : RowLabels, optional
    text : "text", "hash" or "none"

    Raises
    ------
    ValueError
        When ``text`` is none of the three, or the labels are not one a row.
    """
    if text not in get_args(TextColumn):
        raise ValueError(f"text must be text, hash or none, not {text!r}")
    number = len(table)
    if labels is not None and len(labels.label) != number:
        raise ValueError(f"{len(labels.label)} labels for {number} rows")
    rows = table.rows
    known = labels or RowLabels(label=np.full(number, -1, dtype=np.int8), share=np.full(number, np.nan))
    values = {
        "page": [key.page] * number,
        "site": [key.site] * number,
        "split": [key.split] * number,
        "url": [key.url] * number,
        "block": rows.block,
        "tag": [rows.page.tag_of(node) for node in rows.node.tolist()],
        **locator_columns(rows),
        "words": rows.words.astype(np.float32),
        **dict(zip(_BOX, rows.box.T, strict=True)),
        "label": pa.array(known.label, mask=known.label < 0),
        "label_share": known.share.astype(np.float32),
    }
    columns = {name: pa.array(values[name], type=kind, from_pandas=True) for name, (_, _, kind) in KEYS.items()}
    columns |= _text(rows.texts, text)
    columns |= {
        name: pa.array(column.astype(np.float32), type=pa.float32(), from_pandas=True)
        for name, column in table.columns.items()
    }
    return pa.table(columns)


def _text(texts: tuple[str, ...], wanted: TextColumn) -> dict[str, pa.Array]:
    if wanted == "none":
        return {}
    if wanted == "text":
        return {"text": pa.array(texts, type=pa.string())}
    return {"text_hash": pa.array([text_hash(text) for text in texts], type=pa.string())}


def data_dictionary(groups: tuple[str, ...], text: TextColumn) -> pd.DataFrame:
    """Describe every column of a data set: name, group, meaning, unit, low, high, source."""
    column = {"text": "text", "hash": "text_hash", "none": ""}[text]
    keys = KEYS | {name: about for name, about in TEXTS.items() if name == column}
    head = pd.DataFrame({"name": list(keys), "meaning": [about[0] for about in keys.values()]})
    head["unit"] = [about[1] for about in keys.values()]
    head["group"], head["source"] = "key", "blocksight"
    return pd.concat([head, dictionary(*groups)], ignore_index=True)[list(FIELDS)]


@dataclass(frozen=True, kw_only=True)
class Dataset:
    """Rows of many pages, read page by page, and as often as needed.

    Attributes
    ----------
    name : str
    parts : callable
        Gives an iterator over the pages' rows.
    schema : pyarrow.Schema
    dictionary : DataFrame
        Of :func:`data_dictionary`.
    about : dict of str to str
        How the rows were made.
    """

    name: str
    parts: Callable[[], Iterator[pa.Table]]
    schema: pa.Schema
    dictionary: pd.DataFrame
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the feature columns."""
        return tuple(self.dictionary.loc[self.dictionary["group"] != "key", "name"])

    def batches(self) -> Iterator[pa.Table]:
        """Yield the rows, many pages at once."""
        waiting: list[pa.Table] = []
        for part in self.parts():
            waiting.append(part)
            if sum(map(len, waiting)) >= BATCH_ROWS:
                yield pa.concat_tables(waiting)
                waiting = []
        if waiting:
            yield pa.concat_tables(waiting)
