"""The rectangles that a page paints, in painting order: plain colors, and what only a picture shows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn, between, corners_of
from ...page.geometry import Position
from .clip_rects import body_of
from .clipping import LineClips
from .computed_styles import ROUND, inset_reach, letter_reach, outer_reach, rotated

#: Fainter nodes paint nothing.
FAINT = 0.02
#: Narrower borders and shadows are lines, no backgrounds.
BAND = 4.0
#: A layer of at least this opacity may be a cover, of this share of a line or more.
VEIL, MOST = 0.25, 0.5
#: What stays in the window and has at least this share of its height is behind, or over, all of the document.
TALL = 0.6
#: Directions in which the corners of a box move when it grows.
_OUTWARD = np.asarray([-1.0, -1.0, 1.0, 1.0])
#: Elements with content of their own, which only a picture shows.
IMAGES = tuple("img video canvas svg object embed iframe frame image audio meter progress".split())
#: Types of input that are painted with more than their styles.
_DRAWN_INPUTS = frozenset("image checkbox radio range color file".split())


@dataclass(frozen=True, kw_only=True, eq=False)
class PaintLayers:
    """Painted rectangles in painting order; corners in CSS pixels of the page."""

    #: int32 (layers,): The node.
    row: IntColumn
    #: int64 (layers,): Painted later is greater.
    key: NDArray[np.int64]
    #: float64 (layers, 4): Where it lies; of what stays in a window, where it may lie.
    box: FloatArray
    #: float64 (layers, 4): Of a plain layer the part that is painted for certain, of others a part that is not.
    part: FloatArray
    #: float64 (layers, 3): Red, green and blue from 0 to 255 of a plain layer; NaN if only a picture shows the colors.
    color: FloatArray
    #: float64 (layers,): Opacity, 0 to 1; of layers that are not plain the greatest.
    alpha: FloatArray
    #: int32 (layers,): What it scrolls together with.
    surface: IntColumn
    #: bool (layers,): Whether it stays in the window.
    fixed: BoolColumn


def rgb_of(colors: NDArray[np.uint32]) -> FloatArray:
    """Return red, green and blue from 0 to 255, float64 (colors, 3)."""
    rgb: FloatArray = np.stack([colors >> 24, colors >> 16 & 0xFF, colors >> 8 & 0xFF], axis=1).astype(np.float64)
    return rgb


@dataclass(frozen=True, eq=False)
class Painting:
    """Paint of a page in its order; the lines are those of ``clips``."""

    clips: LineClips

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (nodes,): it may be painted in other colors or at another place, or not at all, or below the rest."""
        styles = self.clips.styles
        sunk = styles.flags("z-index", lambda value: value.startswith("-"))
        return self.clips.page.below(styles.altered | styles.where(rotated) | sunk)

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """int64 (nodes,): painted later is greater; within one layer in document order."""
        size = len(self.clips.page)
        return self.clips.geometry.paint_order.astype(np.int64) * size + np.arange(size)

    @cached_property
    def letter_reach(self) -> FloatArray:
        """float64 (nodes,): how far from its lines a text paints broadly: outlines, lines under it, shadows."""
        page, styles = self.clips.page, self.clips.styles
        reach = np.asarray([letter_reach(row) if row else 0.0 for row in styles.rows])
        reach = np.where(reach >= 2 * BAND, reach, 0.0)[styles.row]
        # A line under or through a text is that of an element around it.
        for row in np.flatnonzero(reach).tolist():
            reach[row : page.end[row]] = np.maximum(reach[row : page.end[row]], reach[row])
        return reach

    def canvas(self, number: int) -> tuple[FloatArray, int]:
        """Return the background of a document: its color, NaN if only a picture shows it, and the node that has it.

        The node is -1 for a transparent document (CSS Backgrounds 3, section 2.11.2).
        """
        page, geometry, styles = self.clips.page, self.clips.geometry, self.clips.styles
        frame, unknown = self.clips.frames[number], np.full(3, np.nan)
        for row in (frame.row, body_of(page, frame.row)):
            color, image = int(geometry.background[row]), bool(styles.paint.image[row])
            if row >= 0 and (color & 0xFF or image):
                # The background of a contained root is not that of the canvas.
                contained = styles.of_node(frame.row).get("contain", "none") != "none" or styles.holds[frame.row]
                is_plain = not (contained or image) and color & 0xFF == 0xFF
                return rgb_of(np.asarray([color], dtype=np.uint32))[0] if is_plain else unknown, row
        # A frame with another color scheme than the page around it is not transparent.
        dark = self._is_dark(frame.row)
        opaque = frame.owner >= 0 and dark != self._is_dark(frame.owner)
        return unknown if dark else np.full(3, 255.0), frame.row if opaque else -1

    def _is_dark(self, row: int) -> bool:
        """Return whether a node has a dark color scheme, by its style or, for a root, by a meta element."""
        page = self.clips.page
        scheme = self.clips.styles.of_node(row).get("color-scheme", "normal").split()
        if scheme == ["normal"] and page.tag_of(row) == "html":
            for meta in (np.flatnonzero(page.has_tag("meta")[row : page.end[row]]) + row).tolist():
                attributes = page.attributes_of(meta)
                if attributes.get("name", "").strip().lower() == "color-scheme":
                    scheme = attributes.get("content", "").lower().split()
        return "dark" in scheme and "light" not in scheme

    @cached_property
    def layers(self) -> PaintLayers:
        """The painted rectangles, clipped: boxes with what is in their edges and around them."""
        clips, geometry, styles, page = self.clips, self.clips.geometry, self.clips.styles, self.clips.page
        color, alpha, painted = self._colors()
        outer, inner = self._reaches()
        drawn = np.isnan(color[:, 0])
        color[(alpha == 0) & ((outer > 0) | (inner > 0))] = np.nan
        alpha = np.where(np.isnan(color[:, 0]), 1.0, alpha) * clips.opacity
        inline = page.has_name(geometry.display, "inline") & ~page.has_tag(*IMAGES)
        row, own = _boxes(clips, painted & (alpha > FAINT), inline)
        part = own - inner[row][:, None] * _OUTWARD
        for number in np.flatnonzero((styles.paint.radius[row] >= ROUND) & ~inline[row]).tolist():
            corner = np.asarray(styles.inset(row[number], geometry.box[row[number]]))
            part[number] = np.where(_OUTWARD < 0, np.maximum(part[number], corner), np.minimum(part[number], corner))
        # What is drawn leaves nothing free.
        part[drawn[row]] = (np.inf, np.inf, -np.inf, -np.inf)
        rects, clip = clips.rects, clips.rects.index[row]
        box = own + outer[row][:, None] * _OUTWARD
        box[:, :2], box[:, 2:] = np.maximum(box[:, :2], rects.low[clip]), np.minimum(box[:, 2:], rects.high[clip])
        scroller, fixed = rects.scroller[clip], rects.fixed[clip]
        windows = np.asarray([(*frame.window, *frame.content) for frame in clips.frames])[rects.frame[clip]]
        height = windows[:, 3] - windows[:, 1]
        tall = box[:, 3] - box[:, 1] >= TALL * np.where(scroller >= 0, geometry.box[scroller, 3], height)
        stays = fixed | (geometry.position == Position.STICKY)[row]
        # How far a box scrolls is not known.
        anywhere = stays & (tall | (fixed & (scroller >= 0)))
        for corners in (box, part):
            corners[anywhere & (corners[:, 0] <= corners[:, 2]), 1::2] = -np.inf, np.inf
        # Over lines that cannot be scrolled out of it: it is there at the start of the document, and at its end.
        bars = np.flatnonzero(fixed & ~anywhere)
        end = np.maximum(windows[bars, 5] - height[bars], 0.0)[:, None] * [0.0, 1.0, 0.0, 1.0]
        box, part = np.concatenate([box, box[bars] + end]), np.concatenate([part, part[bars] + end])
        repeated = np.concatenate([np.arange(len(row)), bars])
        row, clip = row[repeated], clip[repeated]
        order = np.argsort(self.keys[row], kind="stable")
        order = order[np.all(box[:, 2:] > box[:, :2], axis=1)[order]]
        columns = {
            "row": row, "key": self.keys[row], "box": box, "part": part, "color": color[row], "alpha": alpha[row],
            "surface": rects.surface[clip], "fixed": rects.fixed[clip],
        }  # fmt: skip
        return PaintLayers(**{name: np.asarray(column)[order] for name, column in columns.items()})

    def _colors(self) -> tuple[FloatArray, FloatArray, BoolColumn]:
        """Return color (nodes, 3) and alpha (nodes,) of nodes, NaN and 1 for what is drawn, and what is painted."""
        page, geometry, styles = self.clips.page, self.clips.geometry, self.clips.styles
        painted = np.isfinite(geometry.box[:, 0]) & ~geometry.invisible & (page.text < 0)
        painted &= ~page.has_name(geometry.display, "contents")
        color, alpha = rgb_of(geometry.background), (geometry.background & 0xFF) / 255.0
        image = styles.paint.image
        odd = styles.flags("background", lambda value: "content-box" in value or "text" in value) | self.altered
        images = page.has_tag(*IMAGES).copy()
        images[[frame.owner for frame in self.clips.frames if frame.owner >= 0]] = False
        drawn = images | image | (odd & (alpha > 0))
        for row in np.flatnonzero(page.has_tag("input")).tolist():
            drawn[row] |= page.attributes_of(row).get("type", "").strip().lower() in _DRAWN_INPUTS
        # Lines of formulas and between columns may be as broad as text is high.
        drawn |= page.has_tag("mfrac") & (page.attribute("linethickness") >= 0)
        drawn |= (styles.pixels("column-rule-width") >= BAND) | (styles.pixels("row-rule-width") >= BAND)
        drawn |= styles.where(lambda row: row["backdrop-filter"] != "none" or "url(" in row["content"])
        color[drawn], alpha[drawn] = np.nan, 1.0
        for index, frame in enumerate(self.clips.frames):
            canvas, row = self.canvas(index)
            if row >= 0:
                # It is not painted again for its node.
                painted[row] = False
                if frame.owner >= 0:
                    color[frame.owner], alpha[frame.owner] = canvas, 1.0
        return color, alpha, painted

    def _reaches(self) -> tuple[FloatArray, FloatArray]:
        """Return how far nodes paint around their boxes, and inside of their edges, float64 (nodes,); 0 for a line."""
        geometry, styles = self.clips.geometry, self.clips.styles
        outer = np.asarray([outer_reach(row) if row else 0.0 for row in styles.rows])[styles.row]
        inner = styles.column("box-shadow", inset_reach, 0.0, np.float64)
        inner = np.maximum(inner, styles.paint.border.max(axis=1, initial=0.0))
        mirrored = styles.flags("-webkit-box-reflect", "none".__ne__)
        outer[mirrored] = geometry.box[mirrored, 2:].max(axis=1, initial=0.0)
        # An outline may lie over the box.
        outlined = styles.flags("outline-style", "none".__ne__) & (styles.pixels("outline-width") >= BAND)
        inner[outlined | styles.flags("border-image-source", "none".__ne__)] = np.inf
        return np.where(outer >= BAND, outer, 0.0), np.where(inner >= BAND, inner, 0.0)


def _boxes(clips: LineClips, marked: BoolColumn, inline: BoolColumn) -> tuple[IntColumn, FloatArray]:
    """Return the rectangles of nodes: for inline ones, which are broken into lines, those of their text."""
    page, geometry = clips.page, clips.geometry
    whole = np.flatnonzero(marked & ~inline)
    rows, boxes = [whole], [corners_of(geometry.box[whole])]
    for row in np.flatnonzero(marked & inline).tolist():
        first, last = between(geometry.line_node, row, int(page.end[row]))
        of_row = geometry.line_box[first:last] if last > first else geometry.box[[row]]
        rows.append(np.full(len(of_row), row))
        boxes.append(corners_of(of_row))
    return np.concatenate(rows).astype(np.int32), np.concatenate(boxes)
