"""What a page paints, as rectangles in the browser's order, each with an interval of colours and of opacity.

Of a plain background both intervals are a point; of a gradient they are what its stops leave open; a picture may have
all colours and none.
"""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, FloatColumn, IntColumn, between
from ...page.geometry import Geometry
from ...page.html import SHOWN_SOURCE
from ...page.page import Page
from .clip_rects import ClipRects, PageFrame, body_of
from .computed_styles import ROUND, Styles
from .css_values import colors_in, is_all_over, is_pictured, layers_in, pictures_in, pixels

#: Narrower borders and shadows are lines, not grounds.
BAND = 4.0
#: Elements that show something of their own, which only a picture knows.
PICTURES = (
    "img",
    "video",
    "canvas",
    "svg",
    "object",
    "embed",
    "iframe",
    "frame",
    "image",
    "audio",
    "meter",
    "progress",
)
#: Kinds of input that paint something which their styles do not tell.
_DRAWN_INPUTS = frozenset("image checkbox radio range color file".split())
#: What Chromium paints where a page that wants to be dark paints nothing.
DARK = 18.0
_FAINT = 0.02
#: Of what height the bars of formulas are, in ems, and what a fraction may say of its own and have a usual one.
_BAR, _USUAL_BARS = 0.07, frozenset(("", "0", "0px", "thin", "medium", "1px", "2px"))
_ADDRESS = re.compile(r'url\("([^"\\]*)"\)')
_NONE: frozenset[str] = frozenset()
#: Pictures of one pixel are written in no more characters than this.
_LONGEST_PIXEL = 200


@dataclass(frozen=True, kw_only=True, eq=False)
class Canvas:
    """What the root of a document paints everywhere: the bounds of its colour, and whose background it is.

    ``row`` is -1 where the root paints nothing and lets through what lies behind the document; ``owner`` is the element
    that shows the document, -1 for the page's own.
    """

    low: FloatArray
    high: FloatArray
    row: int
    owner: int


@dataclass(frozen=True, kw_only=True, eq=False)
class PaintLayers:
    """Painted rectangles in the order in which they are painted; positions are corners in CSS pixels of the page.

    Attributes
    ----------
    row : int32 (paints,)
    box : float64 (paints, 4)
    key : int64 (paints,)
        Later painted is greater.
    low, high : float64 (paints, 3)
        The interval of its colours, red, green, blue from 0 to 255.
    thin, thick : float64 (paints,)
        The interval of its opacity.
    """

    row: IntColumn
    box: FloatArray
    key: NDArray[np.int64]
    low: FloatArray
    high: FloatArray
    thin: FloatArray
    thick: FloatArray


def painting_keys(page: Page, geometry: Geometry, styles: Styles) -> NDArray[np.int64]:
    """int64 (nodes,): later painted is greater; in one layer, as later in the document.

    The browser numbers layers below their parent's level as if they came after it; they come right after the background
    of the stacking context around them (CSS 2, appendix E).
    """
    size = len(page)
    plain = geometry.paint_order.astype(np.int64) * size + np.arange(size)
    low = np.flatnonzero(styles.sunk)
    keys = plain * (size + 1)
    contexts = page.nearest(styles.stacks) if len(low) else np.zeros(0, dtype=np.int32)
    for row in low.tolist():
        above = int(page.parent[row])
        context = int(contexts[above]) if above >= 0 else -1
        inside = np.arange(row, page.end[row])
        rank = np.argsort(np.argsort(plain[inside], kind="stable"))
        base = keys[context] if context >= 0 else -size - 1
        keys[inside] = base + 1 + np.minimum(rank, size - 1)
    return keys


def plain_address(address: str) -> str:
    """Return an address without its fragment."""
    return address.partition("#")[0]


def without(background: str, lost: frozenset[str]) -> str:
    """Return a computed ``background`` without the pictures that did not come."""
    if not lost or "url(" not in background:
        return background
    return _ADDRESS.sub(lambda found: "none" if plain_address(found[1]) in lost else found[0], background)


