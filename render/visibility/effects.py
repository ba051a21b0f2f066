"""What one computed style does to what is inside of it: places it, stacks it, turns, cuts or changes it."""

from __future__ import annotations

import re

from .css_values import numbers, pixels

#: A computed style, by the names of its properties.
Row = dict[str, str]

#: What places absolute and fixed boxes inside an element, as a value of ``will-change`` or ``contain``.
_HOLDING = re.compile(r"transform|perspective|filter|translate|rotate|scale|contain|paint|layout|strict|content")
#: Less of a turn than this leaves a box upright.
_LEVEL = 0.02
#: Lines through a text that are as broad as this, in CSS pixels, may cover it.
_BROAD = 6.0
#: A shadow that is thrown farther than this, in CSS pixels, is no part of its text.
_FAR = 20.0


def holds(row: Row) -> bool:
    """Return whether absolute and fixed boxes inside are placed by it."""
    plain = all(row[name] == "none" for name in ("transform", "translate", "rotate", "scale", "filter", "perspective"))
    return (
        not plain
        or row["backdrop-filter"] != "none"
        or row["content-visibility"] != "visible"
        or row["container-type"] != "normal"
        or bool(_HOLDING.search(row["will-change"]))
        or bool(_HOLDING.search(row["contain"]))
    )


def stacks(row: Row) -> bool:
    """Return whether it makes a stacking context."""
    return (
        row["z-index"] != "auto"
        or row["position"] in ("fixed", "sticky")
        or row["opacity"] != "1"
        or row["isolation"] != "auto"
        or row["mix-blend-mode"] != "normal"
        or row["mask-image"] != "none"
        or row["clip-path"] != "none"
        or holds(row)
    )


def rotated(row: Row) -> bool:
    """Return whether its sides are not upright."""
    turn = numbers(row["transform"]) if row["transform"].startswith("matrix(") else []
    return row["rotate"] != "none" or (len(turn) == 6 and abs(turn[1]) + abs(turn[2]) > _LEVEL)


def broadly_struck(row: Row) -> bool:
    """Return whether a line through its text may be broader than letters are."""
    thickness = row["text-decoration-thickness"]
    share = max(numbers(thickness), default=0.0) / 100 if thickness.endswith("%") else 0.0
    size = max(pixels(row["font-size"]), default=0.0)
    return max([share * size, *pixels(thickness)]) >= _BROAD


def turned(row: Row) -> bool:
    """Return whether something of it may turn its back or lie behind the eye."""
    return (
        row["transform"].startswith("matrix3d")
        or row["backface-visibility"] == "hidden"
        or row["perspective"] != "none"
        or " " in row["rotate"]
    )


def altered(row: Row) -> bool:
    """Return whether what it paints may come out otherwise, or not at all."""
    return row["mix-blend-mode"] != "normal" or (row["filter"] != "none" and not _harmless(row["filter"]))


def shaped(row: Row) -> bool:
    """Return whether it may be masked or cut out."""
    return (
        row["mask-image"] != "none"
        or row["-webkit-mask-box-image-source"] != "none"
        or row["clip-path"] != "none"
        or "url(" in row["filter"]
        # It may go when what it is anchored to is out of sight (CSS Anchor Positioning 2, section 2.2).
        or (row["position-anchor"] not in ("", "normal", "none", "auto") and row["position"] in ("absolute", "fixed"))
        # The older way of cutting out.
        or (row["clip"] != "auto" and row["position"] in ("absolute", "fixed"))
    )


def throws(row: Row) -> bool:
    """Return whether a shadow may show its text somewhere else."""
    shadows = [given for name, given in _functions(row["filter"]) if name == "drop-shadow"]
    return any(abs(length) > _FAR for shadow in (*shadows, row["text-shadow"]) for length in pixels(shadow))


def _functions(filters: str) -> list[tuple[str, str]]:
    """Return the name and the arguments of each filter function."""
    return re.findall(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)", filters)


def _harmless(filters: str) -> bool:
    """Shadows and a blur of a pixel take nothing away; whatever else does is for the picture to tell."""
    return all(
        name == "drop-shadow" or (name == "blur" and max(numbers(given)) <= 1) for name, given in _functions(filters)
    )
