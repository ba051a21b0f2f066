"""Fusion of segmentations by votes (Kiesel et al., "Web Page Segmentation Revisited", CIKM 2020; ECIR 2021).

The disagreement of two texts is the share of segmentations that separate them. Texts are clustered by average linkage
in the order of their disagreement, up to the disagreement of "at least n votes": halfway between n and n - 1 of N
methods.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray, IntColumn
from ..page.page import Page
from .blocks import Blocks, flat_blocks
from .clusters import box_clusters
from .heps import heps
from .semantic import semantic_blocks
from .vips.vips import vips

#: Methods of :func:`fused_blocks`.
_METHODS: tuple[Callable[[Page], Blocks], ...] = (vips, heps, box_clusters, semantic_blocks)
#: Largest matrix of disagreements; with more kinds of texts, neighbours in the document are joined first.
_MOST = 2000


def fused_blocks(page: Page, *, votes: int = 2) -> Blocks:
    """Segment a rendered page by the votes of VIPS, HEPS, box clustering and semantic blocks; see :func:`fuse`."""
    return fuse(page, [method(page) for method in _METHODS], votes=votes)


def fuse(page: Page, segmentations: Sequence[Blocks], *, votes: int = 2) -> Blocks:
    """Fuse segmentations of a page: texts that enough of them keep together stay together.

    The innermost block of each text leaf counts; ``votes`` is the least number of segmentations that keep most texts of
    a block together ("min-vote@n"). The result is flat, in document order; text in no block of any segmentation is in
    none.
    """
    if not 1 <= votes <= len(segmentations):
        raise ValueError(f"votes must be 1 to the number of segmentations ({len(segmentations)}), not {votes}")
    blocks_of_leaf = np.stack([blocks.leaf_block for blocks in segmentations], axis=1)
    leaves = np.flatnonzero((blocks_of_leaf >= 0).any(axis=1))
    if not len(leaves):
        return flat_blocks(page, np.zeros(0, dtype=np.int32), np.full(len(page.leaves), -1, dtype=np.int32))
    kinds, first, kind = np.unique(blocks_of_leaf[leaves], axis=0, return_index=True, return_inverse=True)
    length = np.asarray([len(page.leaf_texts[leaf]) for leaf in leaves.tolist()], dtype=np.float64)
    weight = np.bincount(kind.ravel(), weights=length).astype(np.float64)
    order = np.argsort(first, kind="stable")
    rank = np.argsort(order, kind="stable")
    apart = 1 - (votes - 0.5) / len(segmentations)
    cluster = _cluster(kinds[order], weight[order], apart)[rank[kind.ravel()]]
    return _to_blocks(page, leaves, cluster)


def _to_blocks(page: Page, leaves: NDArray[np.intp], cluster: NDArray[np.intp]) -> Blocks:
    _, first, number = np.unique(cluster, return_index=True, return_inverse=True)
    block = np.argsort(np.argsort(first))[number.ravel()]
    leaf_block = np.full(len(page.leaves), -1, dtype=np.int32)
    leaf_block[leaves] = block
    rows = page.leaves[leaves]
    low, high = np.full(len(first), len(page)), np.zeros(len(first), dtype=np.int64)
    np.minimum.at(low, block, rows)
    np.maximum.at(high, block, rows)
    node = [_around(page, first, last) for first, last in zip(low.tolist(), high.tolist(), strict=True)]
    return flat_blocks(page, np.asarray(node, dtype=np.int32), leaf_block)


def _around(page: Page, first: int, last: int) -> int:
    node = int(page.parent[first])
    while node > 0 and page.end[node] <= last:
        node = int(page.parent[node])
    return max(node, 0)


def _cluster(kinds: IntColumn, weight: FloatArray, apart: float) -> NDArray[np.intp]:
    """Return the clusters by average linkage of kinds of texts, weighted by characters, intp (kinds,)."""
    cluster = np.arange(len(kinds))
    if len(kinds) > _MOST:
        together = ((kinds[1:] == kinds[:-1]) & (kinds[1:] >= 0)).mean(axis=1)
        cluster = np.concatenate([[0], np.cumsum(1 - together > apart)])
        _, first, cluster = np.unique(cluster, return_index=True, return_inverse=True)
        cluster = cluster.ravel()
        kinds, weight = kinds[first], np.bincount(cluster, weights=weight).astype(np.float64)
    if len(kinds) > _MOST:
        return cluster
    joined = _link(_disagreements(kinds), weight, apart)
    return joined[cluster]


def _disagreements(kinds: IntColumn) -> FloatArray:
    """Return the share of segmentations that separate two kinds, float64 (kinds, kinds)."""
    apart = np.ones((len(kinds), len(kinds)))
    for column in kinds.T:
        apart -= ((column[:, None] == column) & (column >= 0)) / kinds.shape[1]
    return apart


def _link(apart: FloatArray, weight: FloatArray, most: float) -> NDArray[np.intp]:
    cluster = np.arange(len(apart))
    np.fill_diagonal(apart, np.inf)
    nearest = apart.argmin(axis=1)
    least = apart[cluster, nearest]
    while len(least) and least.min() <= most:
        one = int(least.argmin())
        other = int(nearest[one])
        mean = (apart[one] * weight[one] + apart[other] * weight[other]) / (weight[one] + weight[other])
        mean[one] = mean[other] = np.inf
        apart[one], apart[:, one] = mean, mean
        apart[other], apart[:, other] = np.inf, np.inf
        weight[one] += weight[other]
        cluster[cluster == other] = one
        least[other] = np.inf
        nearest[one], least[one] = mean.argmin(), mean.min()
        stale = np.flatnonzero(np.isin(nearest, (one, other)) & np.isfinite(least))
        stale = stale[stale != one]
        nearest[stale] = apart[stale].argmin(axis=1)
        least[stale] = apart[stale, nearest[stale]]
        closer = mean < least
        nearest[closer], least[closer] = one, mean[closer]
    return cluster