def canvas_of(page: Page, geometry: Geometry, styles: Styles, frame: PageFrame, lost: frozenset[str] = _NONE) -> Canvas:
    """Find what the root of a document paints everywhere (CSS Backgrounds 3, section 2.11.2)."""
    for row in (frame.row, body_of(page, frame.row)):
        if row < 0:
            continue
        color = int(geometry.background[row])
        pictured = is_pictured(without(styles.rows[styles.row[row]].get("background", "none"), lost))
        if not (color & 0xFF or pictured):
            continue
        # What is contained is not handed on to the canvas.
        contained = styles.rows[styles.row[frame.row]].get("contain", "none") != "none" or styles.holds[frame.row]
        plain = color & 0xFF == 0xFF and not pictured and not contained
        rgb = _rgb(np.asarray([color], dtype=np.uint32))[0]
        low, high = (rgb, rgb) if plain else (np.zeros(3), np.full(3, 255.0))
        return Canvas(low=low, high=high, row=row, owner=frame.owner)
    dark = _is_dark(page, styles, frame.row)
    base = np.full(3, DARK if dark else 255.0)
    # A frame that is dark where the page around it is not, or the other way, is not seen through.
    alone = frame.owner >= 0 and dark != _is_dark(page, styles, frame.owner)
    return Canvas(low=base, high=base, row=frame.row if alone else -1, owner=frame.owner)


def _is_dark(page: Page, styles: Styles, row: int) -> bool:
    """Return whether a node wants to be dark, by its style or, at a document's root, by a meta element."""
    scheme = styles.rows[styles.row[row]].get("color-scheme", "normal").split()
    if scheme == ["normal"] and page.tag_of(row) == "html":
        for meta in (np.flatnonzero(page.has_tag("meta")[row : page.end[row]]) + row).tolist():
            given = page.attributes_of(meta)
            if given.get("name", "").strip().lower() == "color-scheme":
                scheme = given.get("content", "").lower().split()
    return "dark" in scheme and "light" not in scheme


class _Collector:
    """Gathers painted rectangles."""

    def __init__(self) -> None:
        self.rows: list[IntColumn] = []
        self.boxes: list[FloatArray] = []
        self.colors: list[FloatArray] = []

    def add(self, rows: IntColumn, boxes: FloatArray, low: FloatArray, high: FloatArray, alpha: FloatArray) -> None:
        """Add rectangles: colours (n, 3) each, and alpha (n, 2)."""
        self.rows.append(rows)
        self.boxes.append(boxes)
        self.colors.append(np.concatenate([low, high, alpha], axis=1))

    def add_unknown(self, rows: IntColumn, boxes: FloatArray) -> None:
        """Add rectangles of which only a picture tells how they look."""
        count = len(rows)
        self.add(rows, boxes, np.zeros((count, 3)), np.full((count, 3), 255.0), np.tile([0.0, 1.0], (count, 1)))


def find_paint_layers(
    page: Page,
    geometry: Geometry,
    styles: Styles,
    seen: ClipRects,
    canvases: Sequence[Canvas],
    keys: NDArray[np.int64],
    opacity: FloatColumn,
    altered: BoolColumn,
    lost: frozenset[str] = _NONE,
) -> PaintLayers:
    """Collect what is painted.

    Parameters
    ----------
    page : Page
    geometry : Geometry
    styles : Styles
    seen : ClipRects
    canvases : sequence of Canvas
        Of the page's documents.
    keys : int64 (nodes,)
        Of :func:`painting_keys`.
    opacity : float32 (nodes,)
        As it reaches the eye.
    altered : bool (nodes,)
        What may come out otherwise than its colours say, or not at all.
    lost : frozenset of str, optional
        Addresses of pictures that did not come, without their fragments.
    """
    shown = np.isfinite(geometry.box[:, 0]) & ~geometry.invisible & (page.text < 0) & (opacity > _FAINT)
    shown &= ~page.has_name(geometry.display, "contents")
    # What paints the canvas does not paint its own box as well.
    shown[[canvas.row for canvas in canvases if canvas.row >= 0]] = False
    corners = geometry.box.astype(np.float64)
    corners[:, 2:] += corners[:, :2]
    made = _Collector()
    _add_backgrounds(made, page, geometry, styles, shown, corners, lost)
    _add_pictures(made, page, styles, shown, corners, canvases, lost)
    _add_borders(made, styles, shown, corners)
    _add_shadows(made, styles, shown, corners)
    _add_letters(made, page, geometry, styles, opacity)
    row, box, color = np.concatenate(made.rows), np.concatenate(made.boxes), np.concatenate(made.colors)
    window = seen.through[row]
    box = np.concatenate([np.maximum(box[:, :2], seen.low[window]), np.minimum(box[:, 2:], seen.high[window])], axis=1)
    low, high, thin, thick = color[:, :3], color[:, 3:6], color[:, 6] * opacity[row], color[:, 7] * opacity[row]
    unsure = altered[row]
    low[unsure], high[unsure], thin[unsure] = 0.0, 255.0, 0.0
    key = keys[row]
    order = np.argsort(key, kind="stable")
    order = order[((box[:, 2] > box[:, 0]) & (box[:, 3] > box[:, 1]))[order]]
    return PaintLayers(
        row=row[order], box=box[order], key=key[order], low=low[order], high=high[order], thin=thin[order],
        thick=thick[order],
    )  # fmt: skip


