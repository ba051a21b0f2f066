"""CETD: content extraction via text density (Sun, Song and Liao, SIGIR 2011)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...page.arrays import BoolColumn, FloatArray, IntColumn, Marks
from ...page.page import Page
from ..system import Card, card_of
from .linear_page import characters, elements, leaves_under

_LINKS = ("a", "button", "select")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Densities:
    """The columns of the method, float64 (nodes,)."""

    density: FloatArray  # composite text density (CTD); 0 for text nodes
    density_sum: FloatArray  # sum of the children's densities and of the node's own texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Cetd:
    """CETD-DS: composite text density, density sum, and a threshold from the densest node's ancestors.

    For each element, C characters, T elements below, LC characters in links, LT link tags below: links, elements in
    links, and elements that contain only links; zeros are replaced by 1. Its density is
    ``C/T * ln(C T / (LC LT)) / ln(ln(C LC / (C - LC) + C LCb / Cb + e))`` with LCb and Cb those of the body, and never
    below 0. The density sum adds up the densities of the children, and ``l ln l / ln(ln(l LCb / Cb + e))`` for each
    text of l characters between them. The threshold is the least density from the node of the largest density sum up
    to the body; in every node that reaches it, and has only such ancestors, the descendant with the largest
    density sum is content.

    Details that the paper does not specify follow descriptions of its authors' program: a link counts itself and all
    tags below it, and a text counts only if ``l LCb / Cb`` is above 1/e.

    Ours: that limit applies only if the page has a link. Without one LCb is 1 instead of 0, and on a page whose text is
    separated only by line breaks no text would count.
    """

    card: ClassVar[Card] = card_of("cetd")

    def mark(self, page: Page) -> Marks:
        """Mark the content of the dense nodes."""
        result = densities(page, characters(page))
        return leaves_under(page, dense_nodes(page, result.density, result.density_sum))


def densities(page: Page, sizes: FloatArray) -> Densities:
    """Compute the densities of all nodes from the characters of each leaf, float64 (leaves,)."""
    element = elements(page)
    linked = page.below(page.has_tag(*_LINKS))[page.leaves]
    size, link_size = page.sum_leaves(sizes), page.sum_leaves(sizes * linked)
    tags = page.count_below(element)
    links = _link_tags_below(page, element, tags, size == link_size)
    body = root_row(page)
    share = max(link_size[body], 1.0) / max(size[body], 1.0)
    least = 1 / np.e if link_size[body] > 0 else 0.0
    density = np.where(element, _composite(size, tags, link_size, links, share), 0.0)
    below = np.zeros(len(page))
    inner = element & (page.parent >= 0)
    np.add.at(below, page.parent[inner], density[inner])
    np.add.at(below, page.parent[page.leaves], _text_densities(sizes, share, least))
    return Densities(density=density, density_sum=np.where(element, below, 0.0))


def dense_nodes(page: Page, density: FloatArray, density_sum: FloatArray, *, last: int | None = None) -> IntColumn:
    """Return the nodes whose subtrees are the content (the paper's algorithm 3), int32 rows."""
    # ``last``: row of the last ancestor of the densest node whose density counts for the threshold, else the body.
    body = root_row(page)
    best = _largest_below(page, density_sum)
    threshold, row = np.inf, best[body]
    while row >= (body if last is None else last):
        threshold = min(threshold, float(density[row]))
        row = int(page.parent[row])
    chosen = np.zeros(len(page), dtype=bool)
    open_rows, inside = np.zeros(len(page), dtype=bool), np.zeros(len(page), dtype=bool)
    dense = density >= threshold
    for row in range(body, int(page.end[body])):
        above = page.parent[row]
        inside[row] = chosen[row] or (row > body and inside[above])
        if dense[row] and not inside[row] and (row == body or open_rows[above]) and density_sum[best[row]] > 0:
            open_rows[row] = True
            chosen[best[row]] = True
            inside[row] = chosen[row]
    return np.flatnonzero(chosen).astype(np.int32)


def root_row(page: Page) -> int:
    """Return the row of the body, or of the first node without one."""
    bodies = np.flatnonzero(page.has_tag("body"))
    return int(bodies[0]) if len(bodies) else 0


def _composite(
    size: FloatArray, tags: FloatArray, link_size: FloatArray, links: FloatArray, share: float
) -> FloatArray:
    chars, tags, links = np.maximum(size, 1.0), np.maximum(tags, 1.0), np.maximum(links, 1.0)
    free, link_chars = np.maximum(size - link_size, 1.0), np.maximum(link_size, 1.0)
    outer = np.log(np.log(chars / free * link_chars + share * chars + np.e))
    density = chars / tags * np.log(chars * tags / (link_chars * links)) / outer
    return np.where(size > 0, np.maximum(density, 0.0), 0.0)


def _text_densities(sizes: FloatArray, share: float, least: float) -> FloatArray:
    counts = (sizes > 0) & (share * sizes > least)
    outer = np.log(np.log(np.where(counts, share * sizes, 1.0) + np.e))
    return np.where(counts, sizes * np.log(np.maximum(sizes, 1.0)) / outer, 0.0)


def _link_tags_below(page: Page, element: BoolColumn, tags: FloatArray, all_linked: BoolColumn) -> FloatArray:
    """Count the links below each node with all in them, and elements that contain only links, float64 (nodes,)."""
    inside = (page.below(page.has_tag(*_LINKS)) & element).tolist()
    parents, is_element, only, below = page.parent.tolist(), element.tolist(), all_linked.tolist(), tags.tolist()
    links = [0] * len(page)
    for row in range(len(page) - 1, 0, -1):
        above = parents[row]
        if is_element[row] and above >= 0:
            pure = only[row] and links[row] == below[row] > 0
            links[above] += links[row] + (inside[row] or pure)
    return np.asarray(links, dtype=np.float64)


def _largest_below(page: Page, values: FloatArray) -> list[int]:
    """Return for each node the row of the largest value in its subtree, including itself; the first of equals."""
    value, parents = values.tolist(), page.parent.tolist()
    best = list(range(len(page)))
    from_below = [-1] * len(page)
    for row in range(len(page) - 1, -1, -1):
        candidate = from_below[row]
        if candidate >= 0 and value[candidate] > value[row]:
            best[row] = candidate
        above = parents[row]
        if above >= 0 and (from_below[above] < 0 or value[best[row]] >= value[from_below[above]]):
            from_below[above] = best[row]
    return best
