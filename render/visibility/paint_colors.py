"""Intervals of the colors and of the opacity that nodes are painted with.

Both intervals of a plain background are points; those of a gradient span its stops; an image may have all colors and
any opacity.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray
from ...page.html import SHOWN_SOURCE
from ...page.page import Page
from .computed_styles import Styles
from .css_values import colors_in, fills_box, images_in, layers_in, pixels, without_fragment

#: Narrower borders and shadows are lines, no backgrounds.
BAND = 4.0
#: Elements with content of their own, which only a screenshot shows.
IMAGES = tuple("img video canvas svg object embed iframe frame image audio meter progress".split())
#: Types of input that are painted with more than their styles.
_DRAWN_INPUTS = frozenset("image checkbox radio range color file".split())
_ADDRESS = re.compile(r'url\("([^"\\]*)"\)')
#: Images whose colors only a screenshot shows.
_UNKNOWN_IMAGES = ("url(", "image", "paint(")
#: The height of the one row of images of a background layer.
_ONE_ROW = re.compile(r"\) (?:no-repeat|repeat-x) \S+ \S+ \S+ / \S+ ([\d.]+)px ")
#: A color space of a gradient: between two stops it may have colors beyond both.
_OTHER_SPACE = re.compile(r"\bin [a-z]")

#: Lowest and highest red, green, blue and alpha of any color: (low, high, least alpha, most alpha).
ANY_COLOR = [0.0, 0.0, 0.0, 255.0, 255.0, 255.0, 0.0, 1.0]


def rgb_of(colors: NDArray[np.uint32]) -> FloatArray:
    """Return red, green and blue from 0 to 255, float64 (colors, 3)."""
    rgb: FloatArray = np.stack([colors >> 24, colors >> 16 & 0xFF, colors >> 8 & 0xFF], axis=1).astype(np.float64)
    return rgb


def without_failed_images(background: str, failed: frozenset[str]) -> str:
    """Return a computed ``background`` without the images that failed to load."""
    if "url(" not in background:
        return background
    # An empty address is none.
    return _ADDRESS.sub(lambda match: "none" if without_fragment(match[1]) in {"", *failed} else match[0], background)


def image_interval(background: str) -> list[float]:
    """Return the intervals of the images in a computed background, as :data:`ANY_COLOR`; zeros without images."""
    images = images_in(background)
    if not images or _is_rule(background):
        return [0.0] * 8
    colors = np.asarray(colors_in(images), dtype=np.uint32)
    if not len(colors) or any(name in images for name in _UNKNOWN_IMAGES) or _OTHER_SPACE.search(images):
        return ANY_COLOR
    alpha = (colors & 0xFF) / 255.0
    # Stops are mixed with their alpha: a transparent one fades its neighbours out, and has no color of its own.
    rgb = rgb_of(colors[alpha > 0] if alpha.any() else colors)
    # Of several gradients one covers the other.
    count = images.count("gradient(")
    least = float(alpha.min()) if count == 1 and fills_box(background) else 0.0
    most = 1.0 - (1.0 - float(alpha.max())) ** count
    return [*rgb.min(axis=0).tolist(), *rgb.max(axis=0).tolist(), least, most]


def _is_rule(background: str) -> bool:
    """Return whether a background has one image, which is painted as a line such as that under a link."""
    layer = _ONE_ROW.search(background)
    return layer is not None and float(layer[1]) < BAND and background.count(" / ") == 1


def shadow_interval(box_shadow: str) -> list[float]:
    """Return the intervals of shadows, as :data:`ANY_COLOR`."""
    colors = np.asarray(colors_in(box_shadow), dtype=np.uint32)
    if len(colors) != len(layers_in(box_shadow)):
        return ANY_COLOR
    rgb, alpha = rgb_of(colors), (colors & 0xFF) / 255.0
    return [*rgb.min(axis=0).tolist(), *rgb.max(axis=0).tolist(), 0.0, 1.0 - float(np.prod(1.0 - alpha))]


def shadow_reach(box_shadow: str, *, inset: bool) -> float:
    """Return how far outside of its box a shadow is a background: 0 for inset ones, -1 for nowhere."""
    if box_shadow == "none":
        return -1.0
    reach = -1.0
    for shadow in layers_in(box_shadow):
        lengths = pixels(shadow)
        if len(lengths) < 4 or ("inset" in shadow) != inset:
            continue
        right, down, blur, spread = lengths[:4]
        if inset:
            # Narrower ones are lines along the edge.
            broad = max(abs(right), abs(down)) + blur + abs(spread) >= BAND
            reach = max(reach, 0.0 if broad else -1.0)
        elif spread + max(abs(right), abs(down)) >= 4 * BAND:
            reach = max(reach, spread + max(abs(right), abs(down)))
    return reach


def blank_images(page: Page, failed: frozenset[str]) -> BoolColumn:
    """Return the images that show nothing because they failed, bool (nodes,)."""
    blank = np.zeros(len(page), dtype=bool)
    source = page.attribute(SHOWN_SOURCE)
    rows = np.flatnonzero(page.has_tag("img") & (source >= 0))
    addresses = [page.strings[code] for code in source[rows].tolist()]
    blank[rows] = [without_fragment(address) in failed for address in addresses]
    return blank


def has_unknown_colors(page: Page, styles: Styles) -> BoolColumn:
    """Return the nodes with content that their styles do not describe, images aside, bool (nodes,)."""
    return (
        _drawn_inputs(page)
        # Lines of formulas and between columns may be as broad as text is high.
        | (page.has_tag("mfrac") & (page.attribute("linethickness") >= 0))
        | (styles.pixels("column-rule-width") >= BAND)
        | styles.where(
            lambda row: (
                row["backdrop-filter"] != "none" or row["border-image-source"] != "none" or "url(" in row["content"]
            )
        )
    )


def _drawn_inputs(page: Page) -> BoolColumn:
    types = page.attribute("type")
    found = np.zeros(len(page), dtype=bool)
    rows = np.flatnonzero(page.has_tag("input") & (types >= 0))
    found[rows] = [page.strings[types[row]].strip().lower() in _DRAWN_INPUTS for row in rows.tolist()]
    return found
