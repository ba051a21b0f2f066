"""What Victor looks at (Marek, Pecina and Spousta, WAC3 2007): text runs between tags, by markup, content and document.

Numbers enter a conditional random field as buckets: shares by tenths, counts by powers of two (the buckets are ours).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from ....features.words import count_sentences, count_words
from ....render.arrays import IntColumn
from ....render.page import Page
from ....render.visibility import concealed
from ..reading.stream import stream_of

#: Blocks before and behind that a block is judged by.
WINDOW = 3
_CONTAINERS = {
    "container.a": ("a",),
    "container.p": ("p",),
    "container.u": ("u",),
    "container.class-header": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "container.class-bold": ("b", "strong"),
    "container.class-italic": ("i", "em"),
    "container.class-list": ("ul", "ol", "li", "dl", "dt", "dd"),
    "container.class-form": ("form", "fieldset", "label", "button"),
}
_URL = re.compile(r"https?://|www\.|\w@\w+\.\w")
_DATES = (
    re.compile(r"\b(?:19|20)\d\d-\d\d?-\d\d?\b"),
    re.compile(r"\b\d\d?[./]\s?\d\d?[./]\s?(?:\d\d|\d{4})\b"),
    re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d\d?\b", re.IGNORECASE),
    re.compile(r"\b\d\d? (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE),
    re.compile(r"\d年|\d月"),
)
_TIMES = (
    re.compile(r"\b\d\d?:\d\d:\d\d\b"),
    re.compile(r"\b\d\d?[:.]\d\d ?[ap]\.?m", re.I),
    re.compile(r"\b\d\d?:\d\d\b"),
)
_BULLETS = tuple(map(re.compile, (r"\d+\.", r"\d+\)", r"\w[.)]", r"\(\w+\)", r"[-–—]", r"[•·▪◦*]", r"[»›>]")))
_ENDS = (".", "!", "?", "…", "。", "！", "？", '."', ".”", '?"', "?”")

#: The settings that the authors compare (scores of the lecture slides: 73.92, 74.5 and 75.15 %): what each leaves out.
_COUNTS = frozenset("div-group.word-ratio td-group.word-ratio token.num-abs token.mix-abs token.other-abs".split())
SETTINGS = {
    "all": frozenset[str](),
    "without-counts": _COUNTS,
    "without-url": _COUNTS | {"regexp.url", "document.word-count"},
}


def visible_leaves(page: Page) -> IntColumn:
    """Return the blocks: indices of the text leaves that are seen."""
    return np.flatnonzero(~concealed(page)).astype(np.int32)


def features(page: Page, setting: str) -> list[list[str]]:
    """Return each block's features as strings, those of its neighbours with their distance before them.

    Parameters
    ----------
    page : Page
    setting : str
        One of :data:`SETTINGS`.

    Returns
    -------
    list of list of str
        One list a visible leaf.
    """
    dropped = SETTINGS[setting]
    whole = [_named(item) for item in _document(page).items() if item[0] not in dropped]
    own = [[_named(item) for item in block.items() if item[0] not in dropped] for block in blocks(page)]
    found = []
    for at in range(len(own)):
        row = list(whole)
        for distance in range(max(-WINDOW, -at), min(WINDOW, len(own) - 1 - at) + 1):
            row += [_at(distance, name) for name in own[at + distance]]
        found.append(row)
    return found


def blocks(page: Page) -> Iterator[dict[str, int]]:
    """Yield each block's own features, bucketed."""
    leaves = visible_leaves(page)
    rows = page.leaves[leaves]
    inside = {name: page.below(page.has_tag(*tags))[rows].tolist() for name, tags in _CONTAINERS.items()}
    texts = [" ".join(page.leaf_texts[leaf].split()) for leaf in leaves.tolist()]
    repeated, seen = Counter(texts), set[str]()
    between = _between(page, leaves)
    groups = {f"{tag}-group.word-ratio": _ratios(page, leaves, tag) for tag in ("div", "td")}
    for at, text in enumerate(texts):
        block = {name: int(column[at]) for name, column in inside.items()}
        block |= {name: min(int(column[at]), 4) for name, column in between.items()}
        block |= {name: int(column[at] * 10) for name, column in groups.items()}
        block |= content(text)
        block["duplicate-count"] = min(repeated[text], 4)
        block["first-duplicate"] = int(repeated[text] > 1 and text not in seen)
        block["position"] = int(10 * at / len(texts))
        seen.add(text)
        yield block


