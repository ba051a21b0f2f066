"""The catalogue of features, and the table of a page's blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..render.arrays import FloatArray
from ..render.page import Page
from ..segment.blocks import Blocks, leaf_boxes, text_blocks
from . import keywords, links, neighbours, proportions, regions, sections, structure, text, visual
from .papers import fiasco, genieknows, krdwrd, linguistic, victor
from .rows import Rows, rows_of
from .words import count_unspaced

if TYPE_CHECKING:
    import pandas as pd

#: Every feature: group, then column name, then what it is. The one place where columns are documented.
CATALOGUE: dict[str, dict[str, str]] = {
    "text": text.DOCS,
    "link": links.DOCS,
    "structure": structure.DOCS,
    "keyword": keywords.DOCS,
    "region": regions.DOCS,
    "neighbour": neighbours.DOCS,
    "section": sections.DOCS,
    "page": {
        "page_words_log": "ln(1 + words of the page)",
        "page_blocks_log": "ln(1 + blocks of the page)",
        "page_link_density": "share of the page's words in links",
        "page_long_share": "share of the page's words in long paragraphs",
        "page_longest_share": "share of the page's words in its longest block",
        "page_unspaced": "1 where most of the page is in scripts written without spaces",
    },
    "visual": visual.DOCS,
    "proportion": proportions.DOCS,
    "linguistic": linguistic.DOCS,
    "fiasco": fiasco.DOCS,
    "krdwrd": krdwrd.DOCS,
    "genieknows": genieknows.DOCS,
    "victor": victor.DOCS,
}
#: What the papers name, complete, each group by itself; the others are blocksight's own.
LITERATURE = ("linguistic", "fiasco", "krdwrd", "genieknows", "victor")
#: Those with columns that only rendered pages have.
RENDERED = ("visual", "proportion", "fiasco", "krdwrd", "genieknows")
#: Goes up when a column's values change while its name stays.
FEATURES_VERSION = 1
#: Names for several groups at once.
FAMILIES: dict[str, tuple[str, ...]] = {
    "all": tuple(CATALOGUE),
    "own": tuple(group for group in CATALOGUE if group not in LITERATURE),
    "structural": ("structure", "keyword", "region"),
}


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Numbers of a page's blocks, in reading order.

    Attributes
    ----------
    counts : Rows
        The rows: block, node, leaves and words of each.
    columns : dict of str to float64 (rows,)
        The columns of the groups asked for, in the order of :data:`CATALOGUE`; visual ones are NaN without geometry.
    """

    counts: Rows
    columns: dict[str, FloatArray]

    def __len__(self) -> int:
        return len(self.counts)

    def matrix(self, names: tuple[str, ...]) -> NDArray[np.float64]:
        """Return float64 (rows, len(names))."""
        if not len(self):
            return np.zeros((0, len(names)))
        return np.stack([self.columns[name] for name in names], axis=1)

    @cached_property
    def box(self) -> NDArray[np.float32]:
        """float32 (rows, 4): ``[x, y, width, height]`` in CSS pixels; NaN without geometry."""
        return leaf_boxes(self.counts.page, self.counts.leaf_row, len(self))


def column_names(*groups: str) -> tuple[str, ...]:
    """Return the columns of some groups, or of all, in the order of the groups."""
    unknown = set(groups) - set(CATALOGUE)
    if unknown:
        raise ValueError(f"no such group of features: {', '.join(sorted(unknown))}; there are {', '.join(CATALOGUE)}")
    return tuple(name for group in groups or CATALOGUE for name in CATALOGUE[group])


def schema_hash(columns: Iterable[str]) -> str:
    """Return the digest by which a model or a data set knows its features: their names, order and version."""
    return hashlib.sha256("\n".join([str(FEATURES_VERSION), *columns]).encode()).hexdigest()[:16]


def groups_of(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the groups that some columns belong to."""
    wanted = set(columns)
    return tuple(group for group, docs in CATALOGUE.items() if wanted & set(docs))


def measure(page: Page, blocks: Blocks | None = None, *, groups: Collection[str] = ()) -> Table:
    """Measure a page's blocks.

    Parameters
    ----------
    page : Page
    blocks : Blocks, optional
        By default the paragraphs of :func:`~blocksight.segment.blocks.text_blocks`. Of a tree of blocks, those are
        measured that hold text of their own.
    groups : collection of str
        Of :data:`CATALOGUE`; by default all.

    Raises
    ------
    ValueError
        When there is no group of that name.
    """
    names = column_names(*groups)
    counts = rows_of(page, blocks if blocks is not None else text_blocks(page))
    found = text.text_features(counts) | links.link_features(counts)
    title = structure.title_likeness(counts, structure.heading_rows(counts))
    found |= structure.structure_features(counts, title)
    found |= keywords.keyword_features(counts, keywords.node_families(page))
    found |= regions.region_features(counts) | _page(counts)
    found |= sections.section_features(counts)
    found |= neighbours.neighbour_features(counts, found) | visual.visual_features(counts)
    found |= _more(counts, set(groups) or set(CATALOGUE))
    return Table(counts=counts, columns={name: found[name] for name in names})


def _more(counts: Rows, groups: set[str]) -> dict[str, FloatArray]:
    """Measure the groups that the shipped models do not look at, where they are asked for."""
    found: dict[str, FloatArray] = {}
    if "proportion" in groups:
        found |= proportions.proportion_features(counts)
    if groups & {"linguistic", "fiasco"}:
        found |= linguistic.linguistic_features(counts)
    if "fiasco" in groups:
        found |= fiasco.fiasco_features(counts, found)
    if "krdwrd" in groups:
        found |= krdwrd.krdwrd_features(counts)
    if "genieknows" in groups:
        found |= genieknows.genieknows_features(counts)
    if "victor" in groups:
        found |= victor.victor_features(counts)
    return found


def table(page: Page, blocks: Blocks | None = None, *, groups: Collection[str] = ()) -> pd.DataFrame:
    """Return the block table of a page as a data frame: one row a block, in reading order.

    Before the features of :data:`CATALOGUE` stand ``block`` (row in the segmentation), ``tag``, ``text``, ``words``
    and the bounding box ``x_px``, ``y_px``, ``width_px``, ``height_px`` (CSS pixels of the document; NaN where the
    page was not rendered or the block is not shown). ``groups`` chooses among the features; by default there are all.
    """
    import pandas as pd

    measured = measure(page, blocks, groups=groups)
    counts = measured.counts
    head = {
        "block": counts.block,
        "tag": [page.tag_of(node) for node in counts.node.tolist()],
        "text": list(counts.texts),
        "words": counts.words,
    }
    box = dict(zip(("x_px", "y_px", "width_px", "height_px"), measured.box.T, strict=True))
    return pd.DataFrame(head | box | measured.columns)


def _page(counts: Rows) -> dict[str, FloatArray]:
    total = max(float(counts.words.sum()), 1e-9)
    unspaced = sum(map(count_unspaced, counts.texts))
    values = {
        "page_words_log": np.log1p(total),
        "page_blocks_log": np.log1p(len(counts)),
        "page_link_density": counts.link_words.sum() / total,
        "page_long_share": (counts.words * counts.long).sum() / total,
        "page_longest_share": counts.words.max(initial=0.0) / total,
        "page_unspaced": float(unspaced / 2 > total / 2),
    }
    return {name: np.full(len(counts), float(value)) for name, value in values.items()}
