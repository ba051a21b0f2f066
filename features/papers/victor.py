"""Victor's features (Marek, Pecina, Spousta, CleanEval 2007), unbucketed and without the window of neighbours.

The names are the paper's, with ``_`` for ``.`` and ``-``. Victor's blocks are runs of text between any two tags; here
they are counted for whatever blocks are measured.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ...render.arrays import FloatArray
from ...render.page import INLINE_TAGS, TEXT
from ..rows import Rows
from ..structure import HEADINGS
from ..words import count_sentences
from .genieknows import below

SOURCE = "Victor: Marek, Pecina, Spousta, WAC3 2007"
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
DOCS = (
    {f"victor_container_{name}": f"1 where <{'>, <'.join(tags)}> is around" for name, tags in _CONTAINERS.items()}
    | {"victor_container_img": "1 where an image stands in the block's element"}
    | {
        f"victor_split_{name}": f"number of {what} that begin between the block before and this one"
        for name, what in {
            "p": "<p>",
            "br": "<br>",
            "hr": "<hr>",
            "class_inline": "inline elements",
            "class_block": "block-level elements",
        }.items()
    }
    | {f"victor_char_{name}_rel": f"share of characters: {what}" for name, what in _CHARACTERS.items()}
    | {f"victor_token_{name}_abs": f"number of tokens of {what}" for name, what in _TOKENS.items()}
    | {f"victor_token_{name}_rel": f"share of tokens: {what}" for name, what in _TOKENS.items()}
    | {
        "victor_sentence_count": "number of ends of sentences",
        "victor_sentence_avg_length": "number of words a sentence",
        "victor_sentence_begin": "1 where the block begins like a sentence, with a capital letter",
        "victor_sentence_end": "1 where the block ends like a sentence, with its mark",
        "victor_first_duplicate": "1 for the first of several blocks with the same text",
        "victor_duplicate_count": "number of other blocks with the same text",
        "victor_regexp_url": "1 where there is a web address",
        "victor_regexp_date": "1 where there is a date",
        "victor_regexp_time": "1 where there is a time of day",
        "victor_bullet": "1 where the block begins with a bullet",
        "victor_td_group_word_ratio": "share of the page's words in the same innermost table cell",
        "victor_div_group_word_ratio": "share of the page's words in the same innermost div",
        "victor_position": "blocks before this one, as a share of all",
        "victor_document_word_count": "number of words of the page",
        "victor_document_sentence_count": "number of ends of sentences of the page",
        "victor_document_block_count": "number of blocks of the page",
        "victor_document_max_div_group": "share of the page's words in the largest such div",
        "victor_document_max_td_group": "share of the page's words in the largest such cell",
    }
)

_URL = re.compile(r"https?://\S|www\.\w|\b\w+\.(?:com|org|net|edu|gov|info|de|uk|fr|cz|ru|cn)\b")
_DATE = re.compile(r"\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b|\b(?:19|20)\d\d-\d\d-\d\d\b|\b(?:19|20)\d\d\b|\d+[年月日]")
_TIME = re.compile(r"\b[0-2]?\d:[0-5]\d\b|\b\d{1,2}\s?[ap]\.?m\b", re.IGNORECASE)
_BULLET = re.compile(r"[*•·‣▪▫◦●○■□►–—-](?:\s|$)")
_ENDS = ".!?…。！？।؟"
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")


def victor_features(counts: Rows) -> dict[str, FloatArray]:
    """Return Victor's columns, float64 (rows,) each; :data:`DOCS` says what they are."""
    text = _characters(counts) | _sentences(counts) | _patterns(counts)
    return _containers(counts) | _splits(counts) | text | _groups(counts)


def _column(measured: Callable[[str], float], counts: Rows) -> FloatArray:
    return np.fromiter((float(measured(text)) for text in counts.texts), dtype=np.float64, count=len(counts))


def _containers(counts: Rows) -> dict[str, FloatArray]:
    page = counts.page
    # The tags around the first text of a block: those inside it (<b>, <a>) count, too.
    leaf = page.leaves[counts.first_leaf] if len(counts) else np.zeros(0, dtype=np.int32)
    around = {
        f"victor_container_{name}": page.below(page.has_tag(*tags))[leaf].astype(np.float64)
        for name, tags in _CONTAINERS.items()
    }
    return around | {"victor_container_img": (below(counts, "img") > 0).astype(np.float64)}


