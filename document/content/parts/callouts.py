"""Callouts (admonitions, alerts): boxes with a note, a tip or a warning, by their class names."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ....lexicon.callout_labels import KINDS, LABELS
from ....page.arrays import BoolColumn
from ....page.clean_text import letters_of
from ....page.page import Page
from .inline import Surroundings

#: Class names of the box, of the programs that make it: Sphinx, MkDocs, Docusaurus, Asciidoctor, GitHub, VitePress,
#: VuePress, Obsidian, Quarto, MDN, Bootstrap, Starlight, GitBook.
_BOX = re.compile(
    r"(?:^|\s)(?:(?:theme-)?admonition(?:block)?|markdown-alert|custom-block|hint-container|callout|notecard|alert"
    r"|starlight-aside|hint)(?=\s|$)",
    re.IGNORECASE,
)
_BOX_WORDS = ("admonition", "alert", "custom-block", "hint", "callout", "notecard", "starlight-aside")
_KIND = {name: kind for kind, names in KINDS.items() for name in names.split()}
_KIND_CLASS = re.compile(rf"(?:^|[\s_-])(?:is-)?({'|'.join(_KIND)})(?=\s|$)", re.IGNORECASE)
_TITLE = re.compile(r"title|heading|header|label|icon(?![\w-]*content)", re.IGNORECASE)
#: Titles that only name the kind.
_LABELS = frozenset({*_KIND, *(word for words in LABELS.values() for word in words.split())})
_CONTAINERS = ("div", "section", "aside", "blockquote", "article")
#: A longer box is a part of the page.
MOST_CHARACTERS = 4_000
#: Leaves at the start of a box among which its title is.
_FIRST = 4


@dataclass(frozen=True, slots=True)
class FoundCallouts:
    """The kind of each callout in the content, by row, and the leaves of titles that only name it."""

    kinds: dict[int, str]
    omitted: list[int]


def find_callouts(page: Page, around: Surroundings) -> FoundCallouts:
    """Find the callouts with marked text."""
    boxes = page.attribute_matches(
        "class", lambda name: bool(_BOX.search(name) and _KIND_CLASS.search(name)), needs=_BOX_WORDS
    )
    boxes |= page.attribute("data-callout") >= 0
    boxes &= page.has_tag(*_CONTAINERS)
    if not boxes.any():
        return FoundCallouts(kinds={}, omitted=[])
    kinds: dict[int, str] = {}
    omitted: list[int] = []
    end = -1
    titles = page.below(page.attribute_matches("class", lambda name: _TITLE.search(name) is not None))
    for row in boxes.nonzero()[0].tolist():
        first, last = page.leaf_range[row].tolist()
        size = int(page.leaf_lengths[first:last].sum())
        if row < end or not around.marks[first:last].any() or size > MOST_CHARACTERS:
            continue
        end = int(page.end[row])
        kinds[row] = _kind_of(page.attributes_of(row))
        omitted += _label(page, range(first, min(first + _FIRST, last)), titles[page.leaves])
    return FoundCallouts(kinds=kinds, omitted=omitted)


def _kind_of(attributes: dict[str, str]) -> str:
    found = _KIND_CLASS.search(attributes.get("class", ""))
    name = found[1] if found else attributes.get("data-callout", "")
    return _KIND.get(name.strip().lower(), "note")


def _label(page: Page, leaves: range, titles: BoolColumn) -> list[int]:
    """Return the first leaves of a box if they only name its kind."""
    seen = [leaf for leaf in leaves if letters_of(page.leaf_texts[leaf])]
    if not seen:
        return []
    text = page.leaf_texts[seen[0]].strip()
    named = letters_of(text) in _LABELS and (bool(titles[seen[0]]) or text.endswith((":", "：")))
    return list(range(leaves.start, seen[0] + 1)) if named else []
