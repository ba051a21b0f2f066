"""The schema of a page's columns, and checks of files against it.

A new column of :class:`~blocksight.page.tree.Tree` or :class:`~blocksight.page.geometry.Geometry` is declared there
only, with its :class:`~blocksight.page.arrays.ColumnSchema`; saving and checking follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_type_hints

import numpy as np
from numpy.typing import NDArray

from .arrays import ColumnSchema
from .geometry import MAX_COORDINATE, Geometry, Paint
from .html import TEXT
from .page import Page
from .tree import Tree


def _schemas(kind: type, prefix: str = "") -> dict[str, ColumnSchema]:
    hints = get_type_hints(kind, include_extras=True)
    return {prefix + name: hint.__metadata__[0] for name, hint in hints.items() if hasattr(hint, "__metadata__")}


_TREE, _GEOMETRY, _PAINT = _schemas(Tree), _schemas(Geometry, "geometry."), _schemas(Paint, "paint.")
#: Schema of each column by its name in a file.
COLUMNS: dict[str, ColumnSchema] = _TREE | _GEOMETRY | _PAINT
TREE, GEOMETRY, PAINT = tuple(_TREE), tuple(_GEOMETRY), tuple(_PAINT)


def columns_of(page: Page) -> dict[str, NDArray[Any]]:
    """Return the columns of a page by name, those of its geometry as ``geometry.NAME``, of its paint ``paint.NAME``."""
    columns = {name: getattr(page, name) for name in TREE}
    for prefix, names, part in (
        ("geometry.", GEOMETRY, page.geometry),
        ("paint.", PAINT, page.geometry and page.geometry.paint),
    ):
        if part is not None:
            columns |= {name: getattr(part, name.removeprefix(prefix)) for name in names}
    return columns


def check_columns(columns: Mapping[str, NDArray[Any]], sizes: Mapping[str, int]) -> None:
    """Check type, shape and range of columns of :data:`COLUMNS`; raise ValueError with the first that is wrong.

    ``sizes`` has the numbers of "nodes", "attributes", "lines", "leaves", "names" and "strings" that the columns need.
    """
    for name, values in columns.items():
        problem = _problem(COLUMNS[name], values, sizes)
        if problem:
            raise ValueError(f"{name}: {problem}")


def _problem(column: ColumnSchema, values: NDArray[Any], sizes: Mapping[str, int]) -> str:
    """Return why values do not match a schema, "" if they do."""
    if values.dtype != np.dtype(column.dtype):
        return f"type {values.dtype} instead of {np.dtype(column.dtype)}"
    shape = (sizes[column.rows], *[column.width] * (column.width > 0))
    if values.shape != shape:
        return f"shape {values.shape} instead of {shape}"
    high = sizes[column.high] - 1 if isinstance(column.high, str) else column.high
    if values.dtype.kind == "b" or not values.size:
        return ""
    if values.dtype.kind == "f" and column.gaps:
        if (np.isnan(values).any(axis=1) != np.isnan(values).all(axis=1)).any():
            return "a box is only partly NaN"
        values = values[~np.isnan(values)]
    if not (values >= column.low).all() or not (values <= high).all():
        return f"values outside of {column.low:g} to {high:g}"
    return ""


def check_tree(page: Page) -> None:
    """Check that nodes are in document order and attributes in the order of nodes; raise ValueError if not."""
    rows = np.arange(len(page))
    if not len(page) or page.parent[0] >= 0:
        raise ValueError("parent: there is no root")
    if (page.parent[1:] < 0).any() or (page.parent >= rows).any():
        raise ValueError("parent: a node precedes its parent, or is a second root")
    # Siblings determine where subtrees end: after their own row and within the parent's, unless one is not contiguous.
    if (page.end <= rows).any() or (page.end[1:] > page.end[page.parent[1:]]).any():
        raise ValueError("parent: a subtree is not contiguous")
    texts = page.has_tag(TEXT)
    if (~texts & (page.text >= 0)).any() or texts[page.parent[1:]].any():
        raise ValueError("text: an element has text of its own, or a text node has children")
    if (np.diff(page.attribute_node) < 0).any():
        raise ValueError("attribute_node: out of order")


def check_geometry(geometry: Geometry) -> None:
    """Check that the sizes and boxes of a layout are valid and its lines in order; raise ValueError if not."""
    sizes = np.asarray([geometry.viewport, geometry.size])
    if not (sizes >= 0).all() or not (sizes <= MAX_COORDINATE).all() or min(geometry.viewport) == 0:
        raise ValueError("viewport, size: out of range")
    if (geometry.box[:, 2:] < 0).any() or (geometry.line_box[:, 2:] < 0).any():
        raise ValueError("box: negative width or height")
    if (np.diff(geometry.line_node) < 0).any():
        raise ValueError("line_node: out of order")