def _rgb(colors: NDArray[np.uint32]) -> FloatArray:
    found: FloatArray = np.stack([colors >> 24, colors >> 16 & 0xFF, colors >> 8 & 0xFF], axis=1).astype(np.float64)
    return found


def _blank_images(page: Page, lost: frozenset[str]) -> BoolColumn:
    """bool (nodes,): images that show nothing: nothing has come, or only what holds their place."""
    blank = np.zeros(len(page), dtype=bool)
    source = page.attribute(SHOWN_SOURCE)
    rows = np.flatnonzero(page.has_tag("img") & (source >= 0))
    shown = [page.strings[code] for code in source[rows].tolist()]
    blank[rows] = [plain_address(address) in lost or holds_a_place(address) for address in shown]
    return blank


def holds_a_place(address: str) -> bool:
    """Return whether a picture that is written into its address is one pixel that lets everything through."""
    data = address.removeprefix("data:image/gif;base64,")
    if data == address or len(data) > _LONGEST_PIXEL:
        return False
    from PIL import Image

    try:
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            alone = image.size == (1, 1) and getattr(image, "n_frames", 2) == 1
            return alone and image.convert("RGBA").getpixel((0, 0))[3] == 0  # type: ignore[index]
    except (OSError, ValueError, EOFError):
        return False


def _add_backgrounds(
    made: _Collector,
    page: Page,
    geometry: Geometry,
    styles: Styles,
    shown: BoolColumn,
    corners: FloatArray,
    lost: frozenset[str],
) -> None:
    inline = page.has_name(geometry.display, "inline") & ~page.has_tag(*PICTURES)
    colored = shown & ((geometry.background & 0xFF) > 0)
    rows, boxes = _boxes(np.flatnonzero(colored), inline, page, geometry, corners)
    color = _rgb(geometry.background[rows])
    alpha = (geometry.background[rows] & 0xFF) / 255.0
    partly = styles.column("background", lambda value: "content-box" in value or "text" in value, False, np.bool_)[rows]
    thin = np.where(partly, 0.0, alpha)
    round_ = np.flatnonzero((styles.paint.radius[rows] >= ROUND) & ~inline[rows])
    thin[round_] = 0.0
    made.add(rows, boxes, color, color, np.stack([thin, alpha], axis=1))
    # What round corners leave whole is painted as well.
    whole = round_[~partly[round_]]
    inner = [styles.inset(row, geometry.box[row]) for row in rows[whole].tolist()]
    bounds = np.stack([alpha[whole], alpha[whole]], axis=1)
    made.add(rows[whole], np.asarray(inner, dtype=np.float64).reshape(-1, 4), color[whole], color[whole], bounds)
    pictured = shown & styles.column("background", lambda value: is_pictured(without(value, lost)), False, np.bool_)
    rows, boxes = _boxes(np.flatnonzero(pictured), inline, page, geometry, corners)
    bounds = styles.column("background", lambda value: _gradient(without(value, lost)), [0.0] * 8, np.float64)[rows]
    blended = styles.column("background-blend-mode", lambda value: bool(value.strip("normal, ")), False, np.bool_)[rows]
    bounds[blended] = _ANY
    made.add(rows, boxes, bounds[:, :3], bounds[:, 3:6], bounds[:, 6:])


