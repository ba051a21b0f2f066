"""Code blocks as written by their author: without labels, line numbers and buttons."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ....lexicon.word_lists import alternatives, entries
from ....page.arrays import BoolColumn
from ....page.page import Page

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language-|highlight-source-|highlight-|brush:\s*|src-|sourceCode\s+)([\w+#.]+)", re.IGNORECASE
)
_SHORT_LANGUAGE = re.compile(r"(?:^|\s)lang-([\w+#.]+)", re.IGNORECASE)
#: Highlighters whose class is followed by that of the language.
_BESIDE = re.compile(
    r"(?:^|\s)(?:hljs|highlight|prettyprint|syntaxhighlighter|codehilite|shiki)(?=\s|$)", re.IGNORECASE
)
_ATTRIBUTES = ("data-lang", "data-language", "data-code-lang", "data-enlighter-language", "lang")
#: Levels above a code block at which its language and its label are still looked for.
_FAR = 3
_LABELS = entries("code_labels")
#: Names of languages in labels, and in classes next to that of a highlighter; those of no language.
LANGUAGES, _NO_LANGUAGES = (frozenset(" ".join(_LABELS[name]).split()) for name in ("LANGUAGES", "NO_LANGUAGES"))
_COPY = re.compile(rf"\A(?:{alternatives(_LABELS['COPY'])})\s*[!✓✔]?\Z", re.IGNORECASE)
_BUTTON = re.compile(rf"\A(?:{alternatives(_LABELS['BUTTONS'])})\Z", re.IGNORECASE)
#: Classes of elements in a code block that are not code: labels, popups of types, buttons.
_NOT_CODE = re.compile(
    r"(?:^|\s)(?:language-id|code-title|code-?block-?title|playground-link|twoslash-popup[\w-]*|twoslash-error[\w-]*"
    r"|twoslash-completion[\w-]*|twoslash-meta[\w-]*|copy-?(?:btn|button|code[\w-]*|to-clipboard[\w-]*)|btn-?copy"
    r"|clipboard[\w-]*|zeroclipboard[\w-]*|copied)(?=\s|$)",
    re.IGNORECASE,
)
#: Most buttons and labels in a row before or after a code block.
MOST_BUTTONS = 6
_NUMBERS_CLASS = re.compile(
    r"(?:^|[\s_-])(?:line-?(?:nos?|numbers?)|lnt?|gutter|rouge-gutter|hljs-ln-n(?:umbers)?|blob-num|lnum)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_LINE_CLASS = re.compile(r"(?:^|[\s_-])line(?=\s|$)", re.IGNORECASE)
#: Words of which each of these names has one.
_NOT_CODE_WORDS = ("language-id", "title", "playground-link", "twoslash", "copy", "clipboard", "copied")
_NUMBERS_WORDS, _LINE_WORDS = ("line", "ln", "gutter", "num"), ("line",)
_DIGITS = re.compile(r"\A[\s\d.:|]*\d[\s\d.:|]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundCode:
    """The code blocks of a page.

    ``labels`` are languages named only by a label, by row; ``omitted`` the leaves that are not code (labels, line
    numbers, buttons); ``lines``, bool (nodes,), marks elements with one line of code each.
    """

    labels: dict[int, str]
    omitted: list[int]
    lines: BoolColumn


class _Furniture(NamedTuple):
    """The nodes in buttons, line numbers and prose, bool (nodes,) each."""

    buttons: BoolColumn
    numbers: BoolColumn
    prose: BoolColumn


def find_code(page: Page) -> FoundCode:
    """Find the languages, line numbers and labels of the code blocks of a page."""
    blocks = page.has_tag("pre", "listing").nonzero()[0]
    lines = np.zeros(len(page), dtype=bool)
    if not len(blocks):
        return FoundCode(labels={}, omitted=[], lines=lines)
    labels: dict[int, str] = {}
    omitted = _numbers(page, blocks.tolist())
    inside = page.below(page.has_tag("pre", "listing"))
    omitted += (page.below(page.has_tag("button")) & inside)[page.leaves].nonzero()[0].tolist()
    omitted += _not_code(page, inside, labels)
    furniture = _Furniture(
        buttons=page.below(page.has_tag("button")),
        numbers=_numbers_by_class(page),
        prose=page.below(page.has_tag("h1", "h2", "h3", "h4", "h5", "h6", "p", "li")),
    )
    for row in blocks.tolist():
        omitted += _beside(page, row, labels, furniture)
    named = page.attribute_matches("class", lambda name: _LINE_CLASS.search(name) is not None, needs=_LINE_WORDS)
    return FoundCode(labels=labels, omitted=omitted, lines=inside & named & ~page.has_tag("pre", "code"))


def language_of(page: Page, row: int, inner: int) -> str:
    """Return the declared language of a code block, "" if none; ``inner`` is its ``code`` element, -1 for none."""
    rows, around = [(row, True)] if inner < 0 else [(inner, True), (row, True)], row
    for _ in range(_FAR):
        around = max(int(page.parent[around]), 0)
        rows.append((around, False))
    return next((name for one, own in rows if (name := _named(page.attributes_of(one), own=own))), "")


def _named(attributes: dict[str, str], *, own: bool) -> str:
    classes = attributes.get("class", "")
    found = _LANGUAGE.search(classes) or (_SHORT_LANGUAGE.search(classes) if own else None)
    names = [found[1]] if found else []
    declared = {name: attributes[name] for name in _ATTRIBUTES if attributes.get(name)}
    names += [value for name, value in declared.items() if name != "lang" or value.strip().lower() in LANGUAGES]
    if _BESIDE.search(classes):
        names += [name for name in classes.split() if name.lower() in LANGUAGES]
    return next(filter(None, map(_plain, names)), "")


def _plain(name: str) -> str:
    """Return the name of a language in lower case, "" if it is none."""
    name = name.strip().lower()
    return name if re.fullmatch(r"[\w+#.-]+", name) and name not in _NO_LANGUAGES else ""


def _not_code(page: Page, inside: BoolColumn, labels: dict[int, str]) -> list[int]:
    """Return the leaves of labels, buttons and popups in code blocks."""
    named = page.attribute_matches("class", lambda name: _NOT_CODE.search(name) is not None, needs=_NOT_CODE_WORDS)
    around = page.below(named & inside & ~page.has_tag("pre", "code", "listing"))
    leaves = (around & inside)[page.leaves].nonzero()[0]
    popups = (page.below(named & page.has_tag("code")) & inside)[page.leaves].nonzero()[0]
    blocks = page.nearest(page.has_tag("pre", "listing"))
    for leaf in leaves.tolist():
        text = _plain(page.leaf_texts[leaf])
        if text in LANGUAGES:
            labels.setdefault(int(blocks[page.leaves[leaf]]), text)
    links = page.below(page.has_tag("a", "clipboard-copy"))[page.leaves] & inside[page.leaves]
    copies = [leaf for leaf in links.nonzero()[0].tolist() if _COPY.match(page.leaf_texts[leaf].strip())]
    return [*leaves.tolist(), *popups.tolist(), *copies]


def _beside(page: Page, row: int, labels: dict[int, str], furniture: _Furniture) -> list[int]:
    """Return the leaves right before and after a code block that are its buttons, its line numbers and its label.

    A label is in a row of buttons, or with nothing else in the wrapper of the block.
    """
    first, last = page.leaf_range[row].tolist()
    if first == last:
        return []
    stretches = [range(first - 1, -1, -1), range(last, len(page.leaves))]
    kinds = [dict(_row_of_buttons(page, stretch, furniture)) for stretch in stretches]
    wrapped = set(_neighbours(page, row))
    if not wrapped <= kinds[0].keys() | kinds[1].keys():
        wrapped = set()
    omitted: list[int] = []
    for found in kinds:
        leaves = list(found)
        label = next((leaf for leaf, kind in found.items() if kind == "label"), -1)
        if label in wrapped or (label >= 0 and "button" in found.values()):
            labels.setdefault(row, _plain(page.leaf_texts[label]))
        elif label >= 0:
            leaves = leaves[: leaves.index(label)]
        omitted += leaves
    return omitted


def _neighbours(page: Page, row: int) -> list[int]:
    """Return the other leaves in the wrapper of a code block."""
    first, last = page.leaf_range[row].tolist()
    for _ in range(_FAR):
        row = max(int(page.parent[row]), 0)
        start, end = page.leaf_range[row].tolist()
        if end - start > last - first:
            return [*range(start, first), *range(last, end)]
    return []


def _row_of_buttons(page: Page, leaves: range, furniture: _Furniture) -> Iterator[tuple[int, str]]:
    """Yield the first leaves that are buttons, line numbers or at most one label, with their kind."""
    left, has_label = MOST_BUTTONS, False
    for leaf in leaves:
        row, text = int(page.leaves[leaf]), page.leaf_texts[leaf].strip()
        if _COPY.match(text) or (furniture.buttons[row] and _BUTTON.match(text)):
            kind = "button"
        elif furniture.numbers[row] and _DIGITS.match(text):
            kind = "number"
        elif not has_label and text.lower() in LANGUAGES and not furniture.prose[row]:
            kind, has_label = "label", True
        else:
            return
        left -= kind != "number"
        if left < 0:
            return
        yield leaf, kind


def _numbers(page: Page, blocks: list[int]) -> list[int]:
    """Return the leaves of line numbers: by class, or in a column of their own."""
    leaves_found: list[int] = []
    named = _numbers_by_class(page)
    rows = page.nearest(page.has_tag("tr"))
    crowd = np.bincount(rows[blocks] + 1, minlength=len(page) + 1)
    for row in blocks:
        first, last = page.leaf_range[row].tolist()
        leaves = [leaf for leaf in range(first, last) if _DIGITS.match(page.leaf_texts[leaf])]
        neighbours = rows[row] >= 0 and crowd[rows[row] + 1] > 1
        if len(leaves) == last - first:
            leaves_found += leaves if (neighbours and _counts(page, leaves)) or named[row] else []
        else:
            leaves_found += [leaf for leaf in leaves if named[page.leaves[leaf]]]
    return leaves_found


def _numbers_by_class(page: Page) -> BoolColumn:
    named = page.attribute_matches("class", lambda name: _NUMBERS_CLASS.search(name) is not None, needs=_NUMBERS_WORDS)
    # Some name the cells of the code by its line as well.
    return page.below(named | (page.attribute("data-line-number") >= 0) & page.has_tag("td"))


def _counts(page: Page, leaves: list[int]) -> bool:
    """Return whether the numbers in leaves increase by one."""
    numbers = [int(number) for leaf in leaves for number in re.findall(r"\d{1,9}", page.leaf_texts[leaf])]
    return len(numbers) > 1 and all(later - sooner == 1 for sooner, later in itertools.pairwise(numbers))
