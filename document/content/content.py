"""The content of a page, independent of the format: its paragraphs, and a tree of clean HTML.

Every format is written from it. It contains only the marked text, and can be pickled and copied.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from lxml import etree

from ...page.arrays import IntColumn, Marks
from ...page.clean_text import clean
from ...page.page import Page
from .clean_html import Element, clean_markup
from .keep_elements import ElementFilter
from .paragraphs import Paragraph, paragraphs_of
from .parts.all_parts import find_parts
from .parts.images import Image
from .posts import PostLayout


class TextLink(NamedTuple):
    """A link: its text, and its absolute URL."""

    text: str
    url: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Content:
    """The marked text of a page."""

    root: Element  # a ``div`` with the clean HTML
    paragraphs: tuple[Paragraph, ...]  # in output order
    tags: tuple[str, ...]  # output tag of the structural element around each paragraph, "" for none
    images: tuple[Image, ...] = ()  # also those left out
    posts: tuple[int, ...] = ()  # indices of the paragraphs that start a post of a thread

    @property
    def links(self) -> tuple[TextLink, ...]:
        """The links of the text to other pages, in its order."""
        anchors = [one for one in self.root.iter("a") if not (one.get("href") or "#").startswith("#")]
        return tuple(TextLink(clean("".join(map(str, one.itertext()))), one.get("href", "")) for one in anchors)

    def xml(self) -> str:
        """Return the clean HTML with every element closed."""
        return "".join(etree.tostring(element, encoding="unicode") for element in self.root)

    def __reduce__(self) -> tuple[Any, ...]:
        # lxml's elements cannot be pickled; the tree comes out of its own markup as it was.
        others = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "root"}
        return _content, (etree.tostring(self.root, encoding="unicode"), others)


def _content(xml: str, others: dict[str, Any]) -> Content:
    return Content(root=etree.fromstring(xml, etree.XMLParser(huge_tree=True, resolve_entities=False)), **others)


def content_of(
    page: Page,
    marks: Marks,
    *,
    images: bool = True,
    captions: bool = True,
    posts: PostLayout | None = None,
) -> Content:
    """Cut the marked text into paragraphs and build its clean HTML.

    Pictures (with captions, marked or not), formulas, footnotes and embedded media of the marked text are included;
    ``posts`` are those of a thread, with a rule between them.
    """
    if not marks.any():
        return Content(root=etree.Element("div"), paragraphs=(), tags=())
    parts = find_parts(page, marks, images=images, captions=captions)
    layout = () if posts is None else (posts.frames, posts.quotes, posts.lines)
    kept = ElementFilter(page, parts, *layout).kept()
    passages = paragraphs_of(page, parts, kept)
    if parts.captions:
        for passage in passages:
            passage.caption = bool(passage.leaves) and parts.captions.issuperset(passage.leaves)
    if posts is not None:
        passages = _with_rules(passages, posts.starts(parts.marks))
        passages = posts.with_signatures(_ordered(passages, posts.order(parts.marks)))
    paragraphs = tuple(passage for passage in passages if passage.leaves)
    return Content(
        root=clean_markup(page, kept, passages, parts),
        paragraphs=paragraphs,
        tags=tuple(kept.tags.get(paragraph.row, "") for paragraph in paragraphs),
        images=parts.images,
        posts=() if posts is None else _post_paragraphs(paragraphs, posts),
    )


def _post_paragraphs(paragraphs: tuple[Paragraph, ...], posts: PostLayout) -> tuple[int, ...]:
    """Return the index of the first paragraph of each post."""
    first: dict[int, int] = {}
    for index, paragraph in enumerate(paragraphs):
        first.setdefault(int(posts.post[paragraph.leaves[0]]), index)
    return tuple(sorted(index for post, index in first.items() if post >= 0))


def _with_rules(passages: list[Paragraph], starts: list[int]) -> list[Paragraph]:
    """Insert a rule before each paragraph that starts a record."""
    parted: list[Paragraph] = []
    for passage in passages:
        first = min(passage.leaves, default=-1)
        place = bisect_right(starts, first)
        if first >= 0 and place:
            # A record whose first paragraph is dropped starts with the next one.
            del starts[:place]
            if parted and not parted[-1].rule:
                parted.append(Paragraph(row=-1, rule=True))
        parted.append(passage)
    return parted


def _ordered(passages: list[Paragraph], order: IntColumn) -> list[Paragraph]:
    """Sort paragraphs by their first leaf; rules and empty cells stay behind their predecessor."""
    place = np.argsort(order)
    ranks: list[int] = []
    for passage in passages:
        before = ranks[-1] if ranks else -1
        ranks.append(int(place[passage.leaves].min()) if passage.leaves else before)
    return [passages[number] for number in np.argsort(ranks, kind="stable")]
