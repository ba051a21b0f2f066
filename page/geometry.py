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
    """Paint properties of nodes: order, and which nodes contain or scroll their descendants.

    Attributes
    ----------
    fill : uint32 (nodes,)
        ``0xRRGGBBAA`` in which text is painted; may differ from ``color``.
    image : bool (nodes,)
        Whether there is a background image or gradient.
    border : float32 (nodes, 4)
        Widths of the visible border: top, right, bottom, left.
    radius : float32 (nodes,)
        The largest border radius.
    shadow : bool (nodes,)
        Whether there is a box shadow.
    holds : bool (nodes,)
        Whether it is the containing block of absolute and fixed descendants although it may not be positioned
        (transforms, filters, containment).
    scrolls : bool (nodes, 2)
        Whether its overflow can be scrolled, horizontally and vertically.
    """

    fill: Annotated[NDArray[np.uint32], ColumnSchema(np.uint32, "nodes")]
    image: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes")]
    border: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", 0, MAX_COORDINATE, width=4)]
    radius: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", 0, MAX_COORDINATE)]
    shadow: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes")]
    holds: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes")]
    scrolls: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes", width=2)]


@dataclass(frozen=True, kw_only=True, eq=False)
class Geometry:
    """The layout that the browser computed. Boxes are ``[x, y, width, height]`` in CSS pixels of the document.

    Attributes
    ----------
    viewport, size : tuple of float
        Width and height of the viewport and of the whole document.
    box : float32 (nodes, 4)
        Bounding box after transforms; NaN for nodes without layout.
    paint_order : int32 (nodes,)
        Nodes that are painted later have a greater number; -1 without layout.
    display : int32 (nodes,)
        Index into :attr:`Page.names`; -1 without layout.
    position : uint8 (nodes,)
        A :class:`Position`.
    opacity : float32 (nodes,)
        The node's own, 1 for texts; the effective opacity is the product over its ancestors.
    invisible : bool (nodes,)
        Computed ``visibility`` is not ``visible``.
    clips : bool (nodes, 2)
        Whether overflow is clipped, not scrolled, horizontally and vertically; by ``overflow`` or by containment.
    font_size : float32 (nodes,)
        CSS pixels; text nodes have their parent's.
    font_weight : int16 (nodes,)
        1 to 1000.
    color, background : uint32 (nodes,)
        ``0xRRGGBBAA``; alpha 0 means no background.
    line_node : int32 (lines,)
        The text node of each rendered line fragment.
    line_box : float32 (lines, 4)
        Its box (from font ascent to descent, not the line height).
    line_start, line_length : int32 (lines,)
        Its range in the text node's characters.
    hidden : uint8 (leaves,)
        A :class:`~blocksight.page.hidden.Hidden` for each text leaf.
    paint : Paint, optional
        None in pages of the first file format.
    """

    viewport: tuple[float, float]
    size: tuple[float, float]
    box: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", -MAX_COORDINATE, MAX_COORDINATE, width=4, gaps=True)]
    paint_order: Annotated[IntColumn, ColumnSchema(np.int32, "nodes", -1)]
    display: Annotated[IntColumn, ColumnSchema(np.int32, "nodes", -1, "names")]
    position: Annotated[NDArray[np.uint8], ColumnSchema(np.uint8, "nodes", 0, max(Position))]
    opacity: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", 0, 1)]
    invisible: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes")]
    clips: Annotated[BoolColumn, ColumnSchema(np.bool_, "nodes", width=2)]
    font_size: Annotated[FloatColumn, ColumnSchema(np.float32, "nodes", 0, MAX_COORDINATE)]
    font_weight: Annotated[NDArray[np.int16], ColumnSchema(np.int16, "nodes", 0, 1000)]
    color: Annotated[NDArray[np.uint32], ColumnSchema(np.uint32, "nodes")]
    background: Annotated[NDArray[np.uint32], ColumnSchema(np.uint32, "nodes")]
    line_node: Annotated[IntColumn, ColumnSchema(np.int32, "lines", 0, "nodes")]
    line_box: Annotated[FloatColumn, ColumnSchema(np.float32, "lines", -MAX_COORDINATE, MAX_COORDINATE, width=4)]
    line_start: Annotated[IntColumn, ColumnSchema(np.int32, "lines", 0, MAX_COORDINATE)]
    line_length: Annotated[IntColumn, ColumnSchema(np.int32, "lines", 0, MAX_COORDINATE)]
    hidden: Annotated[NDArray[np.uint8], ColumnSchema(np.uint8, "leaves", 0, max(Hidden))]
    paint: Paint | None = None