def _boxes(
    rows: NDArray[np.intp], inline: BoolColumn, page: Page, geometry: Geometry, corners: FloatArray
) -> tuple[IntColumn, FloatArray]:
    """Return the rectangles of some nodes: for inline ones that are broken into lines, those of their text."""
    whole = rows[~inline[rows]]
    found_rows, found_boxes = [whole], [corners[whole]]
    for row in rows[inline[rows]].tolist():
        first, last = between(geometry.line_node, row, int(page.end[row]))
        lines = geometry.line_box[first:last].astype(np.float64)
        boxes = np.concatenate([lines[:, :2], lines[:, :2] + lines[:, 2:]], axis=1) if last > first else corners[[row]]
        found_rows.append(np.full(len(boxes), row))
        found_boxes.append(boxes)
    return np.concatenate(found_rows).astype(np.int32), np.concatenate(found_boxes)


#: Any colour, or none.
_ANY = [0.0, 0.0, 0.0, 255.0, 255.0, 255.0, 0.0, 1.0]


def _gradient(value: str) -> list[float]:
    """Return the bounds of the colours and of the alpha of a background image; any for what is no gradient."""
    pictures = pictures_in(value)
    if "url(" in pictures or "image" in pictures or not (colors := colors_in(pictures)):
        return _ANY if pictures else [0.0] * 8
    parts = _rgb(np.asarray(colors, dtype=np.uint32))
    alpha = np.asarray([color & 0xFF for color in colors]) / 255.0
    # Of several gradients one lies over the other.
    thin = 0.0 if pictures.count("gradient(") > 1 or not is_all_over(value) else alpha.min()
    return [*parts.min(axis=0).tolist(), *parts.max(axis=0).tolist(), thin, alpha.max()]


def _add_pictures(
    made: _Collector,
    page: Page,
    styles: Styles,
    shown: BoolColumn,
    corners: FloatArray,
    canvases: Sequence[Canvas],
    lost: frozenset[str],
) -> None:
    pictures = page.has_tag(*PICTURES) & ~_blank_images(page, lost)
    # A frame shows what its document's root paints, and beyond that texts and boxes which are looked at themselves.
    for canvas in canvases:
        if canvas.owner >= 0:
            pictures[canvas.owner] = False
            if canvas.row >= 0 and shown[canvas.owner]:
                owner = np.asarray([canvas.owner], dtype=np.int32)
                made.add(owner, corners[owner], canvas.low[None], canvas.high[None], np.ones((1, 2)))
    pictures |= _drawn_inputs(page) | _barred(page, styles)
    pictures |= styles.where(
        lambda row: row["backdrop-filter"] != "none" or row["border-image-source"] != "none" or "url(" in row["content"]
    )
    rows = np.flatnonzero(shown & pictures).astype(np.int32)
    made.add_unknown(rows, corners[rows])


def _drawn_inputs(page: Page) -> BoolColumn:
    kind = page.attribute("type")
    drawn = np.zeros(len(page), dtype=bool)
    rows = np.flatnonzero(page.has_tag("input") & (kind >= 0))
    drawn[rows] = [page.strings[kind[row]].strip().lower() in _DRAWN_INPUTS for row in rows.tolist()]
    return drawn


def _barred(page: Page, styles: Styles) -> BoolColumn:
    """bool (nodes,): what has a line drawn in it that is as broad as text is high: in formulas, between columns."""
    line = page.attribute("linethickness")
    given = np.zeros(len(page), dtype=bool)
    rows = np.flatnonzero(page.has_tag("mfrac") & (line >= 0))
    given[rows] = [page.strings[line[row]].strip() not in _USUAL_BARS for row in rows.tolist()]
    bars = page.has_tag("mfrac", "msqrt", "mroot")
    large = styles.column("font-size", lambda value: max(pixels(value), default=0.0) * _BAR >= BAND, False, np.bool_)
    ruled = styles.column("column-rule-width", lambda value: max(pixels(value), default=0.0) >= BAND, False, np.bool_)
    found: BoolColumn = given | (bars & large) | ruled
    return found


