"""The fonts of the tests, in fixtures/fonts: each character is a box, cut at another place in each Latin one.

Written anew by ``pip install fonttools && python tests/generators/font.py``.
"""

import string
import unicodedata
from pathlib import Path

EM, ASCENT, DESCENT = 1000, 930, 235
#: Width of each class of characters, bottom and top of its box.
SHAPES = {
    ".notdef": (600, 0, 720), "narrow": (310, 0, 720), "small": (600, 0, 540), "tall": (640, 0, 720),
    "deep": (630, -200, 540), "broad": (900, 0, 540), "wide": (1000, -80, 800), "zero": (0, 0, 0),
    "blank": (310, 0, 0), "block": (600, -DESCENT, ASCENT),
}  # fmt: skip
_KINDS = dict.fromkeys(("Cf", "Mn", "Me"), "zero") | dict.fromkeys(("Zs", "Zl", "Zp"), "blank")
_LATIN = {"!'(),.:;|[]iIjl\u2018\u2019": "narrow", "gpqy": "deep", "mwMW@%": "broad", "bdfhkt" + string.digits: "tall"}


def shape_of(character):
    """Return the class of a character, None if the font does not have it."""
    kind = unicodedata.category(character)
    if kind in ("Cc", "Cn", "Co", "Cs"):
        return None
    if kind not in _KINDS and unicodedata.east_asian_width(character) in "WF":
        return "wide"
    if "\u2580" <= character <= "\u259f":
        return "block"
    latin = next((shape for characters, shape in _LATIN.items() if character in characters), "")
    return _KINDS.get(kind) or latin or ("tall" if kind == "Lu" or character in string.punctuation else "small")


def _box(width, bottom, top, code=None):
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen, side = TTGlyphPen(None), 0 if top == ASCENT else 60
    cut = width // 2 if code is None else side + 20 + code * 37 % (width - 2 * side - 80)
    for left, right in ((side, cut), (cut if code is None else cut + 40, width - side)) if top else ():
        pen.moveTo((left, bottom))
        for corner in ((left, top), (right, top), (right, bottom)):
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


def write(path, name, width_of):
    """Write a font; ranges of characters with one glyph are a table of format 13."""
    from fontTools.fontBuilder import FontBuilder
    from fontTools.ttLib.tables._c_m_a_p import CmapSubtable

    table = CmapSubtable.newSubtable(13)
    table.platformID, table.platEncID, table.format = 3, 10, 13
    table.language = table.reserved = table.length = table.nGroups = 0
    table.cmap = {code: shape for code in range(0x20, 0x20000) if (shape := shape_of(chr(code)))}
    shapes = {kind: (width_of(width), bottom, top, None) for kind, (width, bottom, top) in SHAPES.items()}
    for code in range(0x21, 0x7F):
        shapes[chr(code)] = (*shapes[table.cmap[code]][:3], code)
        table.cmap[code] = chr(code)
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([*shapes])
    builder.setupCharacterMap({})
    builder.setupGlyf({name: _box(*shape) for name, shape in shapes.items()})
    builder.setupHorizontalMetrics({name: (shape[0], 60 * (shape[2] < ASCENT)) for name, shape in shapes.items()})
    builder.setupHorizontalHeader(ascent=ASCENT, descent=-DESCENT)
    builder.setupNameTable({"familyName": name, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=ASCENT, sTypoDescender=-DESCENT, usWinAscent=ASCENT, usWinDescent=DESCENT)
    builder.setupPost(underlinePosition=-100, underlineThickness=60)
    builder.font["cmap"].tables = [table]
    builder.font["head"].created = builder.font["head"].modified = 0
    builder.font.recalcTimestamp = False
    builder.save(path)


if __name__ == "__main__":
    folder = Path(__file__).parents[2] / "fixtures" / "fonts"
    write(folder / "boxes.ttf", "Boxes", lambda width: width)
    write(folder / "boxes-mono.ttf", "Boxes Mono", lambda width: 600 if 0 < width < EM else width)
