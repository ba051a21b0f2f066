"""Computed values as the browser writes them: the numbers, colours, pictures and names in them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .css_colors import parse_color

_NUMBER = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?")
_PIXELS = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?(?=px)")
_COMMA = re.compile(r",\s(?![^(]*\))")
_COLOR = re.compile(r"(?:rgba?|color|oklch|oklab|lab|lch)\([^)]*\)")
#: A layer's picture: a gradient, or what lies at an address.
_IMAGE = re.compile(r"[\w-]*gradient\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[\w-]*(?:url|image|image-set|paint)\(.*\)")
#: Where a layer is painted, if it is painted all over its box.
_ALL_OVER = re.compile(r" [\d.]+% [\d.]+% / (?:auto|cover|100% 100%) padding-box (?:border|padding)-box")
_FONT = re.compile(r"(?P<form>.*?)(?P<size>[\d.]+)px(?: / \S+)? (?P<family>.+)")


def numbers(value: str) -> list[float]:
    """Return all numbers of a computed value."""
    return [float(number) for number in _NUMBER.findall(value)]


def pixels(value: str) -> list[float]:
    """Return all lengths of a computed value."""
    return [float(number) for number in _PIXELS.findall(value)]


def layers_in(value: str) -> list[str]:
    """Return the parts of a computed list: each shadow by itself."""
    return _COMMA.split(value)


def colors_in(value: str) -> list[int]:
    """Return all colours of a computed value, as ``0xRRGGBBAA``."""
    return [parse_color(color) for color in _COLOR.findall(value)]


def pictures_in(background: str) -> str:
    """Return the gradients and addresses of pictures in a computed ``background``, "" where there are none."""
    return " ".join(_IMAGE.findall(background))


def is_pictured(background: str) -> bool:
    """Return whether a computed ``background`` has a picture or gradient."""
    return _IMAGE.search(background) is not None


def is_all_over(background: str) -> bool:
    """Return whether each layer of a computed ``background`` is painted all over its box."""
    return background == "none" or len(_ALL_OVER.findall(background)) == background.count("-box") // 2


def font_of(value: str) -> tuple[str, frozenset[str]]:
    """Return a computed ``font`` in a size of 100 pixels, and the names of its families in small letters."""
    found = _FONT.fullmatch(value)
    if found is None:
        return "", frozenset()
    names = frozenset(name.strip().strip("\"'").lower() for name in found["family"].split(","))
    return f"{found['form']}100px {found['family']}", names


def four(values: Sequence[float]) -> list[float]:
    """Spell out one to four values of a shorthand: top, right, bottom, left."""
    found = list(values[:4]) or [0.0]
    for number, like in ((1, 0), (2, 0), (3, 1)):
        if len(found) == number:
            found.append(found[like])
    return found
