"""Structural features: tags, place in the document, what stands around a block, what repeats."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..render.arrays import FloatArray
from .rows import Rows
from .words import words

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
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
_STATS = {
    "words_log": "ln(1 + words)",
    "link_density": "share of words in links",
    "page_share": "share of the page's words",
    "long_log": "ln(1 + long paragraphs)",
    "long_share": "share of blocks that are long paragraphs",
    "block_words_log": "ln(1 + words a block)",
    "comma_log": "ln(1 + commas a hundred words)",
}
#: Levels above the block's own node whose subtree is described; the own node's subtree is level 0.
STAT_LEVELS = 5
SIGNATURE_LEVELS = 4
_SIGNATURE = {
    "count_log": "ln(number of blocks under elements of the same make)",
    "words_log": "ln(1 + their mean words)",
    "link_density": "their link density",
    "long_share": "share of long paragraphs among them",
    "spread": "how unlike in length they are (coefficient of variation, at most 3)",
}
DOCS = (
    {f"tag_{tag}": f"1 where the block's own element is <{tag}>" for tag in OWN_TAGS}
    | {"tag_heading": "1 where the block is or stands in a heading (h1 to h6 or role=heading)"}
    | {f"in_{tag}": f"1 where <{tag}> is around the block" for tag in ANCESTOR_TAGS}
    | {
        "depth": "ancestors of the block's node, in tens",
        "order": "blocks before this one, as a share of all",
        "words_before": "words before this block, as a share of the page's",
        "first_blocks": "1 for the first three blocks",
        "last_blocks": "1 for the last three blocks",
        "is_title": "likeness of this block to the page's title (Jaccard), where it is the heading most like it",
        "after_title": "1 after the heading that is most like the page's title",
        "before_title": "1 before that heading",
        "words_since_title_log": "ln(1 + words between that heading and the block), 0 before it",
        "words_since_heading_log": "ln(1 + words since the last heading of any kind)",
    }
    | {
        f"up{level}_{name}": f"{what} in the subtree of the ancestor {level} levels up"
        for level in range(STAT_LEVELS)
        for name, what in _STATS.items()
    }
    | {
        f"make{level}_{name}": f"{what}; the make is tag and class of the element {level} levels up and its parent's"
        for level in range(SIGNATURE_LEVELS)
        for name, what in _SIGNATURE.items()
    }
)


def structure_features(counts: Rows, title: FloatArray) -> dict[str, FloatArray]:
    """Return the structural columns, float64 (rows,) each; :data:`DOCS` says what they are.

    Parameters
    ----------
    counts : Rows
    title : float64 (rows,)
        Likeness of each row to the page's title (:func:`title_likeness`).
    """
    return _tags(counts) | _places(counts, title) | _ancestors(counts) | _makes(counts)


def heading_rows(counts: Rows) -> NDArray[np.bool_]:
    """bool (rows,): blocks that are or stand in a heading."""
    page = counts.page
    role = page.attribute("role")
    marked = page.has_tag(*HEADINGS)
    named = np.flatnonzero(role >= 0)
    marked[named] |= np.asarray([page.strings[code] == "heading" for code in role[named].tolist()], dtype=bool)
    return page.below(marked)[counts.node]


def title_likeness(counts: Rows, headings: NDArray[np.bool_]) -> FloatArray:
    """float64 (rows,): Jaccard likeness of each short block to the page's title; headings count fully, others half."""
    title = frozenset(words(counts.page.title))
    likeness = np.zeros(len(counts))
    for row in np.flatnonzero((counts.words <= 60) & (counts.words > 0)).tolist() if title else ():
        found = frozenset(words(counts.texts[row]))
        likeness[row] = len(found & title) / max(len(found | title), 1)
    return likeness * np.where(headings, 1.0, 0.5)


def _tags(counts: Rows) -> dict[str, FloatArray]:
    page, node = counts.page, counts.node
    own = {f"tag_{tag}": page.has_tag(tag)[node].astype(np.float64) for tag in OWN_TAGS}
    own["tag_heading"] = heading_rows(counts).astype(np.float64)
    return own | {f"in_{tag}": page.below(page.has_tag(tag))[node].astype(np.float64) for tag in ANCESTOR_TAGS}


