"""Victor's features (Marek, Pecina, Spousta, WAC3 2007), without buckets and without the window of neighbours.

The names are the paper's, with ``_`` for ``.`` and ``-``; their meaning is from the slides of a lecture. Victor's
blocks are runs of text between any two tags (:func:`~blocksight.segment.blocks.leaf_blocks`); here any blocks are
measured. According to the slides,

- ``split`` counts tags, an element as two (start and end tag), without scripts and styles;
- ``regexp`` and ``bullet`` are the number of the first of several expressions that matches, so that blocks with bullets
of one kind share a value; a web address has one expression, so that ``regexp_url`` is 0 or 1;
- ``duplicate_count`` is the number of blocks with the block's text, itself among them: 3, 1, 3, 3 for the texts a, b,
a, a;
- ``char`` and ``token`` are counts (``abs``) and shares (``rel``);
- ``td_group`` and ``div_group`` are the blocks with the same innermost element, ``<td>`` or ``<div>``.

Ours: an image contains no text, so ``container_img`` is about an image in the block's element; the choice of
expressions; the definition of punctuation; a sentence is what ends with a punctuation mark, and the words after the
last one; tokens are words (:mod:`~blocksight.lexicon.words`), and space-separated parts without a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ...lexicon.word_lists import by_language
from ...lexicon.words import count_words, sentence_ends, written_words
from ...page.arrays import BoolColumn, FloatArray, prefix_sums
from ...page.html import INLINE_TAGS, VOID_TAGS
from ...page.page import Page
from ..columns import Column, ColumnGroup, Columns, flag, numeric, share
from ..rows import HEADINGS, Rows

SOURCE = "Victor: Marek, Pecina, Spousta, WAC3 2007"
#: Prefix of the names of its columns.
PREFIX = "victor_"
_CONTAINERS = {
    "a": ("a",),
    "p": ("p",),
    "u": ("u",),
    "class_header": HEADINGS,
    "class_bold": ("b", "strong"),
    "class_italic": ("i", "em"),
    "class_list": ("ul", "ol", "dl", "li", "dt", "dd"),
    "class_form": ("form", "input", "select", "textarea", "button", "label", "fieldset"),
}
_MONTHS = "|".join(by_language("dates")["MONTHS"]["en"])
_CHARACTERS = {
    "alpha": "letters",
    "num": "digits",
    "punct": "punctuation",
    "white": "white space",
    "other": "anything else",
}
_TOKENS = {
    "alpha": "letters only",
    "num": "digits only",
    "mix": "letters and digits",
    "other": "neither letters nor digits",
}


#: Expressions; the value of a text is the number of the first that matches.
_PATTERNS = {
    "url": (
        "a web address",
        (re.compile(r"https?://\S|www\.\w|\w@\w+\.\w|\b\w+\.(?:com|org|net|edu|gov|info|de|uk|fr|cz|ru|cn)\b"),),
    ),
    "date": (
        "a date",
        (
            re.compile(r"\b(?:19|20)\d\d-\d\d?-\d\d?\b"),
            re.compile(r"\b\d\d?[./-]\s?\d\d?[./-]\s?(?:\d{4}|\d\d)\b"),
            re.compile(rf"\b(?:{_MONTHS})[a-z]*\.? \d\d?\b", re.IGNORECASE),
            re.compile(rf"\b\d\d?\.? (?:{_MONTHS})", re.IGNORECASE),
            re.compile(r"\d[年月日]"),
            re.compile(r"\b(?:19|20)\d\d\b"),
        ),
    ),
    "time": (
        "a time of day",
        (
            re.compile(r"\b\d\d?:\d\d:\d\d\b"),
            re.compile(r"\b\d\d?(?:[:.]\d\d)?\s?[ap]\.?m\b", re.IGNORECASE),
            re.compile(r"\b[0-2]?\d:[0-5]\d\b"),
        ),
    ),
}
#: Bullets of list items: 1. and 1), a. and a), (a), dashes, dots, arrows.
_BULLETS = tuple(
    re.compile(rf"(?:{bullet})(?:\s|$)")
    for bullet in (r"\d+\.", r"\d+\)", r"\w[.)]", r"\(\w+\)", "[-–—]", "[*•·‣▪▫◦●○■□]", "[»›>►]")
)


def _count(name: str, meaning: str) -> Column:
    return numeric(name, meaning, "count", source=SOURCE)


def _number(name: str, what: str, patterns: int) -> Column:
    meaning = f"number of the first expression for {what} that matches, 0 for none"
    return numeric(name, meaning, "number of an expression", high=float(patterns), source=SOURCE)


COLUMNS = (
    *(
        flag(f"victor_container_{name}", f"1 if the block is inside <{'>, <'.join(tags)}>", SOURCE)
        for name, tags in _CONTAINERS.items()
    ),
    flag("victor_container_img", "1 if an image is in the block's element", SOURCE),
    *(
        _count(f"victor_split_{name}", f"number of tags of {what} between the block before and this one")
        for name, what in {
            "p": "<p>",
            "br": "<br>",
            "hr": "<hr>",
            "class_inline": "inline elements",
            "class_block": "block-level elements",
        }.items()
    ),
    *(_count(f"victor_char_{name}_abs", f"number of characters: {what}") for name, what in _CHARACTERS.items()),
    *(share(f"victor_char_{name}_rel", f"share of characters: {what}", SOURCE) for name, what in _CHARACTERS.items()),
    *(_count(f"victor_token_{name}_abs", f"number of tokens of {what}") for name, what in _TOKENS.items()),
    *(share(f"victor_token_{name}_rel", f"share of tokens: {what}", SOURCE) for name, what in _TOKENS.items()),
    _count("victor_sentence_count", "number of sentences, with a last one without a mark at its end"),
    numeric("victor_sentence_avg_length", "words per sentence", "words per sentence", source=SOURCE),
    flag("victor_sentence_begin", "1 if the block starts like a sentence, with a capital letter", SOURCE),
    flag("victor_sentence_end", "1 if the block ends like a sentence, with a punctuation mark", SOURCE),
    flag("victor_first_duplicate", "1 for the first of several blocks with the same text", SOURCE),
    _count("victor_duplicate_count", "number of blocks with the same text, this one included"),
    *(_number(f"victor_regexp_{name}", what, len(patterns)) for name, (what, patterns) in _PATTERNS.items()),
    _number("victor_bullet", "the bullet at the start of the block", len(_BULLETS)),
    share("victor_td_group_word_ratio", "share of the page's words in the same innermost <td>", SOURCE),
    share("victor_div_group_word_ratio", "share of the page's words in the same innermost <div>", SOURCE),
    share("victor_position", "blocks before this one, as a share of all", SOURCE),
    _count("victor_document_word_count", "number of words of the page"),
    _count("victor_document_sentence_count", "number of sentences of the page's blocks"),
    _count("victor_document_block_count", "number of blocks of the page"),
    share("victor_document_max_div_group", "share of the page's words in the largest such <div>", SOURCE),
    share("victor_document_max_td_group", "share of the page's words in the largest such cell", SOURCE),
)

_ENDS = ".!?…。！？।؟"
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")


def victor_features(rows: Rows, _: Columns) -> Columns:
    """Return Victor's columns."""
    text = _characters(rows) | _sentences(rows) | _patterns(rows)
    return _containers(rows) | _splits(rows) | text | _groups(rows)


