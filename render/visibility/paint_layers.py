"""The rectangles that a page paints, in painting order: plain grounds, and what only a picture shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, FloatColumn, IntColumn, between, corners_of
from ...page.geometry import Geometry
from ...page.page import Page
from .clip_rects import ClipRects, PageFrame, body_of
from .computed_styles import ROUND, Styles, line_thickness, outer_reach, rotated
from .css_values import layers_in, pixels

#: Fainter nodes paint nothing.
FAINT = 0.02
#: Narrower borders and shadows are lines, no backgrounds.
BAND = 4.0
#: Directions in which the corners of a box move when it grows.
_OUTWARD = np.asarray([-1.0, -1.0, 1.0, 1.0])
#: Level of the background that Chromium paints for a page with a dark color scheme.
DARK = 18.0
#: Elements with content of their own, which only a picture shows.
IMAGES = tuple("img video canvas svg object embed iframe frame image audio meter progress".split())
#: Types of input that are painted with more than their styles.
_DRAWN_INPUTS = frozenset("image checkbox radio range color file".split())
#: No line is in it.
_NOWHERE = (np.inf, np.inf, -np.inf, -np.inf)


@dataclass(frozen=True, kw_only=True, eq=False)
class PaintLayers:
    """Painted rectangles in painting order; corners in CSS pixels of the page."""

    #: int32 (layers,): The node.
    row: IntColumn
    #: int64 (layers,): Painted later is greater.
    key: NDArray[np.int64]
    #: float64 (layers, 4)
    box: FloatArray
    #: float64 (layers, 4): Of a plain layer the part that is painted for certain, of others a part that is not.
    part: FloatArray
    #: float64 (layers, 3): Red, green and blue from 0 to 255 of a plain layer; NaN if only a picture shows the colors.
    color: FloatArray
    #: float64 (layers,): Opacity, 0 to 1; of layers that are not plain the greatest.
    alpha: FloatArray


def rgb_of(colors: NDArray[np.uint32]) -> FloatArray:
    """Return red, green and blue from 0 to 255, float64 (colors, 3)."""
    rgb: FloatArray = np.stack([colors >> 24, colors >> 16 & 0xFF, colors >> 8 & 0xFF], axis=1).astype(np.float64)
    return rgb


def paint_layers(painting: Painting) -> PaintLayers:
    """Compute the rectangles that a page paints, clipped."""
    nodes = _PaintedNodes(painting)
    parts = [nodes.grounds(), nodes.frames(), nodes.drawn(), nodes.edges(), nodes.letters()]
    row, box, part, color, alpha = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    row = row.astype(np.int32)
    clip, clips = painting.rects.index[row], painting.rects
    box = np.concatenate([np.maximum(box[:, :2], clips.low[clip]), np.minimum(box[:, 2:], clips.high[clip])], axis=1)
    key = painting.keys[row]
    order = np.argsort(key, kind="stable")
    has_area: BoolColumn = np.all(box[:, 2:] > box[:, :2], axis=1)
    order = order[has_area[order]]
    alpha = alpha * painting.opacity[row]
    return PaintLayers(
        row=row[order], key=key[order], box=box[order], part=part[order], color=color[order], alpha=alpha[order]
    )


#: Nodes (n,), their corners and parts (n, 4), color (n, 3) and opacity (n,), as in :class:`PaintLayers`.
_Layers = tuple[NDArray[np.integer], FloatArray, FloatArray, FloatArray, FloatArray]


def _unknown(row: NDArray[np.integer], box: FloatArray, hole: FloatArray | None = None) -> _Layers:
    """Return layers of any color."""
    count = len(row)
    hole = np.tile(_NOWHERE, (count, 1)) if hole is None else hole
    return row, box.reshape(-1, 4), hole, np.full((count, 3), np.nan), np.ones(count)


class _PaintedNodes:
    """The nodes that paint boxes, and their corners."""

    def __init__(self, painting: Painting) -> None:
        page, geometry = painting.page, painting.geometry
        self.painting, self.page, self.geometry, self.styles = painting, page, geometry, painting.styles
        #: bool (nodes,): elements that may paint their box.
        self.painted = np.isfinite(geometry.box[:, 0]) & ~geometry.invisible & (page.text < 0)
        self.painted &= (painting.opacity > FAINT) & ~page.has_name(geometry.display, "contents")
        # The background of a canvas is not painted again for its node.
        self.painted[[canvas.row for canvas in painting.canvases if canvas.row >= 0]] = False
        self.corners = corners_of(geometry.box)
        self.inline = page.has_name(geometry.display, "inline") & ~page.has_tag(*IMAGES)
        self.colored = (geometry.background & 0xFF) > 0
        #: bool (nodes,): the background is more, or less, than the color in all of the box.
        self.has_image = self.styles.paint.image
        self.odd = self.has_image | self.styles.flags(
            "background", lambda value: "content-box" in value or "text" in value
        )
        self.odd |= painting.altered

    def _boxes(self, marked: BoolColumn) -> tuple[IntColumn, FloatArray]:
        """Return the rectangles of nodes: for inline ones, which are broken into lines, those of their text."""
        rows = np.flatnonzero(marked)
        whole = rows[~self.inline[rows]]
        found_rows, found_boxes = [whole], [self.corners[whole]]
        for row in rows[self.inline[rows]].tolist():
            first, last = between(self.geometry.line_node, row, int(self.page.end[row]))
            boxes = corners_of(self.geometry.line_box[first:last]) if last > first else self.corners[[row]]
            found_rows.append(np.full(len(boxes), row))
            found_boxes.append(boxes)
        return np.concatenate(found_rows).astype(np.int32), np.concatenate(found_boxes)

    def grounds(self) -> _Layers:
        """Return the plain background colors; round corners may leave out what is near them."""
        rows, boxes = self._boxes(self.painted & self.colored & ~self.odd)
        parts, color = boxes.copy(), self.geometry.background[rows]
        rounded = np.flatnonzero((self.styles.paint.radius[rows] >= ROUND) & ~self.inline[rows])
        for number in rounded.tolist():
            parts[number] = self.styles.inset(rows[number], self.geometry.box[rows[number]])
        return rows, boxes, parts, rgb_of(color), (color & 0xFF) / 255.0

    def frames(self) -> _Layers:
        """Return the backgrounds of documents in frames; the rest of a document has nodes of its own."""
        shown = [each for each in self.painting.canvases if each.owner >= 0 and each.row >= 0]
        shown = [each for each in shown if self.painted[each.owner]]
        rows = np.asarray([each.owner for each in shown], dtype=np.int32)
        colors = np.asarray([each.color for each in shown]).reshape(-1, 3)
        return rows, self.corners[rows], self.corners[rows], colors, np.ones(len(rows))

    def drawn(self) -> _Layers:
        """Return what is painted by more than a color: images, gradients, controls."""
        page, styles = self.page, self.styles
        images = page.has_tag(*IMAGES).copy()
        images[[canvas.owner for canvas in self.painting.canvases if canvas.owner >= 0]] = False
        drawn = (
            images
            | self._drawn_inputs()
            # Lines of formulas and between columns may be as broad as text is high.
            | (page.has_tag("mfrac") & (page.attribute("linethickness") >= 0))
            | (styles.pixels("column-rule-width") >= BAND)
            | (styles.pixels("row-rule-width") >= BAND)
            | styles.where(lambda row: row["backdrop-filter"] != "none" or "url(" in row["content"])
            | (self.odd & (self.colored | self.has_image))
        )
        return _unknown(*self._boxes(self.painted & drawn))

    def edges(self) -> _Layers:
        """Return broad borders, shadows and outlines, around what they leave free."""
        styles = self.styles
        outside = np.asarray([outer_reach(row) if row else 0.0 for row in styles.rows])[styles.row]
        inside = styles.column("box-shadow", _inset_reach, 0.0, np.float64)
        inside = np.maximum(inside, styles.paint.border.max(axis=1, initial=0.0))
        mirrored = styles.flags("-webkit-box-reflect", "none".__ne__)
        # An outline may lie over the box.
        outlined = styles.flags("outline-style", "none".__ne__) & (styles.pixels("outline-width") >= BAND)
        inside[outlined | styles.flags("border-image-source", "none".__ne__)] = np.inf
        rows = np.flatnonzero(self.painted & ((outside >= BAND) | (inside >= BAND) | mirrored))
        size = (self.corners[rows, 2:] - self.corners[rows, :2]).max(axis=1, initial=0.0)
        reach = np.where(mirrored[rows], size, outside[rows])
        inner = np.where(inside >= BAND, inside, 0.0)[rows]
        boxes = self.corners[rows]
        return _unknown(rows, boxes + reach[:, None] * _OUTWARD, boxes - inner[:, None] * _OUTWARD)

    def letters(self) -> _Layers:
        """Return lines of texts with broad outlines, broad lines under them, or shadows far from them."""
        geometry, styles = self.geometry, self.styles
        reach = np.asarray([_letter_reach(row) if row else 0.0 for row in styles.rows])[styles.row]
        # A line under or through a text is that of an element around it.
        for row in np.flatnonzero(reach >= BAND).tolist():
            reach[row : self.page.end[row]] = np.maximum(reach[row : self.page.end[row]], reach[row])
        painted = (self.page.text >= 0) & ~geometry.invisible & (self.painting.opacity > FAINT)
        lines = np.flatnonzero((painted & (reach >= BAND))[geometry.line_node])
        rows = geometry.line_node[lines]
        boxes = corners_of(geometry.line_box[lines]).reshape(-1, 4)
        return _unknown(rows, boxes + reach[rows][:, None] * _OUTWARD)

    def _drawn_inputs(self) -> BoolColumn:
        page, types = self.page, self.page.attribute("type")
        found = np.zeros(len(page), dtype=bool)
        rows = np.flatnonzero(page.has_tag("input") & (types >= 0))
        found[rows] = [page.strings[types[row]].strip().lower() in _DRAWN_INPUTS for row in rows.tolist()]
        return found


def _inset_reach(box_shadow: str) -> float:
    """Return how far inset shadows reach into a box, in CSS pixels."""
    return max((sum(map(abs, pixels(shadow))) for shadow in layers_in(box_shadow) if "inset" in shadow), default=0.0)


def _letter_reach(row: dict[str, str]) -> float:
    """Return how far from its line a text may paint broadly, in CSS pixels; 0 for less than two bands."""
    shadows = ([*pixels(shadow), 0.0, 0.0, 0.0][:3] for shadow in layers_in(row["text-shadow"]))
    reach = max(max(abs(right), abs(down)) + blur for right, down, blur in shadows)
    reach = max(reach, line_thickness(row), *pixels(row["-webkit-text-stroke-width"]))
    return reach if reach >= 2 * BAND else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PaintFacts:
    """Facts about painting that computed styles do not contain."""

    #: First lines may have a style of their own.
    first_lines: bool = False
    #: Text is selected, or highlighted by a script.
    repainted: bool = False
    #: An open dialog has an opaque backdrop.
    backdrop: bool = False
    #: Lower-case names of the fonts that the page has loaded.
    web_fonts: frozenset[str] = frozenset()
    #: The number of closed details whose content no style sheet shows.
    hiding_details: int = 0


NO_FACTS = PaintFacts()


@dataclass(frozen=True, kw_only=True, eq=False)
class Canvas:
    """The background of a document: its color, NaN if only a picture shows it, and the node that it belongs to.

    ``row`` is -1 for a transparent document; ``owner`` is the frame element, -1 for the page's own document.
    """

    color: FloatArray
    row: int
    owner: int


@dataclass(frozen=True, kw_only=True, eq=False)
class Painting:
    """Inputs of the paint order."""

    page: Page
    geometry: Geometry
    styles: Styles
    rects: ClipRects
    frames: Sequence[PageFrame]
    #: float32 (nodes,): With that of the ancestors.
    opacity: FloatColumn

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (nodes,): it may be painted in other colors or at another place, or not at all, or below the rest."""
        sunk = self.styles.flags("z-index", lambda value: value.startswith("-"))
        return self.page.below(self.styles.altered | self.styles.where(rotated) | sunk)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """int64 (nodes,): painted later is greater; within one layer in document order."""
        size = len(self.page)
        return self.geometry.paint_order.astype(np.int64) * size + np.arange(size)

    @cached_property
    def canvases(self) -> list[Canvas]:
        """The background of each document."""
        return [self.canvas_of(frame) for frame in self.frames]

    def canvas_of(self, frame: PageFrame) -> Canvas:
        """Return the background of a document (CSS Backgrounds 3, section 2.11.2)."""
        styles, dark = self.styles, self._is_dark(frame.row)
        base = np.full(3, DARK if dark else 255.0)
        for row in (frame.row, body_of(self.page, frame.row)):
            if row < 0:
                continue
            color = int(self.geometry.background[row])
            image = bool(styles.paint.image[row])
            if not (color & 0xFF or image):
                continue
            # The background of a contained root is not that of the canvas.
            contained = styles.of_node(frame.row).get("contain", "none") != "none" or styles.holds[frame.row]
            rgb = rgb_of(np.asarray([color], dtype=np.uint32))[0]
            is_plain = not (contained or image) and color & 0xFF == 0xFF
            return Canvas(color=rgb if is_plain else np.full(3, np.nan), row=row, owner=frame.owner)
        # A frame with another color scheme than the page around it is not transparent.
        opaque = frame.owner >= 0 and dark != self._is_dark(frame.owner)
        return Canvas(color=base, row=frame.row if opaque else -1, owner=frame.owner)

    def _is_dark(self, row: int) -> bool:
        """Return whether a node has a dark color scheme, by its style or, for a root, by a meta element."""
        page = self.page
        scheme = self.styles.of_node(row).get("color-scheme", "normal").split()
        if scheme == ["normal"] and page.tag_of(row) == "html":
            for meta in (np.flatnonzero(page.has_tag("meta")[row : page.end[row]]) + row).tolist():
                attributes = page.attributes_of(meta)
                if attributes.get("name", "").strip().lower() == "color-scheme":
                    scheme = attributes.get("content", "").lower().split()
        return "dark" in scheme and "light" not in scheme
