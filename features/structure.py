"""Structural features: tags, place in the document, what stands around a block, what repeats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..lexicon.words import words
from ..page.arrays import FloatArray
from .columns import Column, ColumnGroup, Columns, flag, flags, log_count, share
from .rows import Rows

#: Tags of the block's own node that get a column each.
OWN_TAGS = (
    "p div span li td th dt dd pre h1 h2 h3 blockquote figcaption center address label button a body article section "
    "footer header time code font"
).split()
#: Tags of ancestors that get a column each.
ANCESTOR_TAGS = (
    "article main section nav aside footer header table tr ul ol li dl form figure blockquote pre a details button "
    "center td h1 h2 h3"
).split()
#: Levels above the block's own node whose subtree is described; the own node's subtree is level 0.
STAT_LEVELS = 5
#: What is said of each such subtree.
_STATS = (
    log_count("words_log", "ln(1 + words)"),
    share("link_density", "share of words in links"),
    share("page_share", "share of the page's words"),
    log_count("long_log", "ln(1 + long paragraphs)"),
    share("long_share", "share of blocks that are long paragraphs"),
    log_count("block_words_log", "ln(1 + words a block)"),
    log_count("comma_log", "ln(1 + commas a hundred words)"),
)
SIGNATURE_LEVELS = 4
#: What is said of the blocks under elements of the same make.
_TEMPLATES = (
    Column(name="count_log", meaning="ln(number of blocks under elements of the same make)", unit="ln(n)"),
    log_count("words_log", "ln(1 + their mean words)"),
    share("link_density", "their link density"),
    share("long_share", "share of long paragraphs among them"),
    Column(
        name="spread",
        meaning="how unlike in length they are (coefficient of variation, at most 3)",
        unit="ratio",
        high=3.0,
    ),
)
COLUMNS = (
    *(flag(f"tag_{tag}", f"1 where the block's own element is <{tag}>") for tag in OWN_TAGS),
    flag("tag_heading", "1 where the block is or stands in a heading (h1 to h6 or role=heading)"),
    *(flag(f"in_{tag}", f"1 where <{tag}> is around the block") for tag in ANCESTOR_TAGS),
    Column(name="depth", meaning="ancestors of the block's node, in tens", unit="tens of levels"),
    share("order", "blocks before this one, as a share of all"),
    share("words_before", "words before this block, as a share of the page's"),
    flag("first_blocks", "1 for the first three blocks"),
    flag("last_blocks", "1 for the last three blocks"),
    share("is_title", "likeness of this block to the page's title (Jaccard), where it is the heading most like it"),
    flag("after_title", "1 after the heading that is most like the page's title"),
    flag("before_title", "1 before that heading"),
    log_count("words_since_title_log", "ln(1 + words between that heading and the block), 0 before it"),
    log_count("words_since_heading_log", "ln(1 + words since the last heading of any kind)"),
    *(
        replace(
            column,
            name=f"up{level}_{column.name}",
            meaning=f"{column.meaning} in the subtree of the ancestor {level} levels up",
        )
        for level in range(STAT_LEVELS)
        for column in _STATS
    ),
    *(
        replace(
            column,
            name=f"make{level}_{column.name}",
            meaning=f"{column.meaning}; the make is tag and class of the element {level} levels up and its parent's",
        )
        for level in range(SIGNATURE_LEVELS)
        for column in _TEMPLATES
    ),
)


def structure_features(rows: Rows, _: Columns) -> Columns:
    """Return the structural columns, float64 (rows,) each; :data:`COLUMNS` says what they are."""
    return _tags(rows) | _positions(rows) | _ancestors(rows) | _templates(rows)


def title_similarity(rows: Rows) -> FloatArray:
    """float64 (rows,): Jaccard likeness of each short block to the page's title; headings count fully, others half."""
    title = frozenset(words(rows.page.title))
    short = (rows.words <= 60) & (rows.words > 0)
    return np.where(short, jaccard(rows.word_sets, title), 0.0) * np.where(rows.in_heading, 1.0, 0.5)


def jaccard(found: Sequence[frozenset[str]], wanted: frozenset[str]) -> FloatArray:
    """float64 (texts,): how many of the words of two texts they share (Jaccard)."""
    if not wanted:
        return np.zeros(len(found))
    shared = [0 if wanted.isdisjoint(one) else len(one & wanted) for one in found]
    count = len(wanted)
    return np.asarray(
        [some / (len(one) + count - some) if some else 0.0 for one, some in zip(found, shared, strict=True)],
        dtype=np.float64,
    )