def _column(measured: Callable[[str], float], rows: Rows) -> FloatArray:
    return np.fromiter((float(measured(text)) for text in rows.texts), dtype=np.float64, count=len(rows))


def _containers(rows: Rows) -> dict[str, FloatArray]:
    page = rows.page
    # The tags around the first text of a block, including those inside it (<b>, <a>).
    leaf = page.leaves[rows.first_leaf] if len(rows) else np.zeros(0, dtype=np.int32)
    around = {
        f"victor_container_{name}": page.below(page.has_tag(*tags))[leaf].astype(np.float64)
        for name, tags in _CONTAINERS.items()
    }
    return around | {"victor_container_img": (rows.count_tags("img") > 0).astype(np.float64)}


def _splits(rows: Rows) -> dict[str, FloatArray]:
    page = rows.page
    first = page.leaves[rows.first_leaf] if len(rows) else np.zeros(0, dtype=np.int32)
    last = _last_nodes(rows)
    kinds = {
        "p": page.has_tag("p"),
        "br": page.has_tag("br"),
        "hr": page.has_tag("hr"),
        "class_inline": page.has_tag(*INLINE_TAGS),
        "class_block": ~page.has_tag(*INLINE_TAGS),
    }
    columns = {}
    for name, kind in kinds.items():
        before = _tags_before(page, kind & page.in_source)
        previous = np.concatenate([[0], before[last[:-1]]])[: len(rows)]
        # Blocks of some segmentations are interleaved: then there are no tags between.
        columns[f"victor_split_{name}"] = np.maximum(before[first] - previous, 0).astype(np.float64)
    return columns


def _tags_before(page: Page, element: BoolColumn) -> NDArray[np.int64]:
    """Return the number of start and end tags of some elements before each text node, int64 (nodes,)."""
    closing = page.end[element & ~page.has_tag(*VOID_TAGS)]
    closed = np.cumsum(np.bincount(closing, minlength=len(page) + 1))
    return prefix_sums(element)[:-1] + closed[:-1]


