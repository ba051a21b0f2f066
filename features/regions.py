"""Region features: the main content region of the page by several simple rules.

Each rule selects one element; the features are whether a block is inside, the element's share of the page and the
block's distance. They give a per-block classifier a view of the whole page.
"""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray
from ..page.page import Page
from .class_names import node_kinds
from .columns import OURS, ColumnGroup, Columns, flag, numeric, share
from .rows import Rows, node_link_words, node_words
from .stretches import Ties, best_stretch

REGIONS = {
    "scored": "the element with the highest Readability-like score",
    "dense": "the subtree with the largest sum of words × (1 - 2.2 × link density) - 4 over its blocks",
    "main": "<main> or role=main",
    "article": "the <article> (or itemprop=articleBody) with the most words",
    "named": "the largest element with a class or id that is common for an article's body",
}
_READABILITY = "blocksight; after Readability (Arc90, 2009)"
_MSS = "blocksight; after MSS (Pasternack, Roth, WWW 2009)"
#: Sources of regions from papers.
_SOURCES = {"scored": _READABILITY, "dense": _MSS}
COLUMNS = (
    *(flag(f"{name}_in", f"1 inside {what}", _SOURCES.get(name, OURS)) for name, what in REGIONS.items()),
    *(
        share(
            f"{name}_share",
            f"share of the page's words inside {what}, if the block is inside",
            _SOURCES.get(name, OURS),
        )
        for name, what in REGIONS.items()
    ),
    *(
        numeric(
            f"{name}_distance",
            f"ln(1 + blocks between this one and {what}), negative before it",
            "ln(1 + blocks), signed",
            low=-inf,
            source=_SOURCES.get(name, OURS),
        )
        for name, what in REGIONS.items()
    ),
    *(flag(f"{name}_exists", f"1 on pages with {what}", _SOURCES.get(name, OURS)) for name, what in REGIONS.items()),
    flag("stretch_in", "1 inside the contiguous stretch of blocks with the largest sum (MSS over blocks)", _MSS),
    share("stretch_share", "share of the page's words in that stretch, if the block is inside", _MSS),
    numeric(
        "scored_tree_distance",
        "levels from the block up to an ancestor that contains the highest-scored element, at most 10",
        "levels",
        high=10.0,
        source=_READABILITY,
    ),
    share(
        "scored_parent", "Readability-like score of the block's parent element, relative to the highest", _READABILITY
    ),
)

#: Fewest words of a region; weight of links and cost of a block in the sum of its words.
_LEAST_WORDS, _LINK_WEIGHT, _BLOCK_COST = 25.0, 2.2, 4.0
#: After Readability: words from which on a block votes, words that are another vote, and most of these.
_VOTE_WORDS, _WORDS_A_VOTE, _MOST_VOTES = 6.0, 18.0, 3.0
#: Most levels up to an ancestor that contains the highest-scored element.
_FURTHEST = 10


def region_features(rows: Rows, _: Columns) -> Columns:
    """Return the region columns, float64 (rows,) each; :data:`COLUMNS` describes them."""
    page = rows.page
    # Below zero for links and labels.
    quality = rows.words * (1 - _LINK_WEIGHT * rows.link_density) - _BLOCK_COST
    size = node_words(rows)
    score = readability_scores(rows)
    elements = {
        "scored": _best(score),
        "dense": _best(np.where(page.text < 0, rows.over_nodes(quality), -np.inf)),
        "main": _largest(size, page.has_tag("main") | _attribute_is(page, "role", "main")),
        "article": _largest(size, page.has_tag("article") | _attribute_is(page, "itemprop", "articleBody")),
        "named": _largest(size, (node_kinds(page) & np.uint64(2) > 0) & ~page.has_tag("body", "html")),
    }
    columns = _region_columns(rows, elements)
    start, end = best_stretch(quality, Ties.FIRST)
    index = np.arange(len(rows))
    inside = (index >= start) & (index < end)
    parent = rows.chain[:, 1]
    return columns | {
        "stretch_in": inside.astype(np.float64),
        "stretch_share": inside * rows.words[inside].sum() / max(rows.words.sum(), 1.0),
        "scored_tree_distance": _tree_distance(rows, elements["scored"]),
        "scored_parent": score[parent] / max(float(score.max(initial=0.0)), 1e-9),
    }


def readability_scores(rows: Rows) -> FloatArray:
    """Return scores after Readability (Arc90, 2009), float64 (nodes,)."""
    # A long paragraph votes for its parent, and by half for its grandparent: 1 + commas + up to 3 for length. An
    # element's votes are reduced by its link density.
    page = rows.page
    more = np.minimum(rows.words / _WORDS_A_VOTE, _MOST_VOTES)
    vote = np.where(rows.words >= _VOTE_WORDS, 1 + rows.character_counts.commas + more, 0.0)
    score = np.zeros(len(page))
    np.add.at(score, rows.chain[:, 1], vote)
    np.add.at(score, rows.chain[:, 2], vote / 2)
    density = node_link_words(rows) / np.maximum(node_words(rows), 1e-9)
    scores: FloatArray = score * (1 - density).clip(0, 1)
    return scores


def _best(score: FloatArray) -> int:
    return int(np.argmax(score)) if len(score) and score.max() > 0 else -1


def _largest(size: FloatArray, marked: NDArray[np.bool_]) -> int:
    large = (marked & (size >= _LEAST_WORDS)).nonzero()[0]
    return int(large[np.argmax(size[large])]) if len(large) else -1


def _attribute_is(page: Page, name: str, value: str) -> NDArray[np.bool_]:
    return page.attribute_matches(name, lambda written: value in written.split())


def _region_columns(rows: Rows, elements: dict[str, int]) -> dict[str, FloatArray]:
    """Return the columns of each region, by its element; -1 for a region that the page does not have."""
    index, node = np.arange(len(rows)), np.asarray(list(elements.values()))[:, None]
    exists = np.repeat((node >= 0).astype(np.float64), len(rows), axis=1)
    first, last = rows.node_rows[node].transpose(2, 0, 1)
    inside = ((index >= first) & (index < last)) * exists
    before, after = np.maximum(first - index, 0), np.maximum(index - last + 1, 0)
    measured = {
        "in": inside,
        "share": inside * node_words(rows)[node] / max(rows.words.sum(), 1.0),
        "distance": np.where(node >= 0, np.log1p(after) - np.log1p(before), 0.0),
        "exists": exists,
    }
    return {
        f"{name}_{what}": column
        for what, columns in measured.items()
        for name, column in zip(elements, columns, strict=True)
    }


def _tree_distance(rows: Rows, node: int) -> FloatArray:
    """Return levels up from each block to the first ancestor that also contains the node; 0 inside it."""
    if node < 0:
        return np.full(len(rows), float(_FURTHEST))
    page = rows.page
    holds = np.zeros(len(page), dtype=bool)
    above = node
    while above >= 0:
        holds[above] = True
        above = int(page.parent[above])
    holds[node : page.end[node]] = True
    common = page.nearest(holds)[rows.node]
    levels: FloatArray = np.minimum(page.depth[rows.node] - page.depth[common], _FURTHEST).astype(np.float64)
    return levels


GROUP = ColumnGroup(name="region", columns=COLUMNS, measure=region_features)
