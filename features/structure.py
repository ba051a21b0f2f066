"""Structural features: tags, position in the document, ancestors, and templates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..lexicon.words import words
from ..page.arrays import FloatArray, cached_by_owner, numbered
from .columns import ColumnGroup, Columns, flag, flags, log_count, numeric, share
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
    *(flag(f"tag_{tag}", f"1 if the block's own element is <{tag}>") for tag in OWN_TAGS),
    flag("tag_heading", "1 if the block is or is inside a heading (h1 to h6 or role=heading)"),
    *(flag(f"in_{tag}", f"1 if the block is inside <{tag}>") for tag in ANCESTOR_TAGS),
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
    shared = [0 if target.isdisjoint(text) else len(text & target) for text in texts]
    count = len(target)
    return np.asarray(
        [common / (len(text) + count - common) if common else 0.0 for text, common in zip(texts, shared, strict=True)],
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
    total = {
        "words": rows.over_nodes(rows.words),
        "links": rows.over_nodes(rows.link_words),
        "long": rows.over_nodes(rows.long),
        "blocks": rows.over_nodes(np.ones(len(rows))),
        "commas": rows.over_nodes(rows.character_counts.commas),
    }
    page_words = max(rows.words.sum(), 1.0)
    # All levels at once, one row per level.
    chain = rows.chain.T[:STAT_LEVELS]
    levels = {name: column[chain] for name, column in total.items()}
    amount, blocks = np.maximum(levels["words"], 1e-9), np.maximum(levels["blocks"], 1.0)
    columns = {
        "words_log": np.log1p(levels["words"]),
        "link_density": levels["links"] / amount,
        "page_share": levels["words"] / page_words,
        "long_log": np.log1p(levels["long"]),
        "long_share": levels["long"] / blocks,
        "block_words_log": np.log1p(levels["words"] / blocks),
        "comma_log": np.log1p(100 * levels["commas"] / np.maximum(amount, 1.0)),
    }
    return {f"up{level}_{name}": columns[name][level] for level in range(STAT_LEVELS) for name in columns}


def _templates(rows: Rows) -> dict[str, FloatArray]:
    page = rows.page
    names = page.attribute("class").astype(np.int64) + 1
    parent_tag = np.where(page.parent >= 0, page.tag[page.parent], 0)
    template = (names * len(page.names) + page.tag) * len(page.names) + parent_tag
    columns: dict[str, FloatArray] = {}
    for level in range(SIGNATURE_LEVELS):
        _, group = numbered(template[rows.chain[:, level]])
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