def _places(counts: Rows, title: FloatArray) -> dict[str, FloatArray]:
    rows = np.arange(len(counts))
    total = max(counts.words.sum(), 1.0)
    before = np.cumsum(counts.words) - counts.words
    best = int(np.argmax(title)) if len(title) and title.max() > 0.2 else -1
    headings = heading_rows(counts)
    last = np.maximum.accumulate(np.where(headings, before + counts.words, 0.0))
    is_title = np.where(rows == best, title, 0.0)
    since = before - (before[best] + counts.words[best]) if best >= 0 else np.zeros(len(counts))
    return {
        "depth": counts.page.depth[counts.node] / 10.0,
        "order": rows / max(len(counts), 1),
        "words_before": before / total,
        "first_blocks": (rows < 3).astype(np.float64),
        "last_blocks": (rows >= len(counts) - 3).astype(np.float64),
        "is_title": is_title,
        "after_title": ((rows > best) & (best >= 0)).astype(np.float64),
        "before_title": (rows < best).astype(np.float64),
        "words_since_title_log": np.log1p(np.maximum(since, 0.0)),
        "words_since_heading_log": np.log1p(np.maximum(before - last, 0.0)),
    }


def _ancestors(counts: Rows) -> dict[str, FloatArray]:
    commas = np.asarray([text.count(",") + text.count("，") + text.count("、") for text in counts.texts], dtype=float)
    total = {
        "words": counts.over_nodes(counts.words),
        "links": counts.over_nodes(counts.link_words),
        "long": counts.over_nodes(counts.long),
        "blocks": counts.over_nodes(np.ones(len(counts))),
        "commas": counts.over_nodes(commas),
    }
    page_words = max(counts.words.sum(), 1.0)
    columns: dict[str, FloatArray] = {}
    for level in range(STAT_LEVELS):
        at = {name: column[counts.chain[:, level]] for name, column in total.items()}
        amount, blocks = np.maximum(at["words"], 1e-9), np.maximum(at["blocks"], 1.0)
        columns |= {
            f"up{level}_words_log": np.log1p(at["words"]),
            f"up{level}_link_density": at["links"] / amount,
            f"up{level}_page_share": at["words"] / page_words,
            f"up{level}_long_log": np.log1p(at["long"]),
            f"up{level}_long_share": at["long"] / blocks,
            f"up{level}_block_words_log": np.log1p(at["words"] / blocks),
            f"up{level}_comma_log": np.log1p(100 * at["commas"] / np.maximum(amount, 1.0)),
        }
    return columns


def _makes(counts: Rows) -> dict[str, FloatArray]:
    page = counts.page
    names = page.attribute("class").astype(np.int64) + 1
    above = np.where(page.parent >= 0, page.tag[page.parent], 0)
    make = (names * len(page.names) + page.tag) * len(page.names) + above
    columns: dict[str, FloatArray] = {}
    for level in range(SIGNATURE_LEVELS):
        _, group = np.unique(make[counts.chain[:, level]], return_inverse=True)
        size = np.bincount(group).astype(np.float64) if len(group) else np.zeros(0)
        mean = np.bincount(group, weights=counts.words) / np.maximum(size, 1) if len(group) else size
        links = np.bincount(group, weights=counts.link_words) if len(group) else size
        square = np.bincount(group, weights=counts.words**2) / np.maximum(size, 1) if len(group) else size
        spread = np.sqrt(np.maximum(square - mean**2, 0)) / np.maximum(mean, 1e-9)
        long = np.bincount(group, weights=counts.long) / np.maximum(size, 1) if len(group) else size
        columns |= {
            f"make{level}_count_log": np.log(np.maximum(size, 1))[group],
            f"make{level}_words_log": np.log1p(mean)[group],
            f"make{level}_link_density": (links / np.maximum(mean * size, 1e-9))[group],
            f"make{level}_long_share": long[group],
            f"make{level}_spread": np.minimum(spread, 3.0)[group],
        }
    return columns
