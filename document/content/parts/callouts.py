"""Callouts (admonitions, alerts): boxes with a note, a tip or a warning, by role, class name or title."""

from __future__ import annotations

from collections.abc import Iterator

from ....lexicon.word_lists import by_language, entries
from ....page.arrays import HALF
from ....page.clean_text import letters_of
from ....page.page import Page
from ....page.surroundings import Surroundings
from .inline import HEADINGS

#: The kind that each title, or word of a class name, is of.
KIND = {word: kind for kind, words in entries("callouts").items() for word in words}
_CLASSES = {word for kind in by_language("callouts").values() for word in kind["any"]}
#: Class names of a box by programs that make it (Sphinx, Docusaurus, GitHub, VitePress, Quarto, MDN, Bootstrap, ...),
#: and those that are the kind and nothing else.
_BOXES = (
    "admonition admonitionblock theme-admonition markdown-alert custom-block hint-container callout notecard alert "
    "hint starlight-aside"
).split()
_ALONE = "note tip important warning caution danger attention".split()
_CONTAINERS = ("div", "section", "aside", "blockquote", "article")
#: A longer box, or one with more of the text, is a part of the page. A longer text is no title.
_MOST_CHARACTERS, _TITLE = 2_000, 24


def find_callouts(page: Page, around: Surroundings) -> dict[int, str]:
    """Return the kind of each outermost callout with marked text, by row."""
    size, text, callouts, end = page.leaf_lengths * around.marks, int(page.leaf_lengths[around.marks].sum()), {}, -1
    for row, kind in sorted(dict([*_titled(page, around), *_declared(page)]).items()):
        first, last = page.leaf_range[row].tolist()
        characters = int(size[first:last].sum())
        if row >= end and kind and 0 < characters <= min(_MOST_CHARACTERS, HALF * text):
            callouts[row], end = kind, int(page.end[row])
    return callouts


def _declared(page: Page) -> Iterator[tuple[int, str]]:
    """Yield the boxes by role and class name."""
    boxes = page.attribute_matches("class", lambda names: bool(_kind_of_class(names)), needs=(*_BOXES, *_ALONE))
    boxes |= page.attribute_matches("role", "note".__eq__)
    for row in (boxes & page.has_tag(*_CONTAINERS)).nonzero()[0].tolist():
        yield row, _kind_of_class(page.attributes_of(row).get("class", "")) or "note"


def _kind_of_class(names: str) -> str:
    """Return the kind of a box by its class names, "" of anything else."""
    words = names.lower().split()
    if not any(word in _ALONE or word in _BOXES for word in words):
        return ""
    kinds = [part for word in words for part in word.split("-") if part in _CLASSES]
    return KIND[kinds[-1]] if kinds else ""


def _titled(page: Page, around: Surroundings) -> Iterator[tuple[int, str]]:
    """Yield the boxes that start with a title that is the name of a kind, in an element of its own."""
    short = around.marks & (page.leaf_lengths <= _TITLE)
    headings = page.below(page.has_tag(*HEADINGS[:3]))[page.leaves]
    for leaf in (short & ~headings).nonzero()[0].tolist():
        if kind := KIND.get(letters_of(page.leaf_texts[leaf]), ""):
            row, block = int(page.owner[page.leaves[leaf]]), False
            while row >= 0 and page.leaf_range[row].tolist() == [leaf, leaf + 1]:
                row, block = int(page.parent[row]), block or bool(page.block_level[row])
            if block and row >= 0 and page.leaf_range[row, 0] == leaf and page.tag_of(row) in _CONTAINERS:
                yield row, kind