def _add_letters(made: _Collector, page: Page, geometry: Geometry, styles: Styles, opacity: FloatColumn) -> None:
    """Add what stands out from letters: broad outlines, and shadows that are thrown elsewhere."""
    stroke = styles.column("-webkit-text-stroke-width", lambda value: max(pixels(value), default=0.0), 0.0, np.float64)
    thrown = styles.column("text-shadow", lambda value: value not in ("none", ""), False, np.bool_)
    shown = (page.text >= 0) & ~geometry.invisible & (opacity > _FAINT)
    lines = np.flatnonzero((shown & ((stroke >= 2 * BAND) | thrown))[geometry.line_node])
    for line in lines.tolist():
        row = int(geometry.line_node[line])
        left, top, wide, high = geometry.line_box[line].astype(np.float64).tolist()
        shadows = [pixels(shadow)[:3] for shadow in layers_in(styles.rows[styles.row[row]].get("text-shadow", ""))]
        around = [(0.0, 0.0, stroke[row] / 2)] if stroke[row] >= 2 * BAND else []
        # A shadow near its letters is read with them.
        around += [
            (right, down, blur)
            for right, down, blur in (shadow for shadow in shadows if len(shadow) == 3)
            if abs(right) >= wide / 2 or abs(down) >= high / 2 or blur >= high
        ]
        boxes = [(left + x - by, top + y - by, left + x + wide + by, top + y + high + by) for x, y, by in around]
        made.add_unknown(np.full(len(boxes), row, dtype=np.int32), np.asarray(boxes, dtype=np.float64).reshape(-1, 4))


def _add_borders(made: _Collector, styles: Styles, shown: BoolColumn, corners: FloatArray) -> None:
    border = styles.paint.border
    for row in np.flatnonzero(shown & (border >= BAND).any(axis=1)).tolist():
        colors = np.asarray(colors_in(styles.rows[styles.row[row]]["border-color"]), dtype=np.uint32)
        left, top, right, bottom = corners[row].tolist()
        above, beside_right, below, beside_left = border[row].tolist()
        sides = np.asarray(
            [
                (left, top, right, top + above),
                (right - beside_right, top, right, bottom),
                (left, bottom - below, right, bottom),
                (left, top, left + beside_left, bottom),
            ]
        )[border[row] >= BAND]
        rgb, alpha = _rgb(colors), (colors & 0xFF) / 255.0
        count = len(sides)
        bounds = np.tile([alpha.min(), alpha.max()], (count, 1))
        low, high = np.tile(rgb.min(axis=0), (count, 1)), np.tile(rgb.max(axis=0), (count, 1))
        made.add(np.full(count, row, dtype=np.int32), sides, low, high, bounds)


def _add_shadows(made: _Collector, styles: Styles, shown: BoolColumn, corners: FloatArray) -> None:
    reach = styles.column("box-shadow", _shadow_reach, -1.0, np.float64)
    outline = np.where(
        styles.column("outline-style", lambda value: value != "none", False, np.bool_),
        styles.column("outline-width", lambda value: max(pixels(value), default=0.0), 0.0, np.float64),
        -1.0,
    )
    far = np.maximum(reach, np.where(outline >= 2 * BAND, outline, -1.0))
    rows = np.flatnonzero(shown & (far >= 0)).astype(np.int32)
    out = far[rows][:, None] * np.asarray([-1.0, -1.0, 1.0, 1.0])
    made.add_unknown(rows, corners[rows] + out)


def _shadow_reach(value: str) -> float:
    """Return how far outside of its box a shadow is a ground: 0 for one inside, -1 where there is none to speak of."""
    if value == "none":
        return -1.0
    reach = -1.0
    for shadow in layers_in(value):
        lengths = pixels(shadow)
        if len(lengths) < 4:
            continue
        right, down, blur, spread = lengths[:4]
        if "inset" in shadow:
            # Narrower ones are lines along the edge.
            broad = max(abs(right), abs(down)) + blur + abs(spread) >= BAND
            reach = max(reach, 0.0 if broad else -1.0)
        elif spread + max(abs(right), abs(down)) >= 4 * BAND:
            reach = max(reach, spread + max(abs(right), abs(down)))
    return reach
