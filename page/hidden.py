"""Reasons why text is not visible, and those that markup alone declares (attribute ``hidden``, inline styles)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from .tree import Tree

#: Inline styles that hide an element, that override the attribute ``hidden``, and that hide an element but not
#: necessarily its descendants.
_GONE_STYLE = re.compile(r"(?<![-\w])(?:display\s*:\s*none|content-visibility\s*:\s*hidden)", re.IGNORECASE)
_FADED_STYLE = re.compile(r"(?<![-\w])opacity\s*:\s*(?:0*\.?0+)%?\s*(?=[;!]|$)", re.IGNORECASE)
_SHOWN_STYLE = re.compile(r"(?<![-\w])display\s*:\s*(?!none)", re.IGNORECASE)
_VISIBILITY_STYLE = re.compile(r"(?<![-\w])visibility\s*:\s*(hidden|collapse|visible)", re.IGNORECASE)
#: A font size of zero, and a font size that does not depend on the parent.
_NO_SIZE_STYLE = re.compile(r"(?<![-\w])font-size\s*:\s*0*\.?0+(?:px|r?em|%)?\s*(?=[;!]|$)", re.IGNORECASE)
_SIZE_STYLE = re.compile(r"(?<![-\w])font(?:-size)?\s*:(?!\s*[\d.]+(?:em|%))", re.IGNORECASE)
#: Each of these expressions contains one of these words; other letters than those of ASCII may count as theirs.
_DECIDING = ("display", "visibility", "font", "opacity")
#: Only this many characters at the start and at the end of an inline style are read.
_MAX_STYLE = 50_000

#: Objects that browsers show without a plug-in, by media type and by suffix of the address.
_SHOWN_OBJECTS = ("image/", "text/", "application/pdf", "application/xhtml")
_SHOWN_FILES = (".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".html", ".htm", ".pdf", ".txt")

#: Bits of what an inline style declares.
_GONE, _SHOWN, _INVISIBLE, _VISIBLE, _EMPTY, _SIZED, _FADED = (1 << bit for bit in range(7))


class Hidden(IntEnum):
    """Reason for which a text leaf is not visible; ``VISIBLE`` is 0, so that a column of reasons is also a mask.

    ======================= ===========================================================================================
    ``DISPLAY``             It has no rendered line: ``display: none``, closed details, unassigned slots ...
    ``VISIBILITY``          The computed ``visibility`` is not ``visible``.
    ``OPACITY``             Its opacity, or the alpha of its color, is close to zero.
    ``CLIP``                An ancestor clips it, or all but a narrow strip of it.
    ``ZERO_AREA``           Its line boxes have no area.
    ``OFF_SCREEN``          It cannot be reached by scrolling.
    ``OVERLAY``             An overlay that can be closed covers it; it counts as visible.
    ``COLOR``               It has the color of its background.
    ``COVER``               Something that cannot be closed is painted over it.
    ``SIZE``                It is too small to be read.
    ``GLYPHS``              Its font, or its characters, draw nothing.
    ``EFFECT``              A filter, mask, blend mode, clip path or 3D transform makes it invisible.
    ======================= ===========================================================================================
    """

    VISIBLE = 0
    DISPLAY = 1
    VISIBILITY = 2
    OPACITY = 3
    CLIP = 4
    ZERO_AREA = 5
    OFF_SCREEN = 6
    OVERLAY = 7
    COLOR = 8
    COVER = 9
    SIZE = 10
    GLYPHS = 11
    EFFECT = 12


def declared_hidden(tree: Tree) -> NDArray[np.uint8]:
    """Return the :class:`Hidden` of each node by markup alone, uint8 (nodes,); style sheets rarely override it."""
    style = tree.attribute("style")
    flags = np.zeros(len(tree), dtype=np.uint8)
    styled = (style >= 0).nonzero()[0]
    codes = style[styled].tolist()
    # Each distinct style is parsed once.
    parsed = {code: _style_flags(tree.strings[code]) for code in set(codes)}
    if not any(parsed.values()) and not tree.name_codes("hidden", "object", "dialog", "popover"):
        return np.zeros(len(tree), dtype=np.uint8)  # Hidden.VISIBLE
    flags[styled] = [parsed[code] for code in codes]
    shut = (tree.has_tag("dialog") & (tree.attribute("open") < 0)) | (tree.attribute("popover") >= 0)
    gone = (((tree.attribute("hidden") >= 0) | shut) & (flags & _SHOWN == 0)) | (flags & _GONE > 0)
    invisible, visible, empty = flags & _INVISIBLE > 0, flags & _VISIBLE > 0, flags & _EMPTY > 0
    # Style sheets select elements by class or id, and may set a size for them.
    sized = (tree.attribute("class") >= 0) | (tree.attribute("id") >= 0) | (flags & _SIZED > 0)
    for row in tree.has_tag("object").nonzero()[0].tolist():
        gone[row] |= _is_shown(tree.attributes_of(row))
    hidden = np.zeros(len(tree), dtype=np.uint8)  # Hidden.VISIBLE
    if invisible.any():
        deciding = tree.nearest(invisible | visible)
        hidden[(deciding >= 0) & invisible[deciding]] = Hidden.VISIBILITY
    if empty.any():
        sizing = tree.nearest(empty | sized)
        hidden[(sizing >= 0) & empty[sizing]] = Hidden.ZERO_AREA
    if (faded := flags & _FADED > 0).any():
        hidden[tree.below(faded)] = Hidden.OPACITY
    if gone.any():
        hidden[tree.below(gone)] = Hidden.DISPLAY
    return hidden


def _style_flags(style: str) -> int:
    if style.isascii() and not any(word in style.lower() for word in _DECIDING):
        return 0
    if len(style) > 2 * _MAX_STYLE:
        style = f"{style[:_MAX_STYLE]};{style[-_MAX_STYLE:]}"
    visibility = _VISIBILITY_STYLE.search(style)
    visible = visibility is not None and visibility[1].lower() == "visible"
    conditions = {
        _GONE: _GONE_STYLE.search(style),
        _SHOWN: _SHOWN_STYLE.search(style),
        _INVISIBLE: visibility is not None and not visible,
        _VISIBLE: visible,
        _EMPTY: _NO_SIZE_STYLE.search(style),
        _SIZED: _SIZE_STYLE.search(style),
        _FADED: _FADED_STYLE.search(style),
    }
    return sum(bit for bit, condition in conditions.items() if condition)


def _is_shown(attributes: Mapping[str, str]) -> bool:
    """Return whether browsers show an object without a plug-in; otherwise its fallback content is shown."""
    kind, address = attributes.get("type", "").strip().lower(), attributes.get("data", "").strip().lower()
    kind = kind or (address[5:] if address.startswith("data:") else "")
    return kind.startswith(_SHOWN_OBJECTS) or (not kind and address.split("?")[0].endswith(_SHOWN_FILES))
