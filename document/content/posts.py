"""The posts of a thread in a document: author and date are above the text, and no post is an item of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...page.arrays import MOST, BoolColumn, IntColumn, Marks, mask_of
from ...page.page import Page
from ...records.posts.quotes import quoted_name
from .keep_elements import BLOCKS
from .paragraphs import Paragraph

_LISTS = ("ul", "ol", "dl", "menu", "dir")
#: Parts of lists and tables, and the elements that they are parts of.
_PARTS = ((("li", "dt", "dd"), _LISTS), (("thead", "tbody", "tfoot", "tr", "td", "th", "caption"), ("table",)))
#: Elements that a post may have only one of, around all of its text.
_WHOLE = ("li", "dd", "dt", "tr", "td", "th")


@dataclass(frozen=True, kw_only=True, eq=False)
class PostLayout:
    """The posts of a page.

    ``post``, int32 (leaves,), is the number of the innermost post around each leaf, -1 for none; ``signature``, bool
    (leaves,), marks who wrote it and when; ``frames``, bool (nodes,), lists, tables and quotes that hold whole posts;
    ``quotes`` are the rows of quotes that are none by their tag, and ``lines``, bool (nodes,), marks what is a line of
    its own whatever its tag: the texts of signatures, and who is quoted.
    """

    post: IntColumn
    signature: Marks
    frames: BoolColumn
    quotes: tuple[int, ...]
    lines: BoolColumn

    def starts(self, marks: Marks) -> list[int]:
        """Return the first marked leaf of each post, in document order."""
        marked = (marks & (self.post >= 0)).nonzero()[0]
        first = np.unique(self.post[marked], return_index=True)[1]
        return sorted(marked[first].tolist())

    def order(self, marks: Marks) -> IntColumn:
        """Return the leaves with the signature of each post before its text, int32 (leaves,)."""
        order = np.arange(len(self.post), dtype=np.int32)
        for leaves in self._leaves(marks):
            order[leaves] = leaves[np.argsort(~self.signature[leaves], kind="stable")]
        return order

    def _leaves(self, marks: Marks) -> Iterator[IntColumn]:
        marked = (marks & (self.post >= 0)).nonzero()[0].astype(np.int32)
        by_post = marked[np.argsort(self.post[marked], kind="stable")]
        yield from np.split(by_post, np.diff(self.post[by_post]).nonzero()[0] + 1) if len(by_post) else ()

    def with_signatures(self, passages: Sequence[Paragraph]) -> list[Paragraph]:
        """Return the paragraphs with each signature as one paragraph, outside of lists and tables."""
        joined: list[Paragraph] = []
        for passage in passages:
            if passage.rule and joined and joined[-1].leaves and self.signature[joined[-1].leaves].all():
                continue  # a line below the names
            if not passage.leaves or not self.signature[passage.leaves].all():
                joined.append(passage)
                continue
            # Portraits are no pictures of the text.
            runs = [run for run in passage.runs if not any(step.tag == "img" for step in run[0])]
            before = joined[-1] if joined else None
            if before is not None and before.leaves and self._signs_same(before, passage):
                before.runs += [((), " "), *runs]
                before.leaves += passage.leaves
            else:
                joined.append(Paragraph(row=-1, leaves=list(passage.leaves), runs=runs))
        return joined

    def _signs_same(self, before: Paragraph, passage: Paragraph) -> bool:
        both = [*before.leaves, *passage.leaves]
        return bool(self.signature[before.leaves].all()) and len(set(self.post[both].tolist())) == 1


def post_layout(
    page: Page,
    spans: Sequence[tuple[int, int]],
    texts: Sequence[Sequence[int]],
    signature: Marks,
    quotes: Sequence[int] = (),
) -> PostLayout:
    """Return the layout of posts by their rows ``[first, end)``, outer ones first, and the leaves of their texts.

    ``quotes`` are the rows of the quotes in them.
    """
    post = np.full(len(page.leaves), -1, dtype=np.int32)
    for number, (first, end) in enumerate(spans):
        post[page.leaf_range[first, 0] : page.leaf_range[end - 1, 1]] = number
    lines = mask_of(len(page), page.leaves[signature & (post >= 0)])
    lines[[row for quote in quotes if (row := quoted_name(page, quote)) >= 0]] = True
    return PostLayout(
        post=post,
        signature=signature,
        frames=_frames(page, spans, texts),
        quotes=tuple(row for row in quotes if page.tag_of(row) not in ("blockquote", "q")),
        lines=lines,
    )


def _frames(page: Page, spans: Sequence[tuple[int, int]], texts: Sequence[Sequence[int]]) -> BoolColumn:
    """Mark lists, tables and quotes around whole posts, with all of their parts."""
    frames = np.zeros(len(page), dtype=bool)
    quotes: list[int] = []
    for (first, _), leaves in zip(spans, texts, strict=True):
        row = first
        if leaves:
            low, high = int(page.leaves[leaves[0]]), int(page.leaves[leaves[-1]])
            row = int(page.parent[low])
            while page.end[row] <= high:
                row = int(page.parent[row])
            if page.tag_of(row) == "blockquote" and row >= first:
                quotes.append(row)
            frames[row] = page.tag_of(row) in _WHOLE
        while row > 0 and not frames[int(page.parent[row])]:
            row = int(page.parent[row])
            frames[row] = page.tag_of(row) in BLOCKS
    if len(quotes) >= MOST * max(sum(bool(leaves) for leaves in texts), 1):
        frames[quotes] = True
    for parts, whole in _PARTS:
        owner = page.nearest(page.has_tag(*whole))
        frames |= page.has_tag(*parts) & (owner >= 0) & np.append(frames, False)[owner]
    return frames