def _tags(rows: Rows) -> dict[str, FloatArray]:
    page, node = rows.page, rows.node
    bits = np.zeros(len(page.names), dtype=np.uint64)
    for bit, tag in enumerate(ANCESTOR_TAGS):
        bits[page.name_codes(tag)] |= np.uint64(1 << bit)
    above, tags = page.inherited_bits(bits[page.tag])[node], page.tag[node]
    codes = np.asarray([code for tag in OWN_TAGS for code in page.name_codes(tag) or [-1]])
    own = dict(zip((f"tag_{tag}" for tag in OWN_TAGS), (tags == codes[:, None]).astype(np.float64), strict=True))
    own["tag_heading"] = rows.in_heading.astype(np.float64)
    return own | flags(above, [f"in_{tag}" for tag in ANCESTOR_TAGS])


def _positions(rows: Rows) -> dict[str, FloatArray]:
    place = np.arange(len(rows))
    total = max(rows.words.sum(), 1.0)
    before = np.cumsum(rows.words) - rows.words
    title = title_similarity(rows)
    best = int(np.argmax(title)) if len(title) and title.max() > 0.2 else -1
    last = np.maximum.accumulate(np.where(rows.in_heading, before + rows.words, 0.0))
    is_title = np.where(place == best, title, 0.0)
    since = before - (before[best] + rows.words[best]) if best >= 0 else np.zeros(len(rows))
    return {
        "depth": rows.page.depth[rows.node] / 10.0,
        "order": place / max(len(rows), 1),
        "words_before": before / total,
        "first_blocks": (place < 3).astype(np.float64),
        "last_blocks": (place >= len(rows) - 3).astype(np.float64),
        "is_title": is_title,
        "after_title": ((place > best) & (best >= 0)).astype(np.float64),
        "before_title": (place < best).astype(np.float64),
        "words_since_title_log": np.log1p(np.maximum(since, 0.0)),
        "words_since_heading_log": np.log1p(np.maximum(before - last, 0.0)),
    }


def _ancestors(rows: Rows) -> dict[str, FloatArray]:
    total = {
        "words": rows.over_nodes(rows.words),
        "links": rows.over_nodes(rows.link_words),
        "long": rows.over_nodes(rows.long),
        "blocks": rows.over_nodes(np.ones(len(rows))),
        "commas": rows.over_nodes(rows.commas),
    }
    page_words = max(rows.words.sum(), 1.0)
    # All levels at once, one row each.
    chain = rows.chain.T[:STAT_LEVELS]
    at = {name: column[chain] for name, column in total.items()}
    amount, blocks = np.maximum(at["words"], 1e-9), np.maximum(at["blocks"], 1.0)
    found = {
        "words_log": np.log1p(at["words"]),
        "link_density": at["links"] / amount,
        "page_share": at["words"] / page_words,
        "long_log": np.log1p(at["long"]),
        "long_share": at["long"] / blocks,
        "block_words_log": np.log1p(at["words"] / blocks),
        "comma_log": np.log1p(100 * at["commas"] / np.maximum(amount, 1.0)),
    }
    return {f"up{level}_{name}": found[name][level] for level in range(STAT_LEVELS) for name in found}


def _templates(rows: Rows) -> dict[str, FloatArray]:
    page = rows.page
    names = page.attribute("class").astype(np.int64) + 1
    above = np.where(page.parent >= 0, page.tag[page.parent], 0)
    make = (names * len(page.names) + page.tag) * len(page.names) + above
    columns: dict[str, FloatArray] = {}
    for level in range(SIGNATURE_LEVELS):
        _, group = np.unique(make[rows.chain[:, level]], return_inverse=True)
        size = np.bincount(group).astype(np.float64) if len(group) else np.zeros(0)
        mean = np.bincount(group, weights=rows.words) / np.maximum(size, 1) if len(group) else size
        links = np.bincount(group, weights=rows.link_words) if len(group) else size
        square = np.bincount(group, weights=rows.words**2) / np.maximum(size, 1) if len(group) else size
        spread = np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1e-9)
        long = np.bincount(group, weights=rows.long) / np.maximum(size, 1) if len(group) else size
        columns |= {
            f"make{level}_count_log": np.log(np.maximum(size, 1))[group],
            f"make{level}_words_log": np.log1p(mean)[group],
            f"make{level}_link_density": (links / np.maximum(mean * size, 1e-9))[group],
            f"make{level}_long_share": long[group],
            f"make{level}_spread": np.minimum(spread, 3.0)[group],
        }
    return columns


GROUP = ColumnGroup(name="structure", columns=COLUMNS, measure=structure_features)
