"""Intervals of the colors and of the opacity that nodes are painted with.

Both intervals of a plain background are points; those of a gradient span its stops; an image may have all colors and
any opacity.
"""

from __future__ import annotations

import base64
import io
import re
from functools import lru_cache

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
#: The height of the bars in formulas, in ems, and values of ``linethickness`` with a usual height.
_BAR, _USUAL_BARS = 0.07, frozenset(("", "0", "0px", "thin", "medium", "1px", "2px"))
_ADDRESS = re.compile(r'url\("([^"\\]*)"\)')
#: The longest address of an image of one pixel.
_LONGEST_PIXEL = 200
#: A data address of an image whose pixels are read, the longest one, and the widest or highest image in pixels.
_DATA = re.compile(r"data:image/(?:png|gif);base64,([A-Za-z0-9+/]+)=*")
_LONGEST_IMAGE, _WIDEST_IMAGE = 20_000, 400
#: The height of the one row of images of a background layer.
_ONE_ROW = re.compile(r"\) (?:no-repeat|repeat-x) \S+ \S+ \S+ / \S+ ([\d.]+)px ")
#: Modes of images with a byte for each channel or palette index.
_MODES = ("1", "L", "LA", "P", "PA", "RGB", "RGBA")
#: A color space of a gradient: between two stops it may have colors beyond both.
_OTHER_SPACE = re.compile(r"\bin [a-z]")

#: Lowest and highest red, green, blue and alpha of any color: (low, high, least alpha, most alpha).
ANY_COLOR = [0.0, 0.0, 0.0, 255.0, 255.0, 255.0, 0.0, 1.0]
_NOTHING = (0.0,) * 8


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
        return list(_NOTHING)
    addresses = _ADDRESS.findall(images)
    colors = [_pixels_of(address) for address in addresses]
    gradients = _ADDRESS.sub("", images)
    if any(name in gradients for name in ("url(", "image", "paint(")) or _OTHER_SPACE.search(gradients):
        return ANY_COLOR
    if "gradient(" in gradients:
        colors.append(_gradient_colors(gradients))
    known = [found for found in colors if found is not None]
    if len(known) < len(colors) or not known:
        return ANY_COLOR
    # A layer of each color over the one before has more opacity than any of them.
    most = 1.0 - float(np.prod([1.0 - found[7] for found in known]))
    least = known[0][6] if len(known) == 1 and not addresses and fills_box(background) else 0.0
    low, high = np.min([found[:3] for found in known], axis=0), np.max([found[3:6] for found in known], axis=0)
    return [*low.tolist(), *high.tolist(), least, most]


def _is_rule(background: str) -> bool:
    """Return whether a background has one image, which is painted as a line such as that under a link."""
    layer = _ONE_ROW.search(background)
    return layer is not None and float(layer[1]) < BAND and background.count(" / ") == 1


def _gradient_colors(gradients: str) -> list[float] | None:
    """Return the intervals of gradients, None if they have no colors that can be read."""
    colors = np.asarray(colors_in(gradients), dtype=np.uint32)
    if not len(colors):
        return None
    alpha = (colors & 0xFF) / 255.0
    # Stops are mixed with their alpha: a transparent one fades its neighbours out, and has no color of its own.
    rgb = rgb_of(colors[alpha > 0] if alpha.any() else colors)
    # Of several gradients one covers the other.
    count = gradients.count("gradient(")
    least = 0.0 if count > 1 else float(alpha.min())
    most = 1.0 - (1.0 - float(alpha.max())) ** count
    return [*rgb.min(axis=0).tolist(), *rgb.max(axis=0).tolist(), least, most]


@lru_cache(maxsize=1_000)
def _pixels_of(address: str) -> list[float] | None:
    """Return the intervals of a small image in a data address, None for any other image."""
    match = _DATA.fullmatch(address) if len(address) <= _LONGEST_IMAGE else None
    if match is None:
        return None
    from PIL import Image

    data = base64.b64decode(match[1] + "=" * (-len(match[1]) % 4))
    # The browser converts colors by these.
    if any(name in data for name in (b"iCCP", b"gAMA", b"cHRM", b"cICP")):
        return None
    try:
        with Image.open(io.BytesIO(data), formats=("PNG", "GIF")) as image:
            if max(image.size) > _WIDEST_IMAGE or getattr(image, "n_frames", 1) != 1 or image.mode not in _MODES:
                return None
            pixels = np.asarray(image.convert("RGBA")).reshape(-1, 4).astype(np.float64)
    except (OSError, ValueError, EOFError, SyntaxError):
        return None
    painted = pixels[pixels[:, 3] > 0]
    if not len(painted):
        return list(_NOTHING)
    low, high = painted.min(axis=0), painted.max(axis=0)
    return [*low[:3].tolist(), *high[:3].tolist(), 0.0, float(high[3]) / 255.0]


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
    """Return the images that show nothing because they failed or are placeholders, bool (nodes,)."""
    blank = np.zeros(len(page), dtype=bool)
    source = page.attribute(SHOWN_SOURCE)
    rows = np.flatnonzero(page.has_tag("img") & (source >= 0))
    addresses = [page.strings[code] for code in source[rows].tolist()]
    blank[rows] = [without_fragment(address) in failed or is_placeholder(address) for address in addresses]
    return blank


def is_placeholder(address: str) -> bool:
    """Return whether a data address is an image of one transparent pixel."""
    data = address.removeprefix("data:image/gif;base64,")
    if data == address or len(data) > _LONGEST_PIXEL:
        return False
    from PIL import Image

    try:
        with Image.open(io.BytesIO(base64.b64decode(data))) as image:
            single = image.size == (1, 1) and getattr(image, "n_frames", 2) == 1
            return single and image.convert("RGBA").getpixel((0, 0))[3] == 0  # type: ignore[index]
    except (OSError, ValueError, EOFError):
        return False


def has_unknown_colors(page: Page, styles: Styles) -> BoolColumn:
    """Return the nodes with content that their styles do not describe, images aside, bool (nodes,)."""
    return (
        _drawn_inputs(page)
        | _has_bars(page, styles)
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


def _has_bars(page: Page, styles: Styles) -> BoolColumn:
    """Return the formulas and columns with lines as broad as text is high, bool (nodes,)."""
    thickness = page.attribute("linethickness")
    unusual = np.zeros(len(page), dtype=bool)
    rows = np.flatnonzero(page.has_tag("mfrac") & (thickness >= 0))
    unusual[rows] = [page.strings[thickness[row]].strip() not in _USUAL_BARS for row in rows.tolist()]
    bars = page.has_tag("mfrac", "msqrt", "mroot") & (styles.pixels("font-size") * _BAR >= BAND)
    found: BoolColumn = unusual | bars | (styles.pixels("column-rule-width") >= BAND)
    return found