def content(text: str) -> dict[str, int]:
    """Return the features of a block's text, white space collapsed, bucketed."""
    found = _characters(text) | _tokens(text)
    sentences = count_sentences(text)
    found["sentence.count"] = min(sentences, 5)
    found["sentence.avg-length"] = power(count_words(text) // max(sentences, 1))
    found["sentence.begin"] = int(text[:1].isupper())
    found["sentence.end"] = int(text.endswith(_ENDS))
    found["regexp.url"] = int(bool(_URL.search(text)))
    found["regexp.date"] = _first(_DATES, text)
    found["regexp.time"] = _first(_TIMES, text)
    found["bullet"] = next((number for number, bullet in enumerate(_BULLETS, 1) if bullet.match(text)), 0)
    return found


def power(amount: int) -> int:
    """Return the bucket of a count: 0, 1, 2-3, 4-7, ...

    >>> [power(n) for n in (0, 1, 2, 3, 4, 7, 8, 1000)]
    [0, 1, 2, 2, 3, 3, 4, 10]
    """
    return amount.bit_length()


def _characters(text: str) -> dict[str, int]:
    kinds = Counter(_character(letter) for letter in text)
    return {f"char.{kind}-rel": _tenth(kinds[kind], len(text)) for kind in ("alpha", "num", "punct", "white", "other")}


@lru_cache(maxsize=1 << 16)
def _character(letter: str) -> str:
    if letter.isalpha():
        return "alpha"
    if letter.isdecimal():
        return "num"
    if letter.isspace():
        return "white"
    return "punct" if letter in ",.:;!?\"'()-–—“”‘’，。：；！？、" else "other"


def _tokens(text: str) -> dict[str, int]:
    kinds = Counter(_token(token) for token in text.split())
    total = kinds.total()
    found = {}
    for kind in ("alpha", "num", "mix", "other"):
        found[f"token.{kind}-abs"] = power(kinds[kind])
        found[f"token.{kind}-rel"] = _tenth(kinds[kind], total)
    return found


def _token(token: str) -> str:
    bare = token.strip(",:;.?!\"'()")
    if bare.isalpha():
        return "alpha"
    if bare.isdecimal():
        return "num"
    return "mix" if bare.isalnum() else "other"


def _between(page: Page, leaves: IntColumn) -> dict[str, Sequence[int]]:
    """Count the tags between each block and the one before it."""
    stream = stream_of(page)
    tag = stream.leaf < 0
    at = np.flatnonzero(~tag)
    block_level = page.block_level[stream.row]
    kinds = {
        "split.p": page.has_tag("p")[stream.row],
        "split.br": page.has_tag("br")[stream.row],
        "split.hr": page.has_tag("hr")[stream.row],
        "split.class-inline": ~block_level,
        "split.class-block": block_level,
        # An image has no text to stand in: it is counted where it stands between two blocks (ours).
        "container.img": page.has_tag("img")[stream.row],
    }
    found = {}
    for name, kind in kinds.items():
        total = np.cumsum(kind & tag)[at]
        found[name] = np.diff(total, prepend=0).tolist() if len(at) == len(leaves) else [0] * len(leaves)
    return found


def _ratios(page: Page, leaves: IntColumn, tag: str) -> Sequence[float]:
    """Return the share of the page's words in each block's group: the blocks whose nearest such element is the same."""
    group = page.nearest(page.has_tag(tag))[page.leaves[leaves]]
    amount = np.asarray([count_words(page.leaf_texts[leaf]) for leaf in leaves.tolist()], dtype=np.float64)
    _, number = np.unique(group, return_inverse=True)
    share = np.bincount(number, weights=amount, minlength=1)[number] / max(amount.sum(), 1.0)
    ratios: Sequence[float] = np.where(group >= 0, share, 0.0).tolist()
    return ratios


def _document(page: Page) -> dict[str, int]:
    leaves = visible_leaves(page)
    texts = [page.leaf_texts[leaf] for leaf in leaves.tolist()]
    found = {
        "document.word-count": power(sum(map(count_words, texts))),
        "document.sentence-count": power(sum(map(count_sentences, texts))),
        "document.block-count": power(len(texts)),
    }
    for tag in ("div", "td"):
        found[f"document.max-{tag}-group"] = int(10 * max(_ratios(page, leaves, tag), default=0.0))
    return found


def _first(patterns: Sequence[re.Pattern[str]], text: str) -> int:
    return next((number for number, pattern in enumerate(patterns, 1) if pattern.search(text)), 0)


def _tenth(part: int, whole: int) -> int:
    return math.ceil(10 * part / whole) if whole else 0


def _named(item: tuple[str, int]) -> str:
    return f"{item[0]}={item[1]}"


@lru_cache(maxsize=1 << 14)
def _at(distance: int, name: str) -> str:
    return f"{distance}:{name}"
