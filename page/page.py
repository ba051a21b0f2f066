"""A page as columns: one row a node, one column a property; reading it needs no browser."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, wraps
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import arrays
from .arrays import RESULTS, BoolColumn, FloatArray, IntColumn, cached_by_owner, mask_of, prefix_sums, span_sums
from .geometry import Geometry
from .hidden import Hidden, declared_hidden
from .html import INLINE_TAGS, NOT_TEXT, TEXT
from .invisible_characters import is_blank
from .tree import Tree

#: Without scripts, noscript counts as text if it has at least this many characters for each character elsewhere.
_NOSCRIPT_SHARE = 1 / 3
#: Texts are one word if the gap between them is smaller than this share of their height.
_TOUCHING = 0.12
#: Of a leaf whose markup decides whether it is hidden.
_BY_MARKUP = 255
#: Fields that the tree does not depend on, and cached columns that depend on more than the tree.
_NOT_OF_TREE = frozenset("title language geometry partial screenshot mhtml environment rendered_hidden".split())
_OF_GEOMETRY = frozenset({"block_level", "owner", "hidden", RESULTS})


@dataclass(frozen=True, kw_only=True, eq=False)
class Page(Tree):
    """One page, rendered (with ``geometry``) or parsed (``geometry`` is None).

    A *text leaf* is a text node with visible characters outside of scripts, form controls and the like; all later
    steps refer to leaves by their index in :attr:`leaves`.

    Attributes
    ----------
    url, title, language : str
        Address, text of the title element, and the ``lang`` of the root ("" if there is none).
    geometry : Geometry or None
        None for a page that was not rendered.
    partial : bool
        True if the page was still loading at its deadline.
    screenshot : bytes or None
        A PNG of the document, if one was requested; None as well on a partial page, if it was not finished in time.
    environment : mapping of str to str
        What the rendering depended on besides the page (browser, fonts, viewport, language); empty if not rendered.
    mhtml : bytes or None
        The page as an MHTML archive, if one was requested.
    saved_from : str
        The address that a browser noted in the file when it saved the page, "" if there is none.
    rendered_hidden : uint8 (leaves,) or None
        A :class:`~blocksight.page.hidden.Hidden` of each leaf when the page was rendered, 255 where markup decides;
        kept by :meth:`without_geometry`.

    The columns of the tree are those of :class:`~blocksight.page.tree.Tree`.
    """

    url: str
    title: str
    language: str
    geometry: Geometry | None = None
    partial: bool = False
    screenshot: bytes | None = None
    mhtml: bytes | None = None
    environment: Mapping[str, str] = field(default_factory=dict)
    saved_from: str = ""
    rendered_hidden: NDArray[np.uint8] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        state = "rendered" if self.geometry else "not rendered"
        return f"<Page {self.url} {len(self)} nodes, {len(self.leaves)} text leaves, {state}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the screenshot if there is one, and a summary line."""
        summary = f"<p><b>{escape(self.title)}</b> <small>{escape(repr(self))}</small></p>"
        if self.screenshot is None:
            return summary
        image = base64.b64encode(self.screenshot).decode()
        frame = "max-height:480px;overflow:auto;border:1px solid #ccc"
        return f'{summary}<div style="{frame}"><img src="data:image/png;base64,{image}" style="width:100%"></div>'

    @property
    def partial_reason(self) -> str:
        """Why a page is partial, in one line; "" for a complete page."""
        return self.environment.get("partial", "it was still loading at the timeout") if self.partial else ""

    @property
    def errors(self) -> tuple[str, ...]:
        """Errors of the page while it was rendered: scripts that failed, and requests, each with its reason."""
        return tuple(self.environment.get("errors", "").splitlines())

    def without_geometry(self, *, keep_hidden: bool = False) -> Page:
        """Return the page as its markup and text alone describe it, without geometry and images.

        Text that was visible when rendered is not hidden, whatever its markup declares: style sheets and scripts
        override it. With ``keep_hidden``, text that was hidden when rendered stays hidden, too.
        """
        hidden = self.rendered_hidden
        if self.geometry is None and self.screenshot is None and self.mhtml is None:
            return self  # with all columns that are computed already
        if self.geometry is not None:
            visible = self.hidden == Hidden.VISIBLE
            hidden = self.hidden if keep_hidden else np.where(visible, Hidden.VISIBLE, _BY_MARKUP).astype(np.uint8)
        return self.replace(geometry=None, screenshot=None, mhtml=None, rendered_hidden=hidden)

    def replace(self, **changes: Any) -> Page:
        """Return a copy with other values of fields that the tree does not depend on, such as ``geometry``.

        As :func:`dataclasses.replace`, but columns that were computed from the tree are not computed again.
        """
        if not changes.keys() <= _NOT_OF_TREE:
            raise TypeError(f"replace() takes {', '.join(sorted(_NOT_OF_TREE))}, not {', '.join(changes)}")
        page = replace(self, **changes)
        cached = vars(self).keys() - {member.name for member in fields(self)} - _OF_GEOMETRY
        vars(page).update({name: vars(self)[name] for name in cached})
        return page

    # -- text leaves -----------------------------------------------------------------------------------------------

    @cached_property
    def leaves(self) -> IntColumn:
        """int32 (leaves,): rows of the text leaves, in document order."""
        candidates = (self.text >= 0).nonzero()[0]
        excluded = self.below((self.has_tag(*NOT_TEXT) & ~self._open) | self._generated)
        candidates = candidates[~excluded[candidates]]
        strings, visible = self.strings, _start_visibly(self, candidates)
        unclear = (~visible).nonzero()[0]
        texts = self.text[candidates[unclear]].tolist()
        # Few texts differ in their white space.
        blank = {text: is_white_space(strings[text]) for text in set(texts)}
        visible[unclear] = [not blank[text] for text in texts]
        leaves: IntColumn = candidates[visible].astype(np.int32)
        return leaves

    @cached_property
    def leaf_texts(self) -> tuple[str, ...]:
        """The text of each leaf, verbatim."""
        return tuple(map(self.strings.__getitem__, self.text[self.leaves].tolist()))

    @cached_property
    def leaf_lengths(self) -> NDArray[np.int64]:
        """int64 (leaves,): number of characters of each leaf without leading and trailing white space."""
        return np.asarray([*map(len, map(str.strip, self.leaf_texts))], dtype=np.int64)

    @cached_property
    def leaf_range(self) -> IntColumn:
        """int32 (nodes, 2): each node's subtree has the leaves ``[first, last)``."""
        is_leaf = mask_of(len(self), self.leaves)
        before = prefix_sums(is_leaf)
        result = np.empty((len(self), 2), dtype=np.int32, order="F")
        result[:, 0], result[:, 1] = before[:-1], before[self.end]
        return result

    def sum_leaves(self, leaf_values: FloatArray) -> FloatArray:
        """float64 (nodes,): sum of a column of the leaves over each node's subtree."""
        return span_sums(leaf_values, self.leaf_range[:, 0], self.leaf_range[:, 1])

    @cached_property
    def hidden(self) -> NDArray[np.uint8]:
        """uint8 (leaves,): a :class:`~blocksight.page.hidden.Hidden` each; without geometry, by markup alone."""
        if self.geometry is not None:
            return self.geometry.hidden
        blank = np.zeros(len(self.leaves), dtype=bool)
        unclear = (~_start_visibly(self, self.leaves)).nonzero()[0]
        blank[unclear] = [is_blank(self.leaf_texts[leaf]) for leaf in unclear.tolist()]
        hidden = self.declared_hidden[self.leaves]
        hidden[blank] = Hidden.GLYPHS
        known = self.rendered_hidden
        return hidden if known is None else np.where(known == _BY_MARKUP, hidden, known).astype(np.uint8)

    @cached_property
    def declared_hidden(self) -> NDArray[np.uint8]:
        """uint8 (nodes,): a :class:`~blocksight.page.hidden.Hidden` each, by markup alone."""
        return declared_hidden(self)

    # -- elements --------------------------------------------------------------------------------------------------

    @cached_property
    def block_level(self) -> BoolColumn:
        """bool (nodes,): elements that break the line, by computed display, else by their tag.

        An inline block is part of the line if there is text in that line, such as a badge in a sentence, or if it is
        a letter or syllable of a word; otherwise it is a box by itself, such as an entry of a menu.
        """
        element = ~self.has_tag(TEXT)
        by_tag = element & ~self.has_tag(*INLINE_TAGS)
        if self.geometry is None:
            return by_tag
        display = self.geometry.display
        inline = self.has_name(display, "inline", "contents", "ruby", "ruby-text", "ruby-base") | ~element
        inline_box = self.has_name(display, "inline-block", "inline-flex", "inline-grid", "inline-table")
        line = self.nearest(~inline)
        has_text = mask_of(len(self) + 1, line[self.leaves])
        split = self._lines_of_split_words(line, inline_box)
        while len(split):
            has_text[split] = True
            above = self.parent[split[inline_box[split]]]
            split = np.unique(line[above[above >= 0]])
        has_text[-1] = False  # of text without an element around
        in_line = inline_box & has_text[np.where(self.parent >= 0, line[self.parent], -1)]
        return np.where(display < 0, by_tag, element & ~inline & ~in_line)

    def _lines_of_split_words(self, line: IntColumn, inline_box: BoolColumn) -> IntColumn:
        """Return the elements with words of which each letter, or syllable, is an inline block: their texts touch."""
        assert self.geometry is not None
        node, box = self.geometry.line_node, self.geometry.line_box
        holder = line[node]
        left, top, width, height = box.T
        gap = np.minimum(np.abs(left[1:] - (left + width)[:-1]), np.abs(left[:-1] - (left + width)[1:]))
        touching = (gap < _TOUCHING * height[1:]) & (np.abs(top[1:] - top[:-1]) < _TOUCHING * height[1:])
        parent = np.where(holder >= 0, self.parent[holder], -1)
        touching &= (parent[1:] == parent[:-1]) & (parent[1:] >= 0) & (holder[1:] != holder[:-1])
        touching &= inline_box[holder[1:]] & inline_box[holder[:-1]]
        return np.unique(line[parent[1:][touching]])

    @cached_property
    def owner(self) -> IntColumn:
        """int32 (nodes,): the nearest block-level element among the node itself and its ancestors; -1 if none."""
        return self.nearest(self.block_level)

    @cached_property
    def in_source(self) -> BoolColumn:
        """bool (nodes,): elements of the source, without generated ones, scripts and styles."""
        without_text = self.leaf_range[:, 0] == self.leaf_range[:, 1]
        return (self.text < 0) & ~self.below(self.has_tag(*NOT_TEXT) & without_text | self._generated)

    @cached_property
    def _generated(self) -> BoolColumn:
        """bool (nodes,): pseudo-elements, such as "::before"."""
        codes = [code for code, name in enumerate(self.names) if name[:2] == "::"]
        if not codes:
            return self.has_tag()
        table = mask_of(len(self.names), codes)
        return table[self.tag]

    @cached_property
    def _open(self) -> BoolColumn:
        """bool (nodes,): declared shadow roots, frames with a loaded document, and noscript elements that are text."""
        opened = self.has_tag("template") & (self.attribute("shadowrootmode") >= 0)
        frames = self.has_tag("iframe", "frame", "object", "embed")
        inner = self.parent[self.has_tag("html") & (self.parent >= 0)]
        opened[inner] |= frames[inner]
        return opened | self._noscript_text()

    def _noscript_text(self) -> BoolColumn:
        """bool (nodes,): the noscript elements, if they have a large share of the text.

        If scripts run, browsers parse no elements inside of them. The leaves must depend on the tree alone: a page has
        the same leaves with its geometry and without.
        """
        noscript = self.has_tag("noscript")
        if not noscript.any():
            return noscript
        has_elements = mask_of(len(self), self.parent[(self.text < 0) & (self.parent >= 0)])
        noscript = noscript & has_elements
        if not noscript.any():
            return noscript
        texts = (self.text >= 0) & ~self.below(self.has_tag(*(NOT_TEXT - {"noscript"})))
        inside = self.below(noscript)
        own, others = (
            (len(self.strings[text].strip()) for text in self.text[rows].tolist())
            for rows in (texts & inside, texts & ~inside)
        )
        # Most such elements have no text: then any other text is more.
        size = sum(own)
        return noscript & bool(size >= _NOSCRIPT_SHARE * sum(others) if size else not any(others))


def is_white_space(text: str) -> bool:
    """Return whether a text is empty or white space alone."""
    return not text or text.isspace()


def _start_visibly(page: Page, rows: NDArray[np.signedinteger[Any]]) -> BoolColumn:
    """Return which of some text nodes start with a visible ASCII character, as nearly all with text do."""
    texts, strings = page.text[rows], page.strings
    if arrays.compiled:
        arrays.compiled.visible(strings, texts, result := np.empty(len(texts), dtype=bool))
        return result
    return np.fromiter(("!" <= strings[text][:1] <= "~" for text in texts.tolist()), dtype=bool, count=len(texts))


def cached_column(compute: Callable[[Page], NDArray[Any]]) -> Callable[[Page], NDArray[Any]]:
    """Decorate a function of a page: its result is made read-only and cached as long as the page exists."""

    @cached_by_owner
    @wraps(compute)
    def column(page: Page) -> NDArray[Any]:
        values = compute(page)
        values.flags.writeable = False
        return values

    return column
