"""The font of the tests, fixtures/fonts/boxes.ttf: every character is a box. Its metrics are those of common fonts.

Written anew by ``pip install fonttools && python tests/generators/font.py``.
"""

import string
import sys
import unicodedata
from pathlib import Path

EM, ASCENT, DESCENT = 1000, 930, 235
#: Classes of characters: width, bottom and top of the box.
NARROW, SMALL, TALL, DEEP, BROAD, WIDE, ZERO, BLANK = (
    "narrow",
    "small",
    "tall",
    "deep",
    "broad",
    "wide",
    "zero",
    "space",
)
SHAPES = {
    ".notdef": (600, 0, 720),
    NARROW: (310, 0, 720),
    SMALL: (600, 0, 540),
    TALL: (640, 0, 720),
    DEEP: (630, -200, 540),
    BROAD: (900, 0, 540),
    WIDE: (1000, -80, 800),
    ZERO: (0, 0, 0),
    BLANK: (310, 0, 0),
}
_LATIN = {" \u00a0": BLANK, "!'(),.:;|[]iIjl\u2018\u2019": NARROW, "gpqy": DEEP, "mwMW@%": BROAD, "bdfhkt": TALL}
_BY_CHARACTER = {character: shape for characters, shape in _LATIN.items() for character in characters}


def shape_of(character):
    """Return the class of a character, None if the font does not have it."""
    kind = unicodedata.category(character)
    if kind in ("Cc", "Cn", "Co", "Cs"):
        return None
    if kind in ("Cf", "Mn", "Me"):
        return ZERO
    if unicodedata.east_asian_width(character) in "WF":
        return WIDE
    if kind.startswith("Z"):
        return BLANK
    return _BY_CHARACTER.get(character, TALL if kind in ("Lu", "Nd") or character in string.punctuation else SMALL)


def _drawn(width, bottom, top):
    """Draw a frame whose stroke is 90 units wide."""
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    for inset in (0, 90) if top else ():
        left, right, low, high = 60 + inset, width - 60 - inset, bottom + inset, top - inset
        corners = [(left, low), (left, high), (right, high), (right, low)]
        pen.moveTo(corners[0])
        for corner in corners[1:] if not inset else corners[:0:-1]:
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


def write(path):
    """Write the font."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

    found = {code: shape_of(chr(code)) for code in range(0x20, 0x20000)}
    characters = {code: shape for code, shape in found.items() if shape}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([*SHAPES])
    builder.setupCharacterMap({})
    builder.setupGlyf({name: _drawn(*shape) for name, shape in SHAPES.items()})
    builder.setupHorizontalMetrics({name: (width, 60 if top else 0) for name, (width, _, top) in SHAPES.items()})
    builder.setupHorizontalHeader(ascent=ASCENT, descent=-DESCENT)
    builder.setupNameTable({"familyName": "Boxes", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=ASCENT, sTypoDescender=-DESCENT, usWinAscent=ASCENT, usWinDescent=DESCENT)
    builder.setupPost(underlinePosition=-100, underlineThickness=60)
    table = CmapSubtable.newSubtable(13)  # ranges of characters with one glyph
    table.platformID, table.platEncID, table.language, table.cmap = 3, 10, 0, characters
    table.format = 13
    table.reserved = table.length = table.nGroups = 0
    builder.font["cmap"].tables = [table]
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.save(path)


if __name__ == "__main__":
    write(sys.argv[1] if sys.argv[1:] else Path(__file__).parents[2] / "fixtures/fonts/boxes.ttf")
