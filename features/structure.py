"""Structural features: tags, position in the document, ancestors, and templates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from ..lexicon.words import words
from ..page.arrays import FloatArray, cached_by_owner, numbered
from ..page.tree import codes_of
from .columns import Column, ColumnGroup, Columns, flag, flags, log_count, numeric, share
from .rows import Rows, over_ancestors

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
_BITS = 1 << np.arange(len(ANCESTOR_TAGS), dtype=np.uint64)
_OWN_COLUMNS = tuple(f"tag_{tag}" for tag in OWN_TAGS)
_ANCESTOR_COLUMNS = tuple(f"in_{tag}" for tag in ANCESTOR_TAGS)
#: Levels of ancestors whose subtrees are measured; level 0 is the block's own node.
STAT_LEVELS = 5
#: Measures of each such subtree.
_STATS = (
    log_count("words_log", "ln(1 + words)"),
    share("link_density", "share of words inside links"),
    share("page_share", "share of the page's words"),
    log_count("long_log", "ln(1 + long paragraphs)"),
    share("long_share", "share of blocks that are long paragraphs"),
    log_count("block_words_log", "ln(1 + words per block)"),
    log_count("comma_log", "ln(1 + commas per hundred words)"),
)
SIGNATURE_LEVELS = 4
#: Measures of the blocks below elements with the same template.
_TEMPLATES = (
    numeric("count_log", "ln(number of blocks below elements with the same template)", "ln(n)"),
    log_count("words_log", "ln(1 + their mean words)"),
    share("link_density", "their link density"),
    share("long_share", "share of long paragraphs among them"),
    numeric("spread", "coefficient of variation of their lengths, at most 3", "ratio", high=3.0),
)
COLUMNS = (
    *(flag(name, f"1 if the block's own element is <{tag}>") for name, tag in zip(_OWN_COLUMNS, OWN_TAGS, strict=True)),
    flag("tag_heading", "1 if the block is or is inside a heading (h1 to h6 or role=heading)"),
    *(
        flag(name, f"1 if the block is inside <{tag}>")
        for name, tag in zip(_ANCESTOR_COLUMNS, ANCESTOR_TAGS, strict=True)
    ),
    numeric("depth", "ancestors of the block's node, in tens", "tens of levels"),
    share("order", "blocks before this one, as a share of all"),
    share("words_before", "words before this block, as a share of the page's"),
    flag("first_blocks", "1 for the first three blocks"),
    flag("last_blocks", "1 for the last three blocks"),
    share("is_title", "Jaccard similarity of this block and the page's title, if it is the most similar heading"),
    flag("after_title", "1 after the heading that is most similar to the page's title"),
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
            meaning=f"{column.meaning}; template: class and tag of the element {level} levels up, tag of its parent",
        )
        for level in range(SIGNATURE_LEVELS)
        for column in _TEMPLATES
    ),
)


def structure_features(rows: Rows, _: Columns) -> Columns:
    """Return the structural columns, float64 (rows,) each; :data:`COLUMNS` describes them."""
    return _tags(rows) | _positions(rows) | _ancestors(rows) | _templates(rows)


@cached_by_owner
def title_similarity(rows: Rows) -> FloatArray:
    """Return the Jaccard similarity of each short block and the page's title, halved for non-headings."""
    title = frozenset(words(rows.page.title))
    short = (rows.words <= 60) & (rows.words > 0)
    return np.where(short, jaccard(rows.word_sets, title), 0.0) * np.where(rows.in_heading, 1.0, 0.5)


def jaccard(texts: Sequence[frozenset[str]], target: frozenset[str]) -> FloatArray:
    """Return the Jaccard similarity of the words of each text and some words, float64 (texts,)."""
    if not target:
        return np.zeros(len(texts))
    similarity, count, others = np.zeros(len(texts)), len(target), target.isdisjoint
    for row, text in enumerate(texts):
        if not others(text):
            common = len(text & target)
            similarity[row] = common / (len(text) + count - common)
    return similarity