def _splits(counts: Rows) -> dict[str, FloatArray]:
    page = counts.page
    leaf = page.leaves[counts.first_leaf] if len(counts) else np.zeros(0, dtype=np.int32)
    kinds = {
        "p": page.has_tag("p"),
        "br": page.has_tag("br"),
        "hr": page.has_tag("hr"),
        "class_inline": page.has_tag(*INLINE_TAGS),
        "class_block": ~page.has_tag(*INLINE_TAGS, TEXT),
    }
    columns = {}
    for name, marked in kinds.items():
        begun = np.concatenate([[0], np.cumsum(marked)])
        previous = np.concatenate([[0], begun[_last_nodes(counts)[:-1]]]) if len(counts) else np.zeros(0)
        # Blocks of some segmentations lie within each other's text: then nothing is between.
        columns[f"victor_split_{name}"] = np.maximum(begun[leaf] - previous, 0).astype(np.float64)
    return columns


def _last_nodes(counts: Rows) -> NDArray[np.int64]:
    """Node of the last text leaf of each row."""
    last = np.zeros(len(counts), dtype=np.int64)
    some = np.flatnonzero(counts.leaf_row >= 0)
    last[counts.leaf_row[some]] = counts.page.leaves[some]
    return np.maximum.accumulate(last)


def _characters(counts: Rows) -> dict[str, FloatArray]:
    characters, tokens = np.zeros((len(counts), 5)), np.zeros((len(counts), 4))
    for row, text in enumerate(counts.texts):
        for character in text:
            characters[row, _kind(character)] += 1
        for token in text.split():
            letter, digit = bool(_LETTER.search(token)), bool(_DIGIT.search(token))
            tokens[row, 2 if letter and digit else 0 if letter else 1 if digit else 3] += 1
    columns = dict(zip((f"victor_char_{name}_rel" for name in _CHARACTERS), _shares(characters).T, strict=True))
    columns |= dict(zip((f"victor_token_{name}_abs" for name in _TOKENS), tokens.T, strict=True))
    return columns | dict(zip((f"victor_token_{name}_rel" for name in _TOKENS), _shares(tokens).T, strict=True))


def _kind(character: str) -> int:
    if character.isalpha():
        return 0
    if character.isdigit():
        return 1
    if character.isspace():
        return 3
    return 2 if character.isascii() or character in "“”„‘’«»…–—、。，！？：；（）《》「」" else 4


def _shares(amounts: FloatArray) -> FloatArray:
    shares: FloatArray = amounts / np.maximum(amounts.sum(axis=1, keepdims=True), 1.0)
    return shares


def _sentences(counts: Rows) -> dict[str, FloatArray]:
    number = _column(count_sentences, counts)
    return {
        "victor_sentence_count": number,
        "victor_sentence_avg_length": counts.words / np.maximum(number, 1.0),
        "victor_sentence_begin": _column(lambda text: text[:1].isupper(), counts),
        "victor_sentence_end": _column(lambda text: text[-1:] in _ENDS, counts),
        "victor_document_sentence_count": np.full(len(counts), number.sum()),
    }


def _patterns(counts: Rows) -> dict[str, FloatArray]:
    number = Counter(counts.texts)
    seen: set[str] = set()
    first = np.zeros(len(counts))
    for row, text in enumerate(counts.texts):
        first[row] = number[text] > 1 and text not in seen
        seen.add(text)
    return {
        "victor_first_duplicate": first,
        "victor_duplicate_count": _column(lambda text: number[text] - 1, counts),
        "victor_regexp_url": _column(lambda text: bool(_URL.search(text)), counts),
        "victor_regexp_date": _column(lambda text: bool(_DATE.search(text)), counts),
        "victor_regexp_time": _column(lambda text: bool(_TIME.search(text)), counts),
        "victor_bullet": _column(lambda text: bool(_BULLET.match(text)), counts),
    }


def _groups(counts: Rows) -> dict[str, FloatArray]:
    rows = np.arange(len(counts))
    total = float(counts.words.sum())
    td, div = _group_share(counts, "td", "th"), _group_share(counts, "div")
    return {
        "victor_td_group_word_ratio": td,
        "victor_div_group_word_ratio": div,
        "victor_position": rows / max(len(rows), 1),
        "victor_document_word_count": np.full(len(rows), total),
        "victor_document_block_count": np.full(len(rows), float(len(rows))),
        "victor_document_max_div_group": np.full(len(rows), div.max(initial=0.0)),
        "victor_document_max_td_group": np.full(len(rows), td.max(initial=0.0)),
    }


def _group_share(counts: Rows, *tags: str) -> FloatArray:
    """Share of the page's words in the blocks that have the same innermost element of these tags; 0 without one."""
    page = counts.page
    group = page.nearest(page.has_tag(*tags))[counts.node]
    amount = np.bincount(group + 1, weights=counts.words, minlength=1)
    amount[0] = 0.0
    return amount[group + 1] / max(float(counts.words.sum()), 1e-9)
