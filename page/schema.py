"""What holds of every page's columns, as a table: kind of number, shape, range. Files are held against it when read.

A column that is added to :class:`~blocksight.page.page.Page` or :class:`~blocksight.page.page.Geometry` is one more
line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .page import TEXT, Geometry, Hidden, Page, Position

#: No coordinate is further away than this, in CSS pixels: capture cuts it off, and squares of it are still numbers.
FURTHEST = 1e9


@dataclass(frozen=True, slots=True)
class ColumnSchema:
    """What holds of one column.

    Attributes
    ----------
    dtype : NumPy type
    rows : str
        What it has one row of: "nodes", "attributes", "lines" or "leaves".
    low, high : number or str
        Least and greatest value; a name stands for the last index into it ("nodes", "names", "strings").
    width : int
        Numbers a row; 0 for a plain column.
    gaps : bool
        Whether NaN is a value: where nothing is laid out.
    """

    dtype: type[np.generic]
    rows: str
    low: float = -np.inf
    high: float | str = np.inf
    width: int = 0
    gaps: bool = False


COLUMNS: dict[str, ColumnSchema] = {
    "parent": ColumnSchema(np.int32, "nodes", -1, "nodes"),
    "tag": ColumnSchema(np.int32, "nodes", 0, "names"),
    "text": ColumnSchema(np.int32, "nodes", -1, "strings"),
    "attribute_node": ColumnSchema(np.int32, "attributes", 0, "nodes"),
    "attribute_name": ColumnSchema(np.int32, "attributes", 0, "names"),
    "attribute_value": ColumnSchema(np.int32, "attributes", 0, "strings"),
    "geometry.box": ColumnSchema(np.float32, "nodes", -FURTHEST, FURTHEST, width=4, gaps=True),
    "geometry.paint_order": ColumnSchema(np.int32, "nodes", -1),
    "geometry.display": ColumnSchema(np.int32, "nodes", -1, "names"),
    "geometry.position": ColumnSchema(np.uint8, "nodes", 0, max(Position)),
    "geometry.opacity": ColumnSchema(np.float32, "nodes", 0, 1),
    "geometry.invisible": ColumnSchema(np.bool_, "nodes"),
    "geometry.clips": ColumnSchema(np.bool_, "nodes", width=2),
    "geometry.font_size": ColumnSchema(np.float32, "nodes", 0, FURTHEST),
    "geometry.font_weight": ColumnSchema(np.int16, "nodes", 0, 1000),
    "geometry.color": ColumnSchema(np.uint32, "nodes"),
    "geometry.background": ColumnSchema(np.uint32, "nodes"),
    "geometry.line_node": ColumnSchema(np.int32, "lines", 0, "nodes"),
    "geometry.line_box": ColumnSchema(np.float32, "lines", -FURTHEST, FURTHEST, width=4),
    "geometry.line_start": ColumnSchema(np.int32, "lines", 0, FURTHEST),
    "geometry.line_length": ColumnSchema(np.int32, "lines", 0, FURTHEST),
    "geometry.hidden": ColumnSchema(np.uint8, "leaves", 0, max(Hidden)),
    "paint.fill": ColumnSchema(np.uint32, "nodes"),
    "paint.image": ColumnSchema(np.bool_, "nodes"),
    "paint.border": ColumnSchema(np.float32, "nodes", 0, FURTHEST, width=4),
    "paint.radius": ColumnSchema(np.float32, "nodes", 0, FURTHEST),
    "paint.shadow": ColumnSchema(np.bool_, "nodes"),
    "paint.holds": ColumnSchema(np.bool_, "nodes"),
    "paint.scrolls": ColumnSchema(np.bool_, "nodes", width=2),
}
TREE, GEOMETRY, PAINT = (
    tuple(name for name in COLUMNS if name.rpartition(".")[0] == part) for part in ("", "geometry", "paint")
)


def columns_of(page: Page) -> dict[str, NDArray[Any]]:
    """Return the columns of a page by name, those of the geometry as ``geometry.NAME``, of its paint ``paint.NAME``."""
    geometry = page.geometry
    parts = {"": page, "geometry": geometry, "paint": geometry and geometry.paint}
    found = {name: parts[name.rpartition(".")[0]] for name in COLUMNS}
    return {name: getattr(part, name.rpartition(".")[2]) for name, part in found.items() if part is not None}


def check_columns(columns: Mapping[str, NDArray[Any]], sizes: Mapping[str, int]) -> None:
    """Check kind, shape and range of some columns.

    Parameters
    ----------
    columns : mapping of str to array
        Of :data:`COLUMNS`.
    sizes : mapping of str to int
        How many "nodes", "attributes", "lines", "leaves", "names" and "strings" there are, as far as they are asked
        for.

    Raises
    ------
    ValueError
        That says which column is wrong, and how.
    """
    for name, values in columns.items():
        wrong = _wrong(COLUMNS[name], values, sizes)
        if wrong:
            raise ValueError(f"{name}: {wrong}")


def _wrong(column: ColumnSchema, values: NDArray[Any], sizes: Mapping[str, int]) -> str:
    """Say what does not hold, "" if all does."""
    if values.dtype != np.dtype(column.dtype):
        return f"numbers of kind {values.dtype} instead of {np.dtype(column.dtype)}"
    shape = (sizes[column.rows], *[column.width] * (column.width > 0))
    if values.shape != shape:
        return f"shape {values.shape} instead of {shape}"
    high = sizes[column.high] - 1 if isinstance(column.high, str) else column.high
    if values.dtype.kind == "b" or not values.size:
        return ""
    if values.dtype.kind == "f" and column.gaps:
        if (np.isnan(values).any(axis=1) != np.isnan(values).all(axis=1)).any():
            return "a box lacks some of its numbers"
        values = values[~np.isnan(values)]
    if not (values >= column.low).all() or not (values <= high).all():
        return f"values outside of {column.low:g} to {high:g}"
    return ""


def check_tree(page: Page) -> None:
    """Check that nodes stand in the order of a document, attributes in the order of nodes.

    Raises
    ------
    ValueError
        That says what does not hold.
    """
    rows = np.arange(len(page))
    if not len(page) or page.parent[0] >= 0:
        raise ValueError("parent: there is no root")
    if (page.parent[1:] < 0).any() or (page.parent >= rows).any():
        raise ValueError("parent: a node stands before its parent, or is a second root")
    # Siblings say where subtrees end: each after its own row and within that of its parent, unless one is torn apart.
    if (page.end <= rows).any() or (page.end[1:] > page.end[page.parent[1:]]).any():
        raise ValueError("parent: a subtree is torn apart")
    texts = page.has_tag(TEXT)
    if (~texts & (page.text >= 0)).any() or texts[page.parent[1:]].any():
        raise ValueError("text: what is text is no text node, or has children")
    if (np.diff(page.attribute_node) < 0).any():
        raise ValueError("attribute_node: out of order")


def check_geometry(geometry: Geometry) -> None:
    """Check what the columns of geometry say of each other.

    Raises
    ------
    ValueError
        That says what does not hold.
    """
    measures = np.asarray([geometry.viewport, geometry.size])
    if not (measures >= 0).all() or not (measures <= FURTHEST).all() or min(geometry.viewport) == 0:
        raise ValueError("viewport, size: no measures of a window and what it shows")
    if (geometry.box[:, 2:] < 0).any() or (geometry.line_box[:, 2:] < 0).any():
        raise ValueError("box: less than nothing wide or high")
    if (np.diff(geometry.line_node) < 0).any():
        raise ValueError("line_node: out of order")
