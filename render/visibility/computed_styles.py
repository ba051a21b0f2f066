"""Computed styles of the nodes of a page, as columns, and their effects on the content of an element.

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
from ..devtools.messages import STYLES
from .css_values import colors_in, families_in, four, functions_in, has_image, layers_in, numbers, parse_color, pixels

#: Properties that texts do not inherit, although the browser reports their parent's values for them.
_INITIAL = dict.fromkeys(
    """
    background border-image-source box-shadow filter backdrop-filter mask-image -webkit-mask-box-image-source clip-path
    transform rotate scale translate perspective contain outline-style
    border-shape position-area scroll-snap-type scroll-snap-align
    """.split(),
    "none",
) | {
    "opacity": "1",
    "position": "static",
    "corner-shape": "round",
    "transform-style": "flat",
    **dict.fromkeys(("position-anchor", "content", "mix-blend-mode", "container-type"), "normal"),
    **dict.fromkeys(("overflow-x", "overflow-y", "backface-visibility", "content-visibility"), "visible"),
    **dict.fromkeys(
        ("border-width", "column-rule-width", "row-rule-width", "border-radius", "overflow-clip-margin"), "0px"
    ),
    **dict.fromkeys(("clip", "will-change", "z-index", "isolation"), "auto"),
}
#: From this radius on, in CSS pixels, a rounded corner clips the content.
ROUND = 12.0
#: Distance of a corner's curve from the corner on the diagonal, as a share of its radius.
_CURVE = 1 - 2**-0.5
_CLIPPING, _SCROLLING = frozenset({"hidden", "clip"}), frozenset({"auto", "scroll", "overlay"})
_PAINT_CONTAINED = frozenset({"paint", "strict", "content"})
Value = Callable[[str], Any]
#: A computed style: the values by property.
Row = dict[str, str]
#: Values of ``will-change`` and ``contain`` that make a containing block for absolute and fixed boxes.
_CONTAINING = re.compile(r"transform|perspective|filter|translate|rotate|scale|contain|paint|layout|strict|content")
#: A box with a smaller rotation is upright.
_LEVEL = 0.02
#: A shadow with a larger offset, in CSS pixels, is not next to its text.
_FAR = 20.0
#: Usual values of ``clip`` and ``clip-path`` that leave nothing.
_NO_RECT = re.compile(r"rect\((\d+px)(?:, \1){3}\)")
_NO_INSET = re.compile(r"inset\((?:50|100)%(?: round [^)]*)?\)")
#: Values with which an element is painted as its other styles say.
_UNALTERED = {
    "mix-blend-mode": ("normal",),
    "-webkit-text-stroke-width": ("0px",),
    "border-shape": ("none", ""),
    **dict.fromkeys(("filter", "mask-image", "-webkit-mask-box-image-source", "clip-path"), ("none",)),
}
_UNANCHORED = ("", "normal", "none", "auto")


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
        return self.where(is_containing_block) & ~self._inline

    @cached_property
    def runs_backward(self) -> BoolColumn:
        """bool (nodes,): overflow extends to the left."""
        return self.where(runs_backward)

    @cached_property
    def turned(self) -> BoolColumn:
        """bool (nodes,): something in it, or all, may show its back or lie behind the viewer."""
        return self.where(lambda row: is_turned_in_3d(row) or is_in_depth(row))

    @cached_property
    def altered(self) -> BoolColumn:
        """bool (nodes,): it, with its content, may be changed by an effect that leaves nothing of it."""
        return self.where(is_altered) | self.turned

    def has_alternate_glyphs(self, fonts: frozenset[str]) -> BoolColumn:
        """Return the nodes in one of the fonts with variants that may not look like the letters, bool (nodes,)."""
        forms = ("font-variant", "font-feature-settings", "font-variation-settings")
        varied = self.where(lambda row: any(row[name] != "normal" for name in forms))
        return varied & self.flags("font-family", lambda value: bool(families_in(value) & fonts))

    def inset(self, node: int, box: FloatColumn) -> tuple[float, float, float, float]:
        """Return the part of a node's box that its rounded corners do not clip: left, top, right, bottom."""
        left, top, width, height = box.tolist()
        style = self.of_node(node)
        value, curve = style.get("border-radius", "0px"), _CURVE if style.get("corner-shape") == "round" else 1.0
        share = max((float(number) / 100 for number in re.findall(r"([\d.]+)%", value)), default=0.0)
        length = max(pixels(value), default=0.0)
        across, down = (min(max(share * side, length), side / 2) * curve for side in (width, height))
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