def _last_nodes(rows: Rows) -> NDArray[np.int64]:
    last = np.zeros(len(rows), dtype=np.int64)
    leaves = np.flatnonzero(rows.leaf_row >= 0)
    last[rows.leaf_row[leaves]] = rows.page.leaves[leaves]
    return np.maximum.accumulate(last)


def _characters(rows: Rows) -> dict[str, FloatArray]:
    characters, tokens = np.zeros((len(rows), 5)), np.zeros((len(rows), 4))
    for row, text in enumerate(rows.texts):
        for character, number in Counter(text).items():
            characters[row, _character_kind(character)] += number
        for token in written_words(text) + [part for part in text.split() if not count_words(part)]:
            letter, digit = bool(_LETTER.search(token)), bool(_DIGIT.search(token))
            tokens[row, 2 if letter and digit else 0 if letter else 1 if digit else 3] += 1
    return _amounts("char", _CHARACTERS, characters) | _amounts("token", _TOKENS, tokens)


def _amounts(what: str, names: Iterable[str], amounts: FloatArray) -> dict[str, FloatArray]:
    shares = amounts / np.maximum(amounts.sum(axis=1, keepdims=True), 1.0)
    return {
        f"victor_{what}_{name}_{form}": column
        for form, values in (("abs", amounts), ("rel", shares))
        for name, column in zip(names, values.T, strict=True)
    }


def _character_kind(character: str) -> int:
    if character.isalpha():
        return 0
    if character.isdigit():
        return 1
    if character.isspace():
        return 3
    return 2 if character.isascii() or character in "“”„‘’«»…–—、。，！？：；（）《》「」" else 4


def _sentences(rows: Rows) -> dict[str, FloatArray]:
    number = _column(_count_sentences, rows)
    return {
        "victor_sentence_count": number,
        "victor_sentence_avg_length": _words(rows) / np.maximum(number, 1.0),
        "victor_sentence_begin": _column(lambda text: text[:1].isupper(), rows),
        "victor_sentence_end": _column(lambda text: text[-1:] in _ENDS, rows),
        "victor_document_sentence_count": np.full(len(rows), number.sum()),
    }


def _count_sentences(text: str) -> int:
    """Count the sentences of a text: those with a mark at the end, and the rest if it has a word."""
    ends = sentence_ends(text)
    return len(ends) + bool(count_words(text[ends[-1] :] if ends else text))


def _patterns(rows: Rows) -> dict[str, FloatArray]:
    number = Counter(rows.texts)
    known: set[str] = set()
    first = np.zeros(len(rows))
    for row, text in enumerate(rows.texts):
        first[row] = number[text] > 1 and text not in known
        known.add(text)
    return {
        "victor_first_duplicate": first,
        "victor_duplicate_count": _column(lambda text: number[text], rows),
        **{
            f"victor_regexp_{name}": _column(partial(_first_match, patterns), rows)
            for name, (_, patterns) in _PATTERNS.items()
        },
        "victor_bullet": _column(partial(_first_match, _BULLETS, begins=True), rows),
    }


def _first_match(patterns: Sequence[re.Pattern[str]], text: str, *, begins: bool = False) -> int:
    """Return the number of the first expression that a text contains, or starts with; 0 for none."""
    for number, pattern in enumerate(patterns, 1):
        if pattern.match(text) if begins else pattern.search(text):
            return number
    return 0


def _words(rows: Rows) -> FloatArray:
    """Return the words of each text, float64 (rows,); a character of a script without spaces is one word."""
    return _column(count_words, rows)


def _groups(rows: Rows) -> dict[str, FloatArray]:
    number = _words(rows)
    total = float(number.sum())
    td, div = _group_share(rows, number, "td"), _group_share(rows, number, "div")
    return {
        "victor_td_group_word_ratio": td,
        "victor_div_group_word_ratio": div,
        "victor_position": np.arange(len(rows)) / max(len(rows), 1),
        "victor_document_word_count": np.full(len(rows), total),
        "victor_document_block_count": np.full(len(rows), float(len(rows))),
        "victor_document_max_div_group": np.full(len(rows), div.max(initial=0.0)),
        "victor_document_max_td_group": np.full(len(rows), td.max(initial=0.0)),
    }


def _group_share(rows: Rows, number: FloatArray, tag: str) -> FloatArray:
    """Return the share of the page's words in the blocks with the same innermost element of a tag; 0 without one."""
    page = rows.page
    group = page.nearest(page.has_tag(tag))[rows.node]
    amount = np.bincount(group + 1, weights=number, minlength=1)
    amount[0] = 0.0
    return amount[group + 1] / max(float(number.sum()), 1e-9)


GROUP = ColumnGroup(name="victor", columns=COLUMNS, measure=victor_features)
