"""The layout of a page: boxes, lines and computed styles, one row a node or a line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from .arrays import BoolColumn, ColumnSchema, FloatColumn, IntColumn
from .hidden import Hidden

#: Largest coordinate in CSS pixels: capture clamps to it, so that squares of coordinates are finite.
MAX_COORDINATE = 1e9


class Position(IntEnum):
    """The computed value of the CSS property ``position``."""

    STATIC = 0
    RELATIVE = 1
    ABSOLUTE = 2
    FIXED = 3
    STICKY = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Paint:
    """Paint properties of nodes: order, and which nodes contain or scroll their descendants."""

    #: ``0xRRGGBBAA`` in which text is painted; may differ from ``color``.
    fill: Annotated[NDArray[np.uint32], ColumnSchema(np.uint32, "nodes")]
    #: Whether there is a background image or gradient.
    image: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes")]
    #: Widths of the visible border: top, right, bottom, left.
    border: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", 0, MAX_COORDINATE, width=4)]
    #: The largest border radius.
    radius: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", 0, MAX_COORDINATE)]
    #: Whether there is a box shadow.
    shadow: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes")]
    #: Whether it is the containing block of absolute and fixed descendants although it may not be positioned
    #: (transforms, filters, containment).
    holds: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes")]
    #: Whether its overflow can be scrolled, horizontally and vertically.
    scrolls: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes", width=2)]


@dataclass(frozen=True, kw_only=True, eq=False)
class Geometry:
    """The layout that the browser computed. Boxes are ``[x, y, width, height]`` in CSS pixels of the document."""

    #: Width and height of the viewport and of the whole document.
    viewport: tuple[float, float]
    size: tuple[float, float]
    #: Bounding box after transforms; NaN for nodes without layout.
    box: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", -MAX_COORDINATE, MAX_COORDINATE, width=4, gaps=True)]
    #: Nodes that are painted later have a greater number; -1 without layout.
    paint_order: Annotated[IntColumn, ColumnSchema(np.int32, "nodes", -1)]
    #: Index into :attr:`Page.names`; -1 without layout.
    display: Annotated[IntColumn, ColumnSchema(np.int32, "nodes", -1, "names")]
    #: A :class:`Position`.
    position: Annotated[NDArray[np.uint8], ColumnSchema(np.uint8, "nodes", 0, max(Position))]
    #: The node's own, 1 for texts; the effective opacity is the product over its ancestors.
    opacity: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", 0, 1)]
    #: Computed ``visibility`` is not ``visible``.
    invisible: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes")]
    #: Whether overflow is clipped, not scrolled, horizontally and vertically; by ``overflow`` or by containment.
    clips: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes", width=2)]
    #: CSS pixels; text nodes have their parent's.
    font_size: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", 0, MAX_COORDINATE)]
    font_weight: Annotated[NDArray[np.int16], ColumnSchema(np.int16, "nodes", 0, 1000)]
    #: ``0xRRGGBBAA``; alpha 0 means no background.
    color: Annotated[NDArray[np.uint32], ColumnSchema(np.uint32, "nodes")]
    background: Annotated[NDArray[np.uint32], ColumnSchema(np.uint32, "nodes")]
    #: The text node of each rendered line fragment.
    line_node: Annotated[IntColumn, ColumnSchema(np.int32, "lines", 0, "nodes")]
    #: Its box (from font ascent to descent, not the line height).
    line_box: Annotated[FloatColumn, ColumnSchema(np.float32, "lines", -MAX_COORDINATE, MAX_COORDINATE, width=4)]
    #: Its range in the text node's characters.
    line_start: Annotated[IntColumn, ColumnSchema(np.int32, "lines", 0, MAX_COORDINATE)]
    line_length: Annotated[IntColumn, ColumnSchema(np.int32, "lines", 0, MAX_COORDINATE)]
    #: A :class:`~blocksight.page.hidden.Hidden` for each text leaf.
    hidden: Annotated[NDArray[np.uint8], ColumnSchema(np.uint8, "leaves", 0, max(Hidden))]
    #: None in pages of the first file format.
    paint: Paint | None = None
