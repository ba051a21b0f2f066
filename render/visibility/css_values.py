"""Parse computed values of CSS properties (numbers, images, names), and colors of any space into sRGB (CSS Color 4)."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray

_NUMBER = re.compile(r"-?\d*\.?\d+(?:e[+-]?\d+)?")
_PIXELS = re.compile(r"-?\d*\.?\d+(?:e[+-]?\d+)?(?=px)")
_FUNCTION = re.compile(r"([a-z-]+)\(((?:[^()]|\([^()]*\))*)\)")
_COMMA = re.compile(r",\s(?![^(]*\))")
_COLOR = re.compile(r"(?:rgba?|color|oklch|oklab|lab|lch)\([^)]*\)")
#: The image of a background layer: a gradient or an address.
_IMAGE = re.compile(r"[\w-]*gradient\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|[\w-]*(?:url|image|image-set|paint)\(.*\)")
_FONT = re.compile(r"(?P<form>.*?)[\d.]+px(?: / \S+)? (?P<family>.+)")
#: A family: a name in quotes may contain commas.
_FAMILY = re.compile(r"\s*(\"(?:[^\"\\]|\\.)*\"|[^,]+)")
#: Variants that draw lower-case letters as capitals.
_CAPITALS = re.compile(r"(?:small|petite)-caps")
#: Least difference to the eye between letters and what is behind them (``visible_difference``). Pale gray on white
#: (#f2f2f2) has 4.5, black of a tenth of its opacity 8.7. Smooth edges of letters have less than their color.
LEGIBLE_DIFFERENCE = 7.0
_COMPONENT = re.compile(r"-?\d*\.?\d+(?:e-?\d+)?|none", re.IGNORECASE)
#: From CIE XYZ (D65) to linear sRGB (CSS Color 4, section 18).
_TO_SRGB = np.asarray(
    [
        [3.2409699419, -1.5373831776, -0.4986107603],
        [-0.9692436363, 1.8759675015, 0.0415550574],
        [0.0556300797, -0.2039769589, 1.0569715142],
    ]
)
#: Oklab to the cone responses, and their cubes to linear sRGB (Ottosson 2020).
_OKLAB = np.asarray(
    [[1.0, 0.3963377774, 0.2158037573], [1.0, -0.1055613458, -0.0638541728], [1.0, -0.0894841775, -1.2914855480]]
)
_CONES = np.asarray(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)
_Components = NDArray[np.float64]
_FROM_SRGB = np.linalg.inv(_TO_SRGB)
_WHITE_D65 = _FROM_SRGB @ np.ones(3)
_WHITE_D50 = np.asarray([0.9642956764, 1.0, 0.8251046025])
#: From other spaces to linear sRGB; the white D50 becomes that of the screen, D65, channel by channel.
_LINEAR = {"srgb-linear": np.eye(3), "xyz-d65": _TO_SRGB, "xyz-d50": _TO_SRGB * (_WHITE_D65 / _WHITE_D50)}
#: Lightness from the response of the eye to luminance, and the two axes of hue (CIE 1976); the latter counted half.
_LIGHTNESS_AND_HUES = np.asarray([[0.0, 116.0, 0.0], [250.0, -250.0, 0.0], [0.0, 100.0, -100.0]])


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


def has_image(background: str) -> bool:
    """Return whether a computed ``background`` has an image or gradient."""
    return _IMAGE.search(background) is not None


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


@lru_cache(maxsize=10_000)
def parse_color(value: str) -> int:
    """Parse a computed CSS color into ``0xRRGGBBAA``, clipped to sRGB.

    >>> hex(parse_color("rgba(255, 0, 16, 0.5)"))
    '0xff001080'
    >>> hex(parse_color("oklch(1 0 0)"))
    '0xffffffff'
    """
    name, _, arguments = value.partition("(")
    space, _, rest = arguments.partition(" ")
    words = _COMPONENT.findall(rest if name == "color" else arguments)
    numbers = [0.0 if word.lower() == "none" else float(word) for word in words]
    if len(numbers) < 3:
        return 0
    components = np.asarray(numbers[:3])
    rgb = components / 255 if name.startswith("rgb") else _srgb(name if name != "color" else space, components)
    parts: list[float] = [*rgb.tolist(), numbers[3] if len(numbers) > 3 else 1.0]
    red, green, blue, alpha = (min(max(round(part * 255), 0), 255) for part in parts)
    return red << 24 | green << 16 | blue << 8 | alpha


def _srgb(space: str, color: _Components) -> _Components:
    """Convert a color of another space to sRGB from 0 to 1."""
    if space in ("lch", "oklch"):
        lightness, chroma, hue = color.tolist()
        turn = math.radians(hue)
        color = np.asarray([lightness, chroma * math.cos(turn), chroma * math.sin(turn)])
    if space in ("oklab", "oklch"):
        return _encoded(_CONES @ (_OKLAB @ color) ** 3)
    if space in ("lab", "lch"):
        return _encoded(_TO_SRGB @ _xyz_of_lab(color))
    if space in _LINEAR:
        return _encoded(_LINEAR[space] @ color)
    # Wider spaces: their primaries are close enough for contrast.
    return color


def _xyz_of_lab(lab: _Components) -> _Components:
    middle = (lab[0] + 16) / 116
    parts = np.asarray([middle + lab[1] / 500, middle, middle - lab[2] / 200])
    # Relative to its white, which is D50: that of the screen, D65, takes its place.
    cubes: _Components = np.where(parts > 6 / 29, parts**3, 3 * (6 / 29) ** 2 * (parts - 4 / 29)) * _WHITE_D65
    return cubes


def _encoded(linear: _Components) -> _Components:
    size = np.abs(linear)
    encoded: _Components = np.sign(linear) * np.where(size > 0.0031308, 1.055 * size ** (1 / 2.4) - 0.055, 12.92 * size)
    return encoded


def _linear(encoded: _Components) -> _Components:
    size = np.abs(encoded)
    linear: _Components = np.sign(encoded) * np.where(size > 0.04045, ((size + 0.055) / 1.055) ** 2.4, size / 12.92)
    return linear


def visible_difference(first: NDArray[Any], second: NDArray[Any]) -> FloatArray:
    """Return how much colors differ to the eye, float64 (...,); colors are red, green, blue from 0 to 255 (..., 3).

    It is the distance in CIELAB, of which black and white are 100 apart. Hue counts half: fine letters are read by
    lightness.
    """
    low, high = (np.asarray(color, dtype=np.float64) / 255 for color in (first, second))
    steps = (_eye_response(high) - _eye_response(low)) @ _LIGHTNESS_AND_HUES.T
    difference: FloatArray = np.sqrt((steps**2).sum(axis=-1))
    return difference


def _eye_response(rgb: _Components) -> _Components:
    share = _linear(rgb) @ _FROM_SRGB.T / _WHITE_D65
    response: _Components = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return response
