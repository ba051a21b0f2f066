"""Computed styles as the browser hands them out, and what they say about painting: strings to columns.

Nodes share styles: a page of thousands of nodes has some hundred different ones, and each is read once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatColumn, IntColumn
from ...page.geometry import Paint
from ..devtools.styles import STYLES
from . import effects
from .css_colors import parse_color
from .css_values import colors_in, font_of, four, is_pictured, numbers, pixels
from .effects import Row

#: What texts do not have of their parent, although the browser hands its style out for them.
_INITIAL = {
    "opacity": "1",
    "position": "static",
    "position-anchor": "normal",
    "overflow-x": "visible",
    "overflow-y": "visible",
    "background": "none",
    "background-blend-mode": "normal",
    "content": "normal",
    "border-width": "0px",
    "border-image-source": "none",
    "column-rule-width": "0px",
    "border-radius": "0px",
    "outline-style": "none",
    "box-shadow": "none",
    "filter": "none",
    "backdrop-filter": "none",
    "mix-blend-mode": "normal",
    "mask-image": "none",
    "-webkit-mask-box-image-source": "none",
    "clip": "auto",
    "clip-path": "none",
    "transform": "none",
    "transform-style": "flat",
    "rotate": "none",
    "scale": "none",
    "translate": "none",
    "perspective": "none",
    "backface-visibility": "visible",
    "will-change": "auto",
    "contain": "none",
    "content-visibility": "visible",
    "container-type": "normal",
    "overflow-clip-margin": "0px",
    "scroll-snap-type": "none",
    "scroll-snap-align": "none",
    "z-index": "auto",
    "isolation": "auto",
}

#: Forms of glyphs that are still those of their letters.
_PLAIN_FORMS = re.compile(
    r"normal|none|small-caps|(?:no-)?(?:common|discretionary|historical)-ligatures|(?:no-)?contextual"
    r"|(?:lining|oldstyle|proportional|tabular)-nums|(?:diagonal|stacked)-fractions|ordinal|slashed-zero|proportional-width"
    r"|\"(?:kern|liga|clig|dlig|calt|lnum|onum|pnum|tnum|zero|frac|ordn|palt|pkna|locl|ccmp|rlig|mark|mkmk)\""
)
#: From this radius on, in CSS pixels, a corner takes something away of what is in it.
ROUND = 12.0
#: Share of a corner's radius that its curve is away from the corner, on the diagonal.
_CURVE = 1 - 2**-0.5
_CLIPPING, _SCROLLING = frozenset({"hidden", "clip"}), frozenset({"auto", "scroll", "overlay"})
_PAINT_CONTAINED = frozenset({"paint", "strict", "content"})

Value = Callable[[str], Any]


@dataclass(frozen=True, kw_only=True, eq=False)
class Styles:
    """The computed styles of a page's nodes.

    Attributes
    ----------
    row : int32 (nodes,)
        Which of ``rows`` a node has; the last one, which is empty, where it is not laid out.
    rows : sequence of dict
        Each distinct style once, by the names of :data:`STYLES`; the last one is empty.
    """

    row: IntColumn
    rows: Sequence[Row]

    @classmethod
    def of(
        cls, codes: IntColumn, place: IntColumn, nodes: IntColumn, text: BoolColumn, strings: Sequence[str]
    ) -> Styles:
        """Read the browser's styles.

        Parameters
        ----------
        codes : int32 (distinct, properties)
            Indices into ``strings``, in the order of :data:`STYLES`; -1 for what has no style.
        place : int32 (laid out,)
            The row of ``codes`` of each node that is laid out.
        nodes : int32 (laid out,)
            The node of each.
        text : bool (nodes,)
            Which nodes are texts.
        strings : sequence of str
        """
        # Texts do not have all of what the browser hands out for them.
        found, number = np.unique(2 * place + text[nodes], return_inverse=True)
        rows: list[Row] = []
        for row, of_text in zip(codes[found // 2].tolist(), (found % 2).tolist(), strict=True):
            # What has styles may still lack the one or other: a short form that has no word for what is set.
            laid_out = len(row) == len(STYLES) and max(row) >= 0
            style = {name: strings[code] if code >= 0 else "" for name, code in zip(STYLES, row, strict=False)}
            rows.append((style | _INITIAL if of_text else style) if laid_out else {})
        index = np.full(len(text), len(rows), dtype=np.int32)
        index[nodes] = number.reshape(-1)
        return cls(row=index, rows=(*rows, {}))

    def column(self, name: str, of: Value, empty: Any, dtype: Any) -> NDArray[Any]:
        """Turn one property into a column; ``empty`` for nodes that are not laid out."""
        return np.asarray(self._of_rows(name, of, empty), dtype=dtype)[self.row]

    def _of_rows(self, name: str, of: Value, empty: Any) -> list[Any]:
        """Turn one property of each distinct style into a value."""
        texts = [row.get(name) for row in self.rows]
        known = {text: empty if text is None else of(text) for text in set(texts)}
        return [known[text] for text in texts]

    def where(self, holds: Callable[[Row], bool]) -> BoolColumn:
        """bool (nodes,): nodes whose whole style has a property."""
        found: BoolColumn = np.asarray([bool(row) and holds(row) for row in self.rows], dtype=bool)[self.row]
        return found

    @cached_property
    def clips(self) -> BoolColumn:
        """bool (nodes, 2): overflow is cut off."""
        contained = self.where(lambda row: bool(_PAINT_CONTAINED & set(row["contain"].split())))
        # What an element keeps back until it comes into view is clipped to it as well.
        contained |= self.where(lambda row: row["content-visibility"] == "auto")
        axes = [self.column(name, _CLIPPING.__contains__, False, np.bool_) for name in ("overflow-x", "overflow-y")]
        clips: BoolColumn = np.stack(axes, axis=1) | contained[:, None]
        return clips & ~self._inline[:, None]

    @cached_property
    def scrolls(self) -> BoolColumn:
        """bool (nodes, 2): overflow can be scrolled to."""
        axes = [self.column(name, _SCROLLING.__contains__, False, np.bool_) for name in ("overflow-x", "overflow-y")]
        scrolls: BoolColumn = np.stack(axes, axis=1)
        return scrolls & ~self._inline[:, None]

    @cached_property
    def holds(self) -> BoolColumn:
        """bool (nodes,): absolute and fixed boxes inside are placed by it."""
        return self.where(effects.holds) & ~self._inline

    @cached_property
    def scrolls_oddly(self) -> BoolColumn:
        """bool (nodes,): what it scrolls does not begin at its head: it runs backward, or its items do."""
        reverse = self.where(lambda row: "flex" in row["display"] and "reverse" in row["flex-direction"])
        return self.runs_backward | reverse | self.where(lambda row: row["writing-mode"] != "horizontal-tb")

    @cached_property
    def snaps(self) -> BoolColumn:
        """bool (nodes,): what it scrolls comes to rest only where something in it is aligned."""
        return self.column("scroll-snap-type", lambda value: "mandatory" in value, False, np.bool_)

    @cached_property
    def aligned(self) -> BoolColumn:
        """bool (nodes,): what scrolls it may come to rest there."""
        return self.column("scroll-snap-align", lambda value: set(value.split()) != {"none"}, False, np.bool_)

    @cached_property
    def sunk(self) -> BoolColumn:
        """bool (nodes,): its layer lies below the level of what is around it."""
        return self.where(lambda row: row["z-index"].startswith("-"))

    @cached_property
    def stacks(self) -> BoolColumn:
        """bool (nodes,): it makes a stacking context, below whose background nothing inside of it goes."""
        return self.where(effects.stacks)

    @cached_property
    def runs_backward(self) -> BoolColumn:
        """bool (nodes,): its overflow goes to the left: lines run from right to left, or columns do."""
        return self.where(
            lambda row: (
                "vertical-rl" in row["writing-mode"]
                or "sideways-rl" in row["writing-mode"]
                or (row["direction"] == "rtl" and row["writing-mode"] == "horizontal-tb")
            )
        )

    @cached_property
    def turned(self) -> BoolColumn:
        """bool (nodes,): something of it, or all, may turn its back or lie behind the eye."""
        return self.where(effects.turned)

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (nodes,): what it paints, and all inside, goes through something that may leave nothing of it."""
        return self.where(effects.altered) | self.shaped

    @cached_property
    def shaped(self) -> BoolColumn:
        """bool (nodes,): it may leave something of it here and nothing there: masked, cut out or turned."""
        return self.where(effects.shaped) | self.turned

    @cached_property
    def throws(self) -> BoolColumn:
        """bool (nodes,): a shadow may show the text in it somewhere else."""
        return self.where(effects.throws)

    @cached_property
    def overdrawn(self) -> BoolColumn:
        """bool (nodes,): the outline of its letters may be broader than they are."""
        return self.where(lambda row: max(pixels(row["-webkit-text-stroke-width"]), default=0.0) > 0)

    @cached_property
    def struck(self) -> BoolColumn:
        """bool (nodes,): a line through all the text in it, or along it, may be broader than letters are."""
        return self.where(effects.broadly_struck)

    @cached_property
    def deep(self) -> BoolColumn:
        """bool (nodes,): what is in it lies in space, so that the order of painting says little of what is above."""
        return self.column("transform-style", "preserve-3d".__eq__, False, np.bool_)

    @cached_property
    def lifted(self) -> BoolColumn:
        """bool (nodes,): it is moved or turned in space."""
        return self.column("transform", lambda value: value.startswith("matrix3d"), False, np.bool_)

    @cached_property
    def rotated(self) -> BoolColumn:
        """bool (nodes,): its sides are not upright, so that its box says only where it may be."""
        return self.where(effects.rotated)

    def odd_forms(self, fonts: frozenset[str]) -> BoolColumn:
        """bool (nodes,): set in a font of the page, in forms that may look otherwise than the letters.

        Parameters
        ----------
        fonts : frozenset of str
            Names of the page's fonts, in small letters.
        """
        return self.where(
            lambda row: (
                bool(_PLAIN_FORMS.sub("", f"{row['font-variant']} {row['font-feature-settings']}").strip(" ,01on"))
                and (not row["font"] or bool(font_of(row["font"])[1] & fonts))
            )
        )

    def inset(self, row: int, box: FloatColumn) -> tuple[float, float, float, float]:
        """Return what the round corners of a node's box leave whole: left, top, right, bottom."""
        left, top, wide, high = box.tolist()
        value = self.rows[self.row[row]].get("border-radius", "0px")
        share = max((float(number) / 100 for number in re.findall(r"([\d.]+)%", value)), default=0.0)
        length = max(pixels(value), default=0.0)
        across, down = (min(max(share * side, length), side / 2) * _CURVE for side in (wide, high))
        return left + across, top + down, left + wide - across, top + high - down

    @cached_property
    def paint(self) -> Paint:
        """The columns that a page keeps."""
        return Paint(
            fill=self.column("-webkit-text-fill-color", parse_color, 0x000000FF, np.uint32),
            image=self.column("background", is_pictured, False, np.bool_),
            border=self._border(),
            radius=self.column("border-radius", lambda value: max(numbers(value), default=0.0), 0.0, np.float32),
            shadow=self.column("box-shadow", lambda value: value != "none", False, np.bool_),
            holds=self.holds,
            scrolls=self.scrolls,
        )

    @cached_property
    def _inline(self) -> BoolColumn:
        return self.column("display", lambda value: value in ("inline", "contents"), False, np.bool_)

    def _border(self) -> FloatColumn:
        widths = self._of_rows("border-width", lambda value: four(numbers(value)), [0.0] * 4)
        alpha = self._of_rows(
            "border-color", lambda value: four([color & 0xFF for color in colors_in(value)]), [0.0] * 4
        )
        visible = np.asarray(widths, dtype=np.float32) * (np.asarray(alpha) > 0)
        border: FloatColumn = visible.astype(np.float32)[self.row]
        return border
