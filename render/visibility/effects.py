"""Effects of a computed style on the content of an element: position, stacking, scrolling, clipping, filters."""

from __future__ import annotations

import re

from .css_values import four, functions_in, numbers, pixels

#: A computed style: the values by property.
Row = dict[str, str]

#: Values of ``will-change`` and ``contain`` that make a containing block for absolute and fixed boxes.
_CONTAINING = re.compile(r"transform|perspective|filter|translate|rotate|scale|contain|paint|layout|strict|content")
#: A box with a smaller rotation is upright.
_LEVEL = 0.02
#: Lines through a text with at least this thickness, in CSS pixels, may cover it.
_BROAD = 6.0
#: A shadow with a larger offset, in CSS pixels, is not next to its text.
_FAR = 20.0

#: A shadow reaching so much farther than its blur, in CSS pixels, may cover something.
_SOLID = 4.0


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


def creates_stacking_context(row: Row) -> bool:
    """Return whether it makes a stacking context."""
    return (
        row["z-index"] != "auto"
        or row["position"] in ("fixed", "sticky")
        or row["opacity"] != "1"
        or row["isolation"] != "auto"
        or row["mix-blend-mode"] != "normal"
        or row["mask-image"] != "none"
        or row["clip-path"] != "none"
        or is_containing_block(row)
    )


def is_below(row: Row) -> bool:
    """Return whether its stack level is negative."""
    return row["z-index"].startswith("-")


def runs_backward(row: Row) -> bool:
    """Return whether its overflow extends to the left, because of its direction or writing mode."""
    return (
        "vertical-rl" in row["writing-mode"]
        or "sideways-rl" in row["writing-mode"]
        or (row["direction"] == "rtl" and row["writing-mode"] == "horizontal-tb")
    )


def may_overflow_to_start(row: Row) -> bool:
    """Return whether its content may overflow to the top or left: it runs backward, or its items do."""
    reverse = "flex" in row["display"] and "reverse" in row["flex-direction"]
    return runs_backward(row) or reverse or row["writing-mode"] != "horizontal-tb"


def snaps(row: Row) -> bool:
    """Return whether it scrolls only to positions where something in it is aligned."""
    return "mandatory" in row["scroll-snap-type"]


def is_snap_target(row: Row) -> bool:
    """Return whether a snapping scroller may stop at it."""
    return set(row["scroll-snap-align"].split()) != {"none"}


def rotated(row: Row) -> bool:
    """Return whether its sides are not upright."""
    matrix = numbers(row["transform"]) if row["transform"].startswith("matrix(") else []
    return row["rotate"] != "none" or (len(matrix) == 6 and abs(matrix[1]) + abs(matrix[2]) > _LEVEL)


def is_outlined(row: Row) -> bool:
    """Return whether the outline of its letters may be broader than they are."""
    return max(pixels(row["-webkit-text-stroke-width"]), default=0.0) > 0


def broadly_struck(row: Row) -> bool:
    """Return whether a line through its text may be broader than its letters."""
    return line_thickness(row) >= _BROAD


def line_thickness(row: Row) -> float:
    """Return the thickness of lines under or through its text, in CSS pixels."""
    thickness = row["text-decoration-thickness"]
    share = max(numbers(thickness), default=0.0) / 100 if thickness.endswith("%") else 0.0
    size = max(pixels(row["font-size"]), default=0.0)
    return max([share * size, *pixels(thickness)])


def is_combined_upright(row: Row) -> bool:
    """Return whether its characters are squeezed into the space of one."""
    return row["text-combine-upright"] != "none" and row["writing-mode"].startswith("vertical")


def is_3d(row: Row) -> bool:
    """Return whether its children share a 3D space, in which the painting order says little about what is in front."""
    return row["transform-style"] == "preserve-3d"


def is_moved_in_3d(row: Row) -> bool:
    """Return whether it has a 3D transform."""
    return row["transform"].startswith("matrix3d")


def is_turned_in_3d(row: Row) -> bool:
    """Return whether something in it may show its back or lie behind the viewer."""
    return is_moved_in_3d(row) or row["perspective"] != "none" or " " in row["rotate"]


def hides_its_back(row: Row) -> bool:
    """Return whether it is hidden when it, or something around it, shows its back."""
    return row["backface-visibility"] == "hidden"


def shows_its_back(row: Row) -> bool:
    """Return whether it may show its back: it is turned in 3D or mirrored."""
    matrix = numbers(row["transform"]) if row["transform"].startswith("matrix(") else []
    mirrored = len(matrix) == 6 and matrix[0] * matrix[3] - matrix[1] * matrix[2] <= 0
    return is_turned_in_3d(row) or mirrored or any(factor <= 0 for factor in numbers(row["scale"]))


def is_blended_or_filtered(row: Row) -> bool:
    """Return whether blending or a filter may change its colors, or leave nothing of it."""
    return row["mix-blend-mode"] != "normal" or (row["filter"] != "none" and not _is_harmless(row["filter"]))


def is_masked_or_clipped(row: Row) -> bool:
    """Return whether it may be masked or clipped to a shape."""
    return (
        row["mask-image"] != "none"
        or row["-webkit-mask-box-image-source"] != "none"
        or row["clip-path"] != "none"
        or "url(" in row["filter"]
        # It may be hidden when its anchor is (CSS Anchor Positioning 2, section 2.2).
        or (row["position-anchor"] not in ("", "normal", "none", "auto") and row["position"] in ("absolute", "fixed"))
        # The older property for clipping.
        or (row["clip"] != "auto" and row["position"] in ("absolute", "fixed"))
    )


def is_clipped_away(row: Row) -> bool:
    """Return whether nothing of it is left by the older property for clipping, or by the insets of its clip path."""
    edges = pixels(row["clip"]) if row["position"] in ("absolute", "fixed") and "auto" not in row["clip"] else []
    if len(edges) == 4:
        top, right, bottom, left = edges
        if bottom <= top or right <= left:
            return True
    insets = [arguments.partition(" round")[0].split() for name, arguments in functions_in(row["clip-path"])
              if name == "inset"]  # fmt: skip
    if not insets or not all(inset.endswith("%") for inset in insets[0]):
        return False
    shares = numbers(" ".join(insets[0]))
    if len(shares) != len(insets[0]):
        return False
    above, right, below, left = four(shares)
    return above + below >= 100 or left + right >= 100


def has_offset_shadow(row: Row) -> bool:
    """Return whether a shadow may show its text at another position."""
    shadows = [arguments for name, arguments in functions_in(row["filter"]) if name == "drop-shadow"]
    return any(abs(length) > _FAR for shadow in (*shadows, row["text-shadow"]) for length in pixels(shadow))


def paints_outside(row: Row) -> bool:
    """Return whether it paints itself at another place too: by a solid shadow, a reflection, or a wide border image."""
    shadows = (pixels(arguments) for name, arguments in functions_in(row["filter"]) if name == "drop-shadow")
    return (
        row["-webkit-box-reflect"] != "none"
        or (row["border-image-source"] != "none" and any(numbers(row["border-image-outset"])))
        # A shadow as wide as its blur covers nothing.
        or any(max(map(abs, shadow[:2]), default=0.0) - max(shadow[2:], default=0.0) >= _SOLID for shadow in shadows)
    )


def _is_harmless(filters: str) -> bool:
    """Return whether all filters are shadows or a blur of a pixel, which hide nothing."""
    return all(
        name == "drop-shadow" or (name == "blur" and max(numbers(arguments)) <= 1)
        for name, arguments in functions_in(filters)
    )
