"""CETR: content extraction via tag ratios (Weninger, Hsu and Han, WWW 2010)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import FloatArray, IntColumn, Marks, prefix_sums
from ...page.html import NOT_TEXT
from ...page.page import Page
from ..system import Card, card_of
from .linear_page import Stream, stream_of

_ROUNDS = 100
LineColumn = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cetr:
    """Source lines with a high ratio of text to tags.

    For each line of the source the ratio of its text characters to its tags is smoothed by a Gaussian kernel; the
    second dimension is the smoothed absolute change to the next lines. The lines are clustered by k-means with one of
    three centroids fixed at the origin: its lines are noise, all others content.

    Ours: the kernel's standard deviation of a line, and its radius of one standard deviation, rounded up (2⌈σ⌉ + 1
    lines, normalised); the lines are those of the page's texts (a page does not store line breaks inside tags); a
    page with very long lines is split into lines of equal width, its source estimated from its columns; the first
    and the last lines are smoothed with their mirror image; the other two centroids have fixed initial positions,
    so that the result is reproducible; a text leaf is content if most of its characters are.
    """

    #: Of the Gaussian kernel, in lines.
    sigma: float = 1.0
    ahead: int = 3  # the number of next lines used for the change
    clusters: int = 3
    line_width: int = 65  # characters of a line on a page that is split
    longest_mean: int = 325  # a page with a larger mean line length is split
    card: ClassVar[Card] = card_of("cetr")

    def mark(self, page: Page) -> Marks:
        """Mark the leaves in content lines."""
        lines = _page_lines(page, stream_of(page), self.line_width, self.longest_mean)
        if not len(lines.leaf):
            return np.zeros(len(page.leaves), dtype=bool)
        ratio = self._smoothed(lines.ratios())
        points = np.stack([ratio, self._change(ratio)], axis=1)
        content = clusters_of(points, self.clusters) > 0
        good = np.bincount(lines.leaf, weights=lines.size * content[lines.line], minlength=len(page.leaves))
        total = np.bincount(lines.leaf, weights=lines.size, minlength=len(page.leaves))
        return good * 2 > total

    def _smoothed(self, values: FloatArray) -> FloatArray:
        reach = ceil(self.sigma)
        kernel = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * self.sigma**2))
        padded = np.pad(values, reach, mode="symmetric") if reach < len(values) else np.pad(values, reach, mode="edge")
        return np.convolve(padded, kernel / kernel.sum(), mode="valid")

    def _change(self, ratio: FloatArray) -> FloatArray:
        total = prefix_sums(ratio)
        first = np.arange(len(ratio)) + 1
        last = np.minimum(first + self.ahead, len(ratio))
        following = (total[last] - total[np.minimum(first, last)]) / np.maximum(last - first, 1)
        change = np.abs(np.where(last > first, following - ratio, 0.0))
        return np.abs(self._smoothed(change))


def clusters_of(points: FloatArray, count: int) -> LineColumn:
    """Return clusters by k-means (Lloyd): the first centroid stays at the origin, others start evenly spaced."""
    farthest = points[np.argmax((points**2).sum(axis=1))]
    centres = farthest * np.arange(count)[:, None] / max(count - 1, 1)
    chosen = np.full(len(points), -1)
    for _ in range(_ROUNDS):
        nearest = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
        if np.array_equal(nearest, chosen):
            break
        chosen = nearest
        for cluster in range(1, count):
            if (chosen == cluster).any():
                centres[cluster] = points[chosen == cluster].mean(axis=0)
    return chosen


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _TagLines:
    """A page as lines: leaf, line and size of each piece of text, and the tags of each line."""

    leaf: IntColumn
    line: IntColumn
    size: FloatArray
    tags: FloatArray

    def ratios(self) -> FloatArray:
        text = np.bincount(self.line, weights=self.size, minlength=len(self.tags))
        return text / np.maximum(self.tags, 1.0)


def _page_lines(page: Page, stream: Stream, width: int, longest_mean: int) -> _TagLines:
    """Split a page into its lines, or if those are too long, into lines of equal width."""
    lengths, breaks = _lengths(page, stream), _breaks(page)
    if lengths.sum() > longest_mean * (breaks[-1] + 1):
        start = np.cumsum(lengths) - lengths
        return _lay_out(page, stream, start // width, start % width, width)
    position = np.where(stream.opens | (stream.leaf >= 0), stream.row, page.end[stream.row])
    return _lay_out(page, stream, breaks[position], np.zeros(len(stream), dtype=np.int64), 0)


def _lay_out(page: Page, stream: Stream, line: LineColumn, offset: LineColumn, width: int) -> _TagLines:
    """Assign text and tags to lines; a width of 0 keeps the texts' own line breaks. Empty lines are removed."""
    pieces: list[tuple[int, int, int]] = []
    for event in np.flatnonzero(stream.leaf >= 0).tolist():
        leaf, first = int(stream.leaf[event]), int(line[event])
        parts = _split(page.leaf_texts[leaf], int(offset[event]), width)
        pieces += [(leaf, first + number, len(" ".join(piece.split()))) for number, piece in enumerate(parts)]
    rows = np.asarray([piece for piece in pieces if piece[2]], dtype=np.int32).reshape(-1, 3)
    tag_line = line[stream.leaf < 0]
    used, renumbered = np.unique(np.concatenate([rows[:, 1], tag_line]), return_inverse=True)
    return _TagLines(
        leaf=rows[:, 0],
        line=renumbered[: len(rows)].astype(np.int32),
        size=rows[:, 2].astype(np.float64),
        tags=np.bincount(renumbered[len(rows) :], minlength=len(used)).astype(np.float64),
    )


def _split(text: str, offset: int, width: int) -> list[str]:
    if not width:
        return text.split("\n")
    return [text[max(start, 0) : start + width] for start in range(-offset, len(text), width)]


def _lengths(page: Page, stream: Stream) -> LineColumn:
    """Estimate the source characters of each tag and text, int64 (events,)."""
    names = np.asarray([len(name) for name in page.names], dtype=np.int64)
    strings = np.asarray([*map(len, page.strings), 0], dtype=np.int64)  # the last one is for nodes without text
    attributes = np.zeros(len(page), dtype=np.int64)
    source = np.asarray([not name.startswith("::") for name in page.names], dtype=bool)[page.attribute_name]
    length = names[page.attribute_name] + strings[page.attribute_value] + 4
    np.add.at(attributes, page.attribute_node[source], length[source])
    tag = names[page.tag[stream.row]] + 2 + attributes[stream.row] * stream.opens
    return np.where(stream.leaf >= 0, strings[page.text[stream.row]], tag)


def _breaks(page: Page) -> LineColumn:
    """Count the line breaks in the texts before each node, int64 (nodes + 1,), without scripts and styles."""
    table = np.asarray([text.count("\n") for text in page.strings] + [0], dtype=np.int64)
    closed = page.below(page.has_tag(*NOT_TEXT) & (page.leaf_range[:, 0] == page.leaf_range[:, 1]))
    breaks: LineColumn = np.where(closed, 0, table[page.text])
    return prefix_sums(breaks)
