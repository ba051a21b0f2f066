"""The rectangles that a page paints, in painting order, each with an interval of colors and of opacity."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, FloatColumn, IntColumn, between, corners_of
from ...page.geometry import Geometry
from ...page.page import Page
from .clip_rects import ClipRects, PageFrame, body_of
from .computed_styles import ROUND, Styles, creates_stacking_context, is_below, outside_reach, paints_outside, rotated
from .css_values import colors_in, has_image, layers_in, pixels
from .paint_colors import (
    ANY_COLOR,
    BAND,
    IMAGES,
    blank_images,
    has_unknown_colors,
    image_interval,
    rgb_of,
    shadow_interval,
    shadow_reach,
    without_failed_images,
)

#: Fainter nodes paint nothing.
_FAINT = 0.02
#: Directions in which the corners of a box move when it grows.
_OUTWARD = np.asarray([-1.0, -1.0, 1.0, 1.0])
#: Level of the background that Chromium paints for a page with a dark color scheme.
DARK = 18.0


@dataclass(frozen=True, kw_only=True, eq=False)
class PaintLayers:
    """Painted rectangles in painting order; corners in CSS pixels of the page."""

    #: int32 (layers,): The node.
    row: IntColumn
    #: float64 (layers, 4)
    box: FloatArray
    #: int64 (layers,): Painted later is greater.
    key: NDArray[np.int64]
    #: float64 (layers, 3): The interval of colors, red, green, blue from 0 to 255.
    low: FloatArray
    high: FloatArray
    #: float64 (layers,): The interval of opacity.
    thin: FloatArray
    thick: FloatArray


@dataclass(frozen=True, slots=True)
class _Rects:
    """Rectangles of one kind: nodes (n,), corners (n, 4), and intervals (n, 8) or (8,), as ``ANY_COLOR``."""

    row: NDArray[np.integer]
    box: FloatArray
    interval: FloatArray


def paint_layers(painting: Painting) -> PaintLayers:
    """Compute the rectangles that a page paints, clipped."""
    nodes = _PaintedNodes(painting)
    rects = [rects for source in _SOURCES for rects in source(nodes)]
    row = np.concatenate([each.row for each in rects]).astype(np.int32)
    box = np.concatenate([each.box for each in rects])
    interval = np.concatenate([np.broadcast_to(each.interval, (len(each.row), 8)) for each in rects])
    clip, clips = painting.rects.index[row], painting.rects
    box = np.concatenate([np.maximum(box[:, :2], clips.low[clip]), np.minimum(box[:, 2:], clips.high[clip])], axis=1)
    low, high, opacity = interval[:, :3], interval[:, 3:6], painting.opacity[row].astype(np.float64)
    thin, thick = interval[:, 6] * opacity, interval[:, 7] * opacity
    altered = painting.altered[row]
    low[altered], high[altered], thin[altered] = 0.0, 255.0, 0.0
    key = painting.keys[row]
    order = np.argsort(key, kind="stable")
    has_area: BoolColumn = np.all(box[:, 2:] > box[:, :2], axis=1)
    order = order[has_area[order]]
    return PaintLayers(
        row=row[order], box=box[order], key=key[order], low=low[order], high=high[order], thin=thin[order],
        thick=thick[order],
    )  # fmt: skip


class _PaintedNodes:
    """The nodes that paint boxes, and their corners."""

    def __init__(self, painting: Painting) -> None:
        page, geometry = painting.page, painting.geometry
        self.painting, self.page, self.geometry, self.styles = painting, page, geometry, painting.styles
        self.failed = painting.failed_images
        #: bool (nodes,): elements that may paint their box.
        self.painted = np.isfinite(geometry.box[:, 0]) & ~geometry.invisible & (page.text < 0)
        self.painted &= (painting.opacity > _FAINT) & ~page.has_name(geometry.display, "contents")
        # The background of a canvas is not painted again for its node.
        self.painted[[canvas.row for canvas in painting.canvases if canvas.row >= 0]] = False
        self.corners = corners_of(geometry.box)
        self.inline = page.has_name(geometry.display, "inline") & ~page.has_tag(*IMAGES)

    def boxes(self, marked: BoolColumn) -> tuple[IntColumn, FloatArray]:
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


def _background_colors(nodes: _PaintedNodes) -> Iterator[_Rects]:
    geometry, styles = nodes.geometry, nodes.styles
    rows, boxes = nodes.boxes(nodes.painted & ((geometry.background & 0xFF) > 0))
    color = rgb_of(geometry.background[rows])
    alpha = (geometry.background[rows] & 0xFF) / 255.0
    partial = styles.flags("background", lambda value: "content-box" in value or "text" in value)[rows]
    rounded = np.flatnonzero((styles.paint.radius[rows] >= ROUND) & ~nodes.inline[rows])
    thin = np.where(partial, 0.0, alpha)
    thin[rounded] = 0.0
    yield _Rects(rows, boxes, np.column_stack([color, color, thin, alpha]))
    # The inner part of a rounded box is painted for certain.
    whole = rounded[~partial[rounded]]
    inner = np.asarray([styles.inset(row, geometry.box[row]) for row in rows[whole].tolist()], dtype=np.float64)
    intervals = np.column_stack([color[whole], color[whole], alpha[whole], alpha[whole]])
    yield _Rects(rows[whole], inner.reshape(-1, 4), intervals)


def _background_images(nodes: _PaintedNodes) -> Iterator[_Rects]:
    styles, failed = nodes.styles, nodes.failed
    shows_image = styles.flags("background", lambda value: has_image(without_failed_images(value, failed)))
    rows, boxes = nodes.boxes(nodes.painted & shows_image)
    intervals = styles.column(
        "background", lambda value: image_interval(without_failed_images(value, failed)), [0.0] * 8, np.float64
    )[rows]
    intervals[styles.flags("background-blend-mode", lambda value: bool(value.strip("normal, ")))[rows]] = ANY_COLOR
    yield _Rects(rows, boxes, intervals)


def _images(nodes: _PaintedNodes) -> Iterator[_Rects]:
    images = nodes.page.has_tag(*IMAGES) & ~blank_images(nodes.page, nodes.failed)
    # A frame shows the background of its document; the rest of the document has nodes of its own.
    for canvas in nodes.painting.canvases:
        if canvas.owner >= 0:
            images[canvas.owner] = False
            if canvas.row >= 0 and nodes.painted[canvas.owner]:
                owner = np.asarray([canvas.owner])
                yield _Rects(owner, nodes.corners[owner], np.concatenate([canvas.low, canvas.high, np.ones(2)]))
    rows = np.flatnonzero(nodes.painted & (images | has_unknown_colors(nodes.page, nodes.styles)))
    yield _Rects(rows, nodes.corners[rows], np.asarray(ANY_COLOR))


def _borders(nodes: _PaintedNodes) -> Iterator[_Rects]:
    border = nodes.styles.paint.border
    for row in np.flatnonzero(nodes.painted & (border >= BAND).any(axis=1)).tolist():
        colors = np.asarray(colors_in(nodes.styles.of_node(row)["border-color"]), dtype=np.uint32)
        left, top, right, bottom = nodes.corners[row].tolist()
        above, right_width, below, left_width = border[row].tolist()
        sides = np.asarray(
            [
                (left, top, right, top + above),
                (right - right_width, top, right, bottom),
                (left, bottom - below, right, bottom),
                (left, top, left + left_width, bottom),
            ]
        )[border[row] >= BAND]
        rgb, alpha = rgb_of(colors), (colors & 0xFF) / 255.0
        interval = np.concatenate([rgb.min(axis=0), rgb.max(axis=0), [alpha.min(), alpha.max()]])
        yield _Rects(np.full(len(sides), row), sides, interval)


def _shadows(nodes: _PaintedNodes, *, inset: bool) -> _Rects:
    styles = nodes.styles
    reach = styles.column("box-shadow", lambda value: shadow_reach(value, inset=inset), -1.0, np.float64)
    rows = np.flatnonzero(nodes.painted & (reach >= 0))
    intervals = styles.column("box-shadow", shadow_interval, ANY_COLOR, np.float64)[rows]
    return _Rects(rows, nodes.corners[rows] + reach[rows][:, None] * _OUTWARD, intervals.reshape(-1, 8))


def _outer_shadows(nodes: _PaintedNodes) -> Iterator[_Rects]:
    yield _shadows(nodes, inset=False)


def _inset_shadows(nodes: _PaintedNodes) -> Iterator[_Rects]:
    yield _shadows(nodes, inset=True)


def _copies(nodes: _PaintedNodes) -> Iterator[_Rects]:
    """Yield what outlines, border images, shadows of filters and reflections may paint outside of their boxes."""
    styles = nodes.styles
    for row in np.flatnonzero(nodes.painted & styles.where(paints_outside)).tolist():
        corners = nodes.corners[row]
        reach = outside_reach(styles.of_node(row), float(max(corners[2:] - corners[:2])))
        yield _Rects(np.asarray([row]), (corners + reach * _OUTWARD)[None], np.asarray(ANY_COLOR))


def _text_shadows(nodes: _PaintedNodes) -> Iterator[_Rects]:
    """Yield the rectangles of broad outlines of letters, and of shadows that are not next to their letters."""
    geometry, styles = nodes.geometry, nodes.styles
    stroke = styles.pixels("-webkit-text-stroke-width")
    has_shadow = styles.flags("text-shadow", lambda value: value not in ("none", ""))
    painted = (nodes.page.text >= 0) & ~geometry.invisible & (nodes.painting.opacity > _FAINT)
    for line in np.flatnonzero((painted & ((stroke >= 2 * BAND) | has_shadow))[geometry.line_node]).tolist():
        row = int(geometry.line_node[line])
        width, height = geometry.line_box[line, 2:].tolist()
        shadows = [
            [*pixels(shadow), 0.0, 0.0, 0.0][:3] for shadow in layers_in(styles.of_node(row).get("text-shadow", ""))
        ]
        far = [(x, y, by) for x, y, by in shadows if abs(x) >= width / 2 or abs(y) >= height / 2 or by >= height]
        # A shadow near its letters is read with them.
        around = np.asarray([*far, *([(0.0, 0.0, stroke[row] / 2)] if stroke[row] >= 2 * BAND else [])]).reshape(-1, 3)
        corners = corners_of(geometry.line_box[[line]]) + np.tile(around[:, :2], 2) + around[:, 2:] * _OUTWARD
        yield _Rects(np.full(len(around), row), corners, np.asarray(ANY_COLOR))


#: In the order in which they are painted for one node: shadows outside of a box are below its background.
_SOURCES: tuple[Callable[[_PaintedNodes], Iterator[_Rects]], ...] = (
    _outer_shadows,
    _background_colors,
    _background_images,
    _images,
    _inset_shadows,
    _borders,
    _copies,
    _text_shadows,
)


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
    #: Those of them whose letters have colors of their own.
    colored_fonts: frozenset[str] = frozenset()
    #: Addresses of images that failed to load, without fragments.
    failed_images: frozenset[str] = frozenset()
    #: The number of closed details whose content no style sheet shows.
    hiding_details: int = 0


NO_FACTS = PaintFacts()


@dataclass(frozen=True, kw_only=True, eq=False)
class Canvas:
    """The background of a document: the interval of its color, and the node that it belongs to.

    ``row`` is -1 for a transparent document; ``owner`` is the frame element, -1 for the page's own document.
    """

    low: FloatArray
    high: FloatArray
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
    failed_images: frozenset[str] = frozenset()

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (nodes,): it may be painted in other colors or at another place, or not at all."""
        return self.page.below(self.styles.altered | self.styles.where(rotated))

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """int64 (nodes,): painted later is greater; within one layer in document order.

        The browser numbers layers with negative stack levels as if they came after their parent; they are painted right
        after the background of the stacking context around them (CSS 2, appendix E).
        """
        page, styles = self.page, self.styles
        size = len(page)
        plain = self.geometry.paint_order.astype(np.int64) * size + np.arange(size)
        below = np.flatnonzero(styles.where(is_below))
        keys = plain * (size + 1)
        contexts = page.nearest(styles.where(creates_stacking_context)) if len(below) else np.zeros(0, dtype=np.int32)
        for row in below.tolist():
            parent = int(page.parent[row])
            context = int(contexts[parent]) if parent >= 0 else -1
            inside = np.arange(row, page.end[row])
            rank = np.argsort(np.argsort(plain[inside], kind="stable"))
            base = keys[context] if context >= 0 else -size - 1
            keys[inside] = base + 1 + np.minimum(rank, size - 1)
        return keys

    @cached_property
    def canvases(self) -> list[Canvas]:
        """The background of each document."""
        return [self.canvas_of(frame) for frame in self.frames]

    def canvas_of(self, frame: PageFrame) -> Canvas:
        """Return the background of a document (CSS Backgrounds 3, section 2.11.2)."""
        styles = self.styles
        for row in (frame.row, body_of(self.page, frame.row)):
            if row < 0:
                continue
            color = int(self.geometry.background[row])
            background = styles.of_node(row).get("background", "none")
            image = has_image(without_failed_images(background, self.failed_images))
            if not (color & 0xFF or image):
                continue
            # The background of a contained root is not that of the canvas.
            contained = styles.of_node(frame.row).get("contain", "none") != "none" or styles.holds[frame.row]
            interval = [0.0] * 3 + [255.0] * 3
            if not contained:
                shown = without_failed_images(background, self.failed_images) if image else "none"
                interval = self._canvas_interval(frame, row, color, shown)
            return Canvas(low=np.asarray(interval[:3]), high=np.asarray(interval[3:]), row=row, owner=frame.owner)
        dark = self._is_dark(frame.row)
        base = np.full(3, DARK if dark else 255.0)
        # A frame with another color scheme than the page around it is not transparent.
        opaque = frame.owner >= 0 and dark != self._is_dark(frame.owner)
        return Canvas(low=base, high=base, row=frame.row if opaque else -1, owner=frame.owner)

    def _canvas_interval(self, frame: PageFrame, row: int, color: int, images: str) -> list[float]:
        """Return the lowest and the highest red, green and blue of a canvas with a color and images."""
        blended = self.styles.of_node(row).get("background-blend-mode", "normal").strip("normal, ")
        if color & 0xFF == 0xFF:
            base = rgb_of(np.asarray([color], dtype=np.uint32))[0]
        elif color & 0xFF or frame.owner >= 0:
            return ANY_COLOR[:6]
        else:
            base = np.full(3, DARK if self._is_dark(frame.row) else 255.0)
        if blended:
            return ANY_COLOR[:6]
        *bounds, thin, thick = image_interval(images)
        mixed = [
            base * (1 - alpha) + np.asarray(bounds[at : at + 3]) * alpha for alpha in (thin, thick) for at in (0, 3)
        ]
        return [*np.min(mixed, axis=0).tolist(), *np.max(mixed, axis=0).tolist()]

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