def is_containing_block(row: Row) -> bool:
    """Return whether it is the containing block of absolute and fixed boxes inside."""
    plain = all(row[name] == "none" for name in ("transform", "translate", "rotate", "scale", "filter", "perspective"))
    return (
        not plain
        or row["backdrop-filter"] != "none"
        or row["content-visibility"] != "visible"
        or row["container-type"] != "normal"
        or bool(_CONTAINING.search(row["will-change"]))
        or bool(_CONTAINING.search(row["contain"]))
    )


def runs_backward(row: Row) -> bool:
    """Return whether its overflow extends to the left, because of its direction or writing mode."""
    return (
        "vertical-rl" in row["writing-mode"]
        or "sideways-rl" in row["writing-mode"]
        or (row["direction"] == "rtl" and row["writing-mode"] == "horizontal-tb")
    )


def scrolls_oddly(row: Row) -> bool:
    """Return whether its content may overflow to the top or left, or scrolls only to positions where it is aligned."""
    reverse = "flex" in row["display"] and "reverse" in row["flex-direction"]
    vertical = row["writing-mode"] != "horizontal-tb"
    return runs_backward(row) or reverse or vertical or "mandatory" in row["scroll-snap-type"]


def rotated(row: Row) -> bool:
    """Return whether its sides are not upright."""
    matrix = numbers(row["transform"]) if row["transform"].startswith("matrix(") else []
    return row["rotate"] != "none" or (len(matrix) == 6 and abs(matrix[1]) + abs(matrix[2]) > _LEVEL)


def letter_reach(row: Row) -> float:
    """Return how far from its line a text may paint: shadows, outlines, lines under or through it, in CSS pixels."""
    shadows = (sum(map(abs, pixels(shadow))) for shadow in layers_in(row["text-shadow"]))
    thickness = row["text-decoration-thickness"]
    share = max(numbers(thickness), default=0.0) / 100 if thickness.endswith("%") else 0.0
    lengths = [share * size for size in pixels(row["font-size"])] + pixels(thickness)
    return max(*shadows, *lengths, *pixels(row["-webkit-text-stroke-width"]), 0.0)


def inset_reach(box_shadow: str) -> float:
    """Return how far inset shadows reach into a box, in CSS pixels."""
    return max((sum(map(abs, pixels(shadow))) for shadow in layers_in(box_shadow) if "inset" in shadow), default=0.0)


def is_combined_upright(row: Row) -> bool:
    """Return whether its characters are squeezed into the space of one."""
    return row["text-combine-upright"] != "none" and row["writing-mode"].startswith("vertical")


def is_turned_in_3d(row: Row) -> bool:
    """Return whether something in it may show its back or lie behind the viewer."""
    return row["transform"].startswith("matrix3d") or row["perspective"] != "none" or " " in row["rotate"]


def is_in_depth(row: Row) -> bool:
    """Return whether it is hidden when something around it shows its back, or shares a 3D space with its children."""
    return row["backface-visibility"] == "hidden" or row["transform-style"] == "preserve-3d"


def is_altered(row: Row) -> bool:
    """Return whether an effect may change how it is painted, with its content, or leave nothing of it."""
    placed = row["position"] in ("absolute", "fixed")
    return (
        any(row[name] not in values for name, values in _UNALTERED.items())
        # It may be hidden when its anchor is (CSS Anchor Positioning 2, section 2.2); the older property for clipping.
        or (placed and (row["position-anchor"] not in _UNANCHORED or row["position-area"] != "none"))
        or (placed and row["clip"] != "auto")
    )


def is_clipped_away(row: Row) -> bool:
    """Return whether nothing of it is left by usual values of ``clip`` or ``clip-path``, as for screen readers."""
    is_old = row["position"] in ("absolute", "fixed") and _NO_RECT.fullmatch(row["clip"]) is not None
    return is_old or _NO_INSET.fullmatch(row["clip-path"]) is not None


def has_offset_shadow(row: Row) -> bool:
    """Return whether a shadow may show its text at another position."""
    shadows = [arguments for name, arguments in functions_in(row["filter"]) if name == "drop-shadow"]
    return any(abs(length) > _FAR for shadow in (*shadows, row["text-shadow"]) for length in pixels(shadow))


def outer_reach(row: Row) -> float:
    """Return how far outside of its box it may paint, in CSS pixels: by an outline, a border image or shadows."""
    values = [layer for layer in layers_in(row["box-shadow"]) if "inset" not in layer] + [row["filter"]]
    values += [row["outline-width"]] * (row["outline-style"] != "none")
    # Numbers without unit are widths of the border.
    widths = max(1.0, *numbers(row["border-width"])) * (row["border-image-source"] != "none")
    return max(widths * sum(numbers(row["border-image-outset"])), *(sum(map(abs, pixels(value))) for value in values))
