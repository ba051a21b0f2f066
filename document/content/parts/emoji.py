"""Pictures of emoji and smileys, replaced by the characters that they represent."""

from __future__ import annotations

import re
import unicodedata

import numpy as np

from ....page.hidden import Hidden
from ....page.page import Page
from .inline import Inset, Surroundings

_NAMED = re.compile(r"(?:^|[\s_-])(?:emoji|emojione|twemoji|smil(?:ey|ie)s?)(?=[\s_-]|$)", re.IGNORECASE)
#: The longest text of a sign, and the largest sign in CSS pixels.
_CHARACTERS, _SIZE = 16, 80


def find_emoji(page: Page, around: Surroundings) -> dict[int, Inset]:
    """Find the pictures of emoji in the content, by row."""
    insets = {}
    short = page.attribute_matches("alt", lambda alt: 0 < len(alt.strip()) <= _CHARACTERS)
    for row in np.flatnonzero(page.has_tag("img") & short).tolist():
        given = page.attributes_of(row)
        alt = given["alt"].strip()
        named = bool(_NAMED.search(given.get("class", "")))
        if (_is_sign(alt) or (named and " " not in alt)) and _is_small(page, row) and around.holds(row):
            insets[row] = Inset(path=(), text=alt)
    return insets


def _is_sign(text: str) -> bool:
    """Return whether a text is an emoji, with its modifiers."""
    kinds = [unicodedata.category(character) for character in text]
    return len(text) <= _CHARACTERS and "So" in kinds and {*kinds} <= {"So", "Sk", "Mn", "Me", "Cf", "Nd"}


def _is_small(page: Page, row: int) -> bool:
    """Return whether a picture is visible, as far as is known, and no larger than a character."""
    if page.geometry is None:
        given = page.attributes_of(row)
        sides = [given.get(name, "").strip().removesuffix("px") for name in ("width", "height")]
        large = any(side.isdecimal() and int(side[:6]) > _SIZE for side in sides)
        return bool(page.declared_hidden[row] == Hidden.VISIBLE) and not large
    width, height = page.geometry.box[row, 2:].tolist()
    return 1 < width <= _SIZE and 1 < height <= _SIZE and not page.geometry.invisible[row]
