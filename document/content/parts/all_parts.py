"""All parts of the content that are not plain text, among them emoji; headings to add, and text to drop."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....page.arrays import BoolColumn, Marks, between, mask_of
from ....page.geometry import Geometry
from ....page.hidden import Hidden
from ....page.page import Page
from ....page.surroundings import Surroundings
from ....page.visibility import SENTENCE
from .callouts import find_callouts
from .code import FoundCode, find_code
from .embeds import find_boxes, find_embeds
from .footnotes import find_footnotes
from .formulas import find_formulas
from .images import FoundImages, Image, find_images
from .inline import HEADINGS, Inset
from .tex import FormulaSpan, tex_in_text

_EMOJI_NAME = re.compile(r"(?:^|[\s_-])(?:emoji|emojione|twemoji|smil(?:ey|ie)s?)(?=[\s_-]|$)", re.IGNORECASE)
#: The longest text of a sign, and the largest sign in CSS pixels.
_SIGN_CHARACTERS, _SIGN_SIZE = 16, 80
#: The text of a link from a heading to itself.
_HEADING_SIGN = re.compile(r"\A\W{1,2}\Z")
#: Class names of links for editing a section, and of permanent links to it.
_EDIT_CLASS = re.compile(r"(?:^|\s)(?:mw-editsection|editsection|headerlink|hash-link)(?=\s|$)", re.IGNORECASE)
#: Readings of words, which would run into them; a sentence is none.
_READINGS = ("rt", "rp", "rtc")
_EDIT_WORDS = ("editsection", "headerlink", "hash-link")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentParts:
    """The parts of a page's content.

    ``marks``, bool (leaves,), is the text to write: with captions and notes, not replaced by insets. ``captions`` are
    the leaves in it that come along with a picture; ``insets`` replace elements, by row; ``omitted``, bool (nodes,),
    has no output; ``notes`` are label and symbol of each footnote, by row; ``verse``, bool (nodes,), marks texts in
    which line ends are kept; ``formulas`` are those within texts, ``callouts`` the kinds of these, by row;
    ``margin`` are the notes in the margin, with the row of the label of each.
    """

    marks: Marks
    captions: frozenset[int]
    insets: Mapping[int, Inset]
    omitted: BoolColumn
    notes: Mapping[int, tuple[str, str]]
    margin: Mapping[int, int]
    callouts: Mapping[int, str]
    code: FoundCode
    images: tuple[Image, ...]
    verse: BoolColumn
    formulas: Mapping[int, Sequence[FormulaSpan]]


def find_parts(page: Page, marks: Marks, *, images: bool = True, captions: bool = True) -> ContentParts:
    """Find the parts of the content of a page; unmarked captions are included if ``captions`` is set."""
    around = Surroundings(page, marks)
    code = find_code(page)
    formulas = find_formulas(page, around)
    notes = find_footnotes(page, around)
    none = FoundImages(images=(), insets={}, captions=[])
    emoji = find_emoji(page, around)
    shown = find_images(page, around, taken=formulas.pictures | emoji.keys(), captions=captions) if images else none
    media = find_embeds(page, around) | find_boxes(page, around)
    insets = _outermost(page, emoji | notes.insets | shown.insets | media | formulas.insets)
    omitted = mask_of(len(page), [*insets, *formulas.omitted])
    if (readings := page.has_tag(*_READINGS)).any():
        omitted |= readings & (page.sum_leaves(page.leaf_lengths.astype(np.float64)) < SENTENCE)
    omitted = page.below(omitted)
    written = marks.copy()
    along = [leaf for leaf in shown.captions if not marks[leaf]]
    written[[*notes.leaves, *along]] = True
    written[[*code.omitted, *notes.omitted, *heading_signs(page)]] = False
    written &= ~omitted[page.leaves]
    return ContentParts(
        marks=written,
        captions=frozenset(along),
        insets=insets,
        omitted=omitted,
        notes=notes.notes,
        margin=notes.margin,
        callouts=find_callouts(page, around),
        code=code,
        images=shown.images,
        verse=lines_kept(page),
        formulas=tex_in_text(page, written),
    )


def _outermost(page: Page, insets: dict[int, Inset]) -> dict[int, Inset]:
    """Drop insets inside others."""
    outermost, end = {}, -1
    for row in sorted(insets):
        if row >= end:
            outermost[row], end = insets[row], int(page.end[row])
    return outermost


def find_emoji(page: Page, around: Surroundings) -> dict[int, Inset]:
    """Find the pictures of emoji in the content, by row."""
    insets = {}
    short = page.attribute_matches("alt", lambda alt: 0 < len(alt.strip()) <= _SIGN_CHARACTERS)
    for row in (page.has_tag("img") & short).nonzero()[0].tolist():
        attributes = page.attributes_of(row)
        alt = attributes["alt"].strip()
        named = bool(_EMOJI_NAME.search(attributes.get("class", "")))
        if (_is_sign(alt) or (named and " " not in alt)) and _is_small(page, row) and around.holds(row):
            insets[row] = Inset(path=(), text=alt)
    return insets


def _is_sign(text: str) -> bool:
    """Return whether a text is an emoji, with its modifiers."""
    kinds = [unicodedata.category(character) for character in text]
    signs = {"So", "Sc", "Sm"}
    return bool(signs & {*kinds}) and {*kinds} <= {*signs, "Sk", "Mn", "Me", "Cf", "Nd"}


def _is_small(page: Page, row: int) -> bool:
    """Return whether a picture is visible, as far as is known, and no larger than a character."""
    if page.geometry is None:
        attributes = page.attributes_of(row)
        sides = [attributes.get(name, "").strip().removesuffix("px") for name in ("width", "height")]
        large = any(side.isdecimal() and int(side[:6]) > _SIGN_SIZE for side in sides)
        return bool(page.declared_hidden[row] == Hidden.VISIBLE) and not large
    width, height = page.geometry.box[row, 2:].tolist()
    return 1 < width <= _SIGN_SIZE and 1 < height <= _SIGN_SIZE and not page.geometry.invisible[row]


def heading_signs(page: Page) -> list[int]:
    """Return the leaves of links for editing a section, and of symbols with which headings link to themselves."""
    edit = page.attribute_matches("class", lambda name: _EDIT_CLASS.search(name) is not None, needs=_EDIT_WORDS)
    inside = page.below(page.has_tag(*HEADINGS))[page.leaves]
    signs: list[int] = page.below(edit)[page.leaves].nonzero()[0].tolist() if inside.any() else []
    links = page.nearest(page.has_tag("a"))[page.leaves]
    for leaf in (inside & (links >= 0)).nonzero()[0].tolist():
        # The only text of a link within the page, without letters.
        if _HEADING_SIGN.match(page.leaf_texts[leaf].strip()):
            first, last = page.leaf_range[links[leaf]].tolist()
            if last - first == 1 and "#" in page.attributes_of(int(links[leaf])).get("href", ""):
                signs.append(leaf)
    return signs


# -- text whose line ends are rendered as such: verse, addresses ------------------------------------------------------

_KEEPS = ("pre", "pre-line", "pre-wrap", "break-spaces")
_STYLE = re.compile(r"(?:^|[;{\s])white-space\s*:\s*([a-z-]+)", re.IGNORECASE)
#: Utility classes for the property.
_CLASS = re.compile(r"(?:^|\s)whitespace-(pre(?:-line|-wrap)?|break-spaces|normal|nowrap)(?=\s|$)")


def lines_kept(page: Page) -> BoolColumn:
    """Mark texts in which line ends break lines, as laid out or else as declared, bool (nodes,)."""
    if page.geometry is not None:
        return _laid_out_so(page, page.geometry, _broken(page))
    declared = _declared(page)
    if not declared:
        return np.zeros(len(page), dtype=bool)
    named = mask_of(len(page), list(declared))
    nearest, broken = page.nearest(named), _broken(page)
    for row in broken.nonzero()[0].tolist():
        broken[row] = nearest[row] >= 0 and declared[int(nearest[row])] in _KEEPS
    return broken


def _broken(page: Page) -> BoolColumn:
    """Mark the texts that contain line ends."""
    texts = ((page.text >= 0) & ~page.below(page.has_tag("script", "style", "head"))).nonzero()[0]
    broken = np.zeros(len(page), dtype=bool)
    broken[texts] = ["\n" in page.strings[text] for text in page.text[texts].tolist()]
    return broken


def _laid_out_so(page: Page, geometry: Geometry, broken: BoolColumn) -> BoolColumn:
    """Mark the texts of blocks in which a line end is laid out as a break."""
    texts, short = broken.nonzero()[0], mask_of(len(page), geometry.line_node[geometry.line_length == 1])
    kept = mask_of(len(page), [row for row in texts[short[texts]].tolist() if _laid_out(page, geometry, row)])
    kept[texts] |= np.isin(page.owner[texts], page.owner[kept])
    return kept


def _laid_out(page: Page, geometry: Geometry, row: int) -> bool:
    """Return whether a line end within a text has a text run of its own, as it has when it breaks the line."""
    text = page.text_of(row)
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    inner, units = set[int](), 0
    for place, sign in enumerate(text):
        if sign == "\n" and start < place < end:
            inner.add(units)
        units += 1 + (sign > "\uffff")  # browsers count in UTF-16
    lines = slice(*between(geometry.line_node, row, row + 1))
    single = geometry.line_start[lines][geometry.line_length[lines] == 1]
    return not inner.isdisjoint(single.tolist())


def _declared(page: Page) -> dict[int, str]:
    """Return the ``white-space`` value that attributes and utility classes declare, by row."""
    declared: dict[int, str] = {}
    for name, pattern in (("class", _CLASS), ("style", _STYLE)):
        values = page.attribute(name)
        for row in page.attribute_matches(name, lambda value: "white" in value.lower(), needs=("white",)).nonzero()[0]:
            if found := pattern.search(page.strings[int(values[row])]):
                declared[int(row)] = found[1].lower()
    return declared
