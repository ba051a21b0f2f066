"""Parse computed values of CSS properties: their numbers, colors, images and names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .css_colors import parse_color

_NUMBER = re.compile(r"-?\d*\.?\d+(?:e[+-]?\d+)?")
_PIXELS = re.compile(r"-?\d*\.?\d+(?:e[+-]?\d+)?(?=px)")
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)")
_COMMA = re.compile(r",\s(?![^(]*\))")
_COLOR = re.compile(r"(?:rgba?|color|oklch|oklab|lab|lch)\([^)]*\)")
#: The image of a background layer: a gradient or an address.
_IMAGE = re.compile(r"[\w-]*gradient\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[\w-]*(?:url|image|image-set|paint)\(.*\)")
#: The position and size of a background layer that fills its box.
_FILLS_BOX = re.compile(r" [\d.]+% [\d.]+% / (?:auto|cover|100% 100%) padding-box (?:border|padding)-box")
_FONT = re.compile(r"(?P<form>.*?)[\d.]+px(?: / \S+)? (?P<family>.+)")
#: A family: a name in quotes may contain commas.
_FAMILY = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|[^,]+)")

#: Variants that draw lower-case letters as capitals.
_CAPITALS = re.compile(r"(?:small|petite)-caps")


def numbers(value: str) -> list[float]:
    """Return all numbers of a computed value."""
    return [float(number) for number in _NUMBER.findall(value)]


def pixels(value: str) -> list[float]:
    """Return all lengths of a computed value."""
    return [float(number) for number in _PIXELS.findall(value)]


def functions_in(value: str) -> list[tuple[str, str]]:
    """Return the name and the arguments of each function of a computed value, of filters for example."""
    return _FUNCTION.findall(value)


def layers_in(value: str) -> list[str]:
    """Split a computed list, of shadows for example."""
    return _COMMA.split(value)


def colors_in(value: str) -> list[int]:
    """Return all colors of a computed value, as ``0xRRGGBBAA``."""
    return [parse_color(color) for color in _COLOR.findall(value)]


def images_in(background: str) -> str:
    """Return the gradients and image addresses in a computed ``background``, "" for none."""
    return " ".join(_IMAGE.findall(background))


def has_image(background: str) -> bool:
    """Return whether a computed ``background`` has an image or gradient."""
    return _IMAGE.search(background) is not None


def fills_box(background: str) -> bool:
    """Return whether each layer of a computed ``background`` fills its box."""
    return background == "none" or len(_FILLS_BOX.findall(background)) == background.count("-box") // 2


def families_in(value: str) -> frozenset[str]:
    """Return the names in a computed ``font-family``, in lower case."""
    return frozenset(name.strip().strip("\"'").lower() for name in _FAMILY.findall(value))


def font_of(style: Mapping[str, str]) -> str:
    """Return the font of a computed style as a shorthand, with a size of 100 pixels; "" if it has none."""
    if match := _FONT.fullmatch(style.get("font", "")):
        return f"{match['form']}100px {match['family']}"
    # The browser has no shorthand for a font with feature settings, among others.
    if not (family := style.get("font-family", "")):
        return ""
    capitals = "small-caps " if _CAPITALS.search(style["font-variant"]) else ""
    return f"{style['font-style']} {capitals}{style['font-weight']} 100px {family}"


def four(values: Sequence[float]) -> list[float]:
    """Expand one to four values of a shorthand: top, right, bottom, left."""
    sides = list(values[:4]) or [0.0]
    for number, opposite in ((1, 0), (2, 0), (3, 1)):
        if len(sides) == number:
            sides.append(sides[opposite])
    return sides


def without_fragment(address: str) -> str:
    """Return an address without its fragment."""
    return address.partition("#")[0]