def _tags(rows: Rows) -> dict[str, FloatArray]:
    page, node = rows.page, rows.node
    bits = np.zeros(len(page.names) + 1, dtype=np.uint64)
    bits[codes_of(page, ANCESTOR_TAGS)] = _BITS  # the last one is for tags that the page does not have
    above = page.inherited_bits(bits[page.tag])[node]
    is_own = page.tag[node] == codes_of(page, OWN_TAGS)[:, None]
    own = dict(zip(_OWN_COLUMNS, is_own.astype(np.float64), strict=True))
    own["tag_heading"] = rows.in_heading.astype(np.float64)
    return own | flags(above, _ANCESTOR_COLUMNS)


def _positions(rows: Rows) -> dict[str, FloatArray]:
    index = np.arange(len(rows))
    total = max(rows.words.sum(), 1.0)
    before = np.cumsum(rows.words) - rows.words
    title = title_similarity(rows)
    best = int(np.argmax(title)) if len(title) and title.max() > 0.2 else -1
    last = np.maximum.accumulate(np.where(rows.in_heading, before + rows.words, 0.0))
    is_title = np.where(index == best, title, 0.0)
    since = before - (before[best] + rows.words[best]) if best >= 0 else np.zeros(len(rows))
    return {
        "depth": rows.page.depth[rows.node] / 10.0,
        "order": index / max(len(rows), 1),
        "words_before": before / total,
        "first_blocks": (index < 3).astype(np.float64),
        "last_blocks": (index >= len(rows) - 3).astype(np.float64),
        "is_title": is_title,
        "after_title": ((index > best) & (best >= 0)).astype(np.float64),
        "before_title": (index < best).astype(np.float64),
        "words_since_title_log": np.log1p(np.maximum(since, 0.0)),
        "words_since_heading_log": np.log1p(np.maximum(before - last, 0.0)),
    }


def _ancestors(rows: Rows) -> dict[str, FloatArray]:
    # All levels at once, one row per level.
    words_of_level, links, long, blocks, commas = over_ancestors(
        rows, STAT_LEVELS, rows.words, rows.link_words, rows.long, np.ones(len(rows)), rows.character_counts.commas
    )
    amount, blocks = np.maximum(words_of_level, 1e-9), np.maximum(blocks, 1.0)
    counts = np.stack([words_of_level, long, words_of_level / blocks, 100 * commas / np.maximum(amount, 1.0)])
    words_log, long_log, block_words_log, comma_log = np.log1p(counts)
    page_share = words_of_level / max(rows.words.sum(), 1.0)
    measured = (words_log, links / amount, page_share, long_log, long / blocks, block_words_log, comma_log)
    return _by_level("up", STAT_LEVELS, _STATS, measured)


def _templates(rows: Rows) -> dict[str, FloatArray]:
    page, chain = rows.page, rows.chain.T[:SIGNATURE_LEVELS]
    names = page.attribute("class")[chain].astype(np.int64) + 1
    parent = page.parent[chain]
    parent_tag = np.where(parent >= 0, page.tag[parent], 0)
    template = (names * len(page.names) + page.tag[chain]) * len(page.names) + parent_tag
    # The templates of each level are different groups.
    _, group = numbered((template * SIGNATURE_LEVELS + np.arange(SIGNATURE_LEVELS)[:, None]).ravel())

    def sums(values: FloatArray) -> FloatArray:
        return np.bincount(group, weights=np.tile(values, SIGNATURE_LEVELS)).astype(np.float64)

    size = np.maximum(np.bincount(group).astype(np.float64), 1)
    mean = sums(rows.words) / size
    spread = np.sqrt(np.maximum(sums(rows.words**2) / size - mean**2, 0)) / np.maximum(mean, 1e-9)
    density = sums(rows.link_words) / np.maximum(mean * size, 1e-9)
    measured = (np.log(size), np.log1p(mean), density, sums(rows.long) / size, np.minimum(spread, 3.0))
    columns = np.stack(measured)[:, group].reshape(len(_TEMPLATES), SIGNATURE_LEVELS, -1)
    return _by_level("make", SIGNATURE_LEVELS, _TEMPLATES, columns)


def _by_level(
    prefix: str, levels: int, columns: tuple[Column, ...], measured: Iterable[FloatArray]
) -> dict[str, FloatArray]:
    """Return columns of several levels by their names; each value is float64 (levels, rows)."""
    return {
        f"{prefix}{level}_{column.name}": values[level]
        for column, values in zip(columns, measured, strict=True)
        for level in range(levels)
    }


GROUP = ColumnGroup(name="structure", columns=COLUMNS, measure=structure_features)
