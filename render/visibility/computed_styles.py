"""Computed styles of the nodes of a page, as columns.

Nodes share styles: a page with thousands of nodes has some hundred distinct styles, and each is evaluated once.
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
from .css_values import colors_in, families_in, four, has_image, numbers, pixels
from .effects import Row

#: Properties that texts do not inherit, although the browser reports their parent's values for them.
_INITIAL = dict.fromkeys(
    """
    background border-image-source box-shadow filter backdrop-filter mask-image -webkit-mask-box-image-source clip-path
    transform rotate scale translate perspective contain outline-style scroll-snap-type scroll-snap-align
    """.split(),
    "none",
) | {
    "opacity": "1",
    "position": "static",
    "transform-style": "flat",
    **dict.fromkeys(
        ("position-anchor", "background-blend-mode", "content", "mix-blend-mode", "container-type"), "normal"
    ),
    **dict.fromkeys(("overflow-x", "overflow-y", "backface-visibility", "content-visibility"), "visible"),
    **dict.fromkeys(("border-width", "column-rule-width", "border-radius", "overflow-clip-margin"), "0px"),
    **dict.fromkeys(("clip", "will-change", "z-index", "isolation"), "auto"),
}

#: Font variants and features that do not change what a letter is.
_PLAIN_FORMS = re.compile(
    r"normal|none|small-caps|(?:no-)?(?:common|discretionary|historical)-ligatures|(?:no-)?contextual"
    r"|(?:lining|oldstyle|proportional|tabular)-nums|(?:diagonal|stacked)-fractions|ordinal|slashed-zero|proportional-width"
    r"|\"(?:kern|liga|clig|dlig|calt|lnum|onum|pnum|tnum|zero|frac|ordn|palt|pkna|locl|ccmp|rlig|mark|mkmk)\""
)
#: From this radius on, in CSS pixels, a rounded corner clips the content.
ROUND = 12.0
#: Distance of a corner's curve from the corner on the diagonal, as a share of its radius.
_CURVE = 1 - 2**-0.5
_CLIPPING, _SCROLLING = frozenset({"hidden", "clip"}), frozenset({"auto", "scroll", "overlay"})
_PAINT_CONTAINED = frozenset({"paint", "strict", "content"})

Value = Callable[[str], Any]


def _has_alternate_forms(style: Row) -> bool:
    """Return whether letters of a font that has them may look like others, or like nothing."""
    forms = _PLAIN_FORMS.sub("", f"{style['font-variant']} {style['font-feature-settings']}").strip(" ,01on")
    return bool(forms) or style["font-variation-settings"] != "normal"


@dataclass(frozen=True, kw_only=True, eq=False)
class Styles:
    """The computed styles of a page's nodes."""

    #: int32 (nodes,): Index into ``rows``; that of the last, empty one for a node that is not laid out.
    row: IntColumn
    #: Each distinct style once, by the names of :data:`STYLES`.
    rows: Sequence[Row]

    @classmethod
    def of(
        cls, codes: IntColumn, index: IntColumn, nodes: IntColumn, text: BoolColumn, strings: Sequence[str]
    ) -> Styles:
        """Decode ``codes`` of STYLES, int32 (distinct, properties), of which ``index`` has the row of each node."""
        # A text and its parent share a row of codes, but not all values.
        distinct, number = np.unique(2 * index + text[nodes], return_inverse=True)
        rows: list[Row] = []
        for row, is_text in zip(codes[distinct // 2].tolist(), (distinct % 2).tolist(), strict=True):
            # A property may lack a value: a shorthand that cannot express the longhands.
            laid_out = len(row) == len(STYLES) and max(row) >= 0
            style = {name: strings[code] if code >= 0 else "" for name, code in zip(STYLES, row, strict=False)}
            rows.append((style | _INITIAL if is_text else style) if laid_out else {})
        of_node = np.full(len(text), len(rows), dtype=np.int32)
        of_node[nodes] = number.reshape(-1)
        return cls(row=of_node, rows=(*rows, {}))

    def of_node(self, node: int) -> Row:
        """Return the style of a node, empty if it is not laid out."""
        return self.rows[int(self.row[node])]

    def column(self, name: str, of: Value, empty: Any, dtype: Any) -> NDArray[Any]:
        """Convert a property to a column; ``empty`` for nodes that are not laid out."""
        return np.asarray(self._of_rows(name, of, empty), dtype=dtype)[self.row]

    def pixels(self, name: str) -> NDArray[np.float64]:
        """Return the largest length in a property, float64 (nodes,); 0 for none."""
        return self.column(name, lambda value: max(pixels(value), default=0.0), 0.0, np.float64)

    def flags(self, name: str, holds: Callable[[str], bool]) -> BoolColumn:
        """Return the nodes for which a property meets a condition, bool (nodes,)."""
        return self.column(name, holds, False, np.bool_)

    def _of_rows(self, name: str, of: Value, empty: Any) -> list[Any]:
        texts = [row.get(name) for row in self.rows]
        values = {text: empty if text is None else of(text) for text in set(texts)}
        return [values[text] for text in texts]

    def where(self, holds: Callable[[Row], bool]) -> BoolColumn:
        """Return the nodes whose style meets a condition, bool (nodes,)."""
        flags: BoolColumn = np.asarray([bool(row) and holds(row) for row in self.rows], dtype=bool)[self.row]
        return flags

    @cached_property
    def clips(self) -> BoolColumn:
        """bool (nodes, 2): whether overflow is clipped, horizontally and vertically."""
        contained = self.where(lambda row: bool(_PAINT_CONTAINED & set(row["contain"].split())))
        # Content that is skipped off the screen is clipped to its element as well.
        contained |= self.where(lambda row: row["content-visibility"] == "auto")
        clips: BoolColumn = self._overflow(_CLIPPING) | contained[:, None]
        return clips & ~self._inline[:, None]

    @cached_property
    def scrolls(self) -> BoolColumn:
        """bool (nodes, 2): whether overflow can be scrolled to."""
        return self._overflow(_SCROLLING) & ~self._inline[:, None]

    @cached_property
    def holds(self) -> BoolColumn:
        """bool (nodes,): containing blocks of absolute and fixed boxes inside."""
        return self.where(effects.is_containing_block) & ~self._inline

    @cached_property
    def runs_backward(self) -> BoolColumn:
        """bool (nodes,): overflow extends to the left."""
        return self.where(effects.runs_backward)

    @cached_property
    def turned(self) -> BoolColumn:
        """bool (nodes,): something in it, or all, may show its back or lie behind the viewer."""
        # Many pages hide the back of what never turns, because it was faster once.
        turns = any(bool(row) and effects.shows_its_back(row) for row in self.rows)
        return self.where(lambda row: effects.is_turned_in_3d(row) or (turns and effects.hides_its_back(row)))

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (nodes,): it, with its content, may be changed by an effect that leaves nothing of it."""
        return self.where(effects.is_blended_or_filtered) | self.shaped

    @cached_property
    def shaped(self) -> BoolColumn:
        """bool (nodes,): parts of it may be hidden: it is masked, clipped to a shape or turned."""
        return self.where(effects.is_masked_or_clipped) | self.turned

    def has_alternate_glyphs(self, fonts: frozenset[str]) -> BoolColumn:
        """Return the nodes in one of the fonts with variants that may not look like the letters, bool (nodes,)."""
        return self.where(lambda row: _has_alternate_forms(row) and bool(families_in(row["font-family"]) & fonts))

    def inset(self, node: int, box: FloatColumn) -> tuple[float, float, float, float]:
        """Return the part of a node's box that its rounded corners do not clip: left, top, right, bottom."""
        left, top, width, height = box.tolist()
        value = self.of_node(node).get("border-radius", "0px")
        share = max((float(number) / 100 for number in re.findall(r"([\d.]+)%", value)), default=0.0)
        length = max(pixels(value), default=0.0)
        across, down = (min(max(share * side, length), side / 2) * _CURVE for side in (width, height))
        return left + across, top + down, left + width - across, top + height - down

    @cached_property
    def paint(self) -> Paint:
        """The columns that a page stores."""
        return Paint(
            fill=self.column("-webkit-text-fill-color", parse_color, 0x000000FF, np.uint32),
            image=self.flags("background", has_image),
            border=self._border(),
            radius=self.column("border-radius", lambda value: max(numbers(value), default=0.0), 0.0, np.float32),
            shadow=self.flags("box-shadow", "none".__ne__),
            holds=self.holds,
            scrolls=self.scrolls,
        )

    def _overflow(self, values: frozenset[str]) -> BoolColumn:
        """Return the axes whose overflow has one of the values, bool (nodes, 2)."""
        axes: BoolColumn = np.stack([self.flags(f"overflow-{axis}", values.__contains__) for axis in "xy"], axis=1)
        return axes

    @cached_property
    def _inline(self) -> BoolColumn:
        return self.flags("display", ("inline", "contents").__contains__)

    def _border(self) -> FloatColumn:
        """Return the widths of visible borders, float32 (nodes, 4): top, right, bottom, left."""
        widths = self._of_rows("border-width", lambda value: four(numbers(value)), [0.0] * 4)
        alpha = self._of_rows(
            "border-color", lambda value: four([color & 0xFF for color in colors_in(value)]), [0.0] * 4
        )
        visible = np.asarray(widths, dtype=np.float32) * (np.asarray(alpha) > 0)
        border: FloatColumn = visible.astype(np.float32)[self.row]
        return border
