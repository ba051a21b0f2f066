"""Markdown that a site offers in place of a page, compared with what the page shows, as nobody sees it."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from ..lexicon.instructions import reads_as_instruction
from ..lexicon.words import word_runs, words
from ..page.page import Page
from ..render.sources.alternates import ADDRESS, ALONE, ALTERNATE
from .document import Document

#: Most words of Markdown that may not be on the page, as a share and one after the other; the least share of the words
#: of the text that it has.
MOST_UNSEEN, MOST_TOGETHER, LEAST = 0.1, 8, 0.5
#: Neighbouring words that are searched on the page: single words would be found in any order.
_RUN = 3
#: Targets of links, and tags without attributes.
_UNREAD = re.compile(r"</?\w+>|\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)?|https?://[^\s<>)\]]+")
_ESCAPED = re.compile(r"\\([^\w\s])")
_LONGEST = 160


def with_markdown(page: Page, document: Document) -> tuple[Document, str]:
    """Return a document with the Markdown of the site of its page, and what is said about it, "" if there is none.

    It is used as it is, unless it says what the page does not (:func:`difference_from`).
    """
    markdown, named = page.environment.get(ALTERNATE, ""), f"({page.environment.get(ADDRESS, '')})"
    if not markdown:
        return document, ""
    if ALONE not in page.environment and (why := difference_from(document, markdown)):
        return document, f"Markdown of the site left out: {why} {named}"
    return replace(document, served=markdown), f"Markdown of the site {named}"


def difference_from(document: Document, markdown: str) -> str:
    """Return what Markdown has that the page of a document does not show, or what it lacks; "" if both agree.

    Description and texts of pictures count as shown, as the document has them. A word is on the page if it is there
    with two words next to it in the Markdown, in a line of fewer if all are. Underscores are marks of emphasis.
    """
    # The text has the white space of code, which the leaves of a page have not.
    shown = [document.text, document.title, document.metadata.description, *(image.alt for image in document.images)]
    shown += [document.seen.value.text] if document.seen else []
    seen = words("\n".join(shown).replace("_", " "))
    runs, single = set(word_runs(seen, _RUN)), set(seen)
    found, missing, lines = list[str](), list[bool](), list[str]()
    for line in markdown.splitlines():
        of_line = words(_ESCAPED.sub(r"\1", _UNREAD.sub(" ", line)).replace("_", " "))
        covered = np.full(len(of_line), len(of_line) < _RUN and single.issuperset(of_line))
        for number, run in enumerate(word_runs(of_line, _RUN)):
            covered[number : number + _RUN] |= run in runs
        found += of_line
        missing += (~covered).tolist()
        lines += [] if covered.all() else [line]
    if told := next(filter(reads_as_instruction, [*lines, "\n".join(lines)]), ""):
        return f"it has instructions that are not on the page: {' '.join(told.split())[:_LONGEST]}"
    signs = "".join("01"[one] for one in missing)
    if passage := re.search(f"1{{{MOST_TOGETHER},}}", signs):
        return f"a passage is not on the page: {' '.join(found[slice(*passage.span())])[:_LONGEST]}"
    unseen, text = sum(missing), len(words(document.text))
    if unseen > MOST_UNSEEN * len(found):
        return f"{100 * unseen / len(found):.0f} % of its words are not on the page"
    has = len(found) - unseen
    return f"it has {100 * has / text:.0f} % of the words of the text" if has < LEAST * text else ""
