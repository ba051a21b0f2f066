"""A page as columns: one row a node, one column a property, nothing that needs a browser.

Rows stand in the order of the composed tree (document order, each parent before its children; shadow trees and frames
stand where a person sees them). A *text leaf* is a text node with something to read in it; everything later in
blocksight speaks of leaves by their index in :attr:`Page.leaves`.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum
from functools import cached_property
from html import escape
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import BoolColumn, FloatArray, FloatColumn, IntColumn, prefix_sums
from .invisible_characters import is_blank

TEXT = "#text"

#: Subtrees that are gone through one by one; of more, all nodes are looked at together.
FEW = 64
#: How the names of attributes begin that a browser adds; those of a page that begin so are left out.
OURS = "::"
#: Attributes that a browser adds to pictures: the address of the one that was shown, its
#: width and its height in pixels of its own.
SHOWN_SOURCE, SHOWN_WIDTH, SHOWN_HEIGHT = "::src", "::width", "::height"
#: Attributes that a browser adds where the composed tree is not the document's: on what stands right in a shadow root,
#: its mode; on what is slotted, its place among its siblings of one tag, how many those are, and its place among all.
SHADOW_ROOT, SLOTTED = "::root", "::slotted"
#: The mode that stands in for it where the browser did not tell which root holds what.
UNKNOWN_ROOT = "unknown"

#: Characters of a title that are kept: more is no title, and all that looks at titles would read it.
LONGEST_TITLE = 10_000

#: Elements whose text is no page text: programs, metadata, control values and alternatives that are not shown.
NOT_TEXT = frozenset(
    "script style template noscript head title textarea select option datalist embed applet canvas "
    "audio video iframe frame noframes noembed".split()
)

#: Where no scripts ran, noscript counts as text where it holds this much for each character elsewhere.
NOSCRIPT_SHARE = 1 / 3

#: Elements that only change how text looks (HTML 4 inline elements and their successors).
INLINE_TAGS = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rb rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr br slot math mi mo mn mrow msup msub mfrac".split()
)

#: Elements that cannot hold anything: they have no closing tag.
VOID_TAGS = frozenset("area base br col hr img input link meta param source track wbr".split())

#: Inline styles that certainly hide, that overrule the attribute ``hidden``, and that hide but for what is inside.
_GONE_STYLE = re.compile(
    r"(?<![-\w])(?:display\s*:\s*none|content-visibility\s*:\s*hidden"
    r"|opacity\s*:\s*(?:0*\.?0+)%?\s*(?=[;!]|$))",
    re.IGNORECASE,
)
_SHOWN_STYLE = re.compile(r"(?<![-\w])display\s*:\s*(?!none)", re.IGNORECASE)
_VISIBILITY_STYLE = re.compile(r"(?<![-\w])visibility\s*:\s*(hidden|collapse|visible)", re.IGNORECASE)
#: A size of nothing, and one that does not depend on what is around.
_NO_SIZE_STYLE = re.compile(r"(?<![-\w])font-size\s*:\s*0*\.?0+(?:px|r?em|%)?\s*(?=[;!]|$)", re.IGNORECASE)
#: Of an inline style so many characters at its beginning and at its end are looked at.
_LONGEST_STYLE = 50_000
_SIZE_STYLE = re.compile(r"(?<![-\w])font(?:-size)?\s*:(?!\s*[\d.]+(?:em|%))", re.IGNORECASE)


#: Objects that browsers show by themselves: their kind, and what their address ends in.
_SHOWN_OBJECTS = ("image/", "text/", "application/pdf", "application/xhtml")
_SHOWN_FILES = (".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".html", ".htm", ".pdf", ".txt")


class Hidden(IntEnum):
    """Why a person does not see a text leaf; ``VISIBLE`` is 0, so that a column of reasons is also a mask.

    ======================= ===========================================================================================
    ``DISPLAY``             It has no rendered line: ``display: none``, closed details, unassigned slots ...
    ``VISIBILITY``          The computed ``visibility`` is not ``visible``.
    ``OPACITY``             Its opacity, or the alpha of its colour, leaves next to nothing.
    ``CLIP``                What is around it cuts it off, or shows it through a slit.
    ``ZERO_AREA``           Its lines have no area.
    ``OFF_SCREEN``          No scrolling reaches it.
    ``OVERLAY``             It lies under an overlay that can be closed; it counts as seen.
    ``COLOR``               It has the colour of what is painted behind it.
    ``COVER``               Something is painted over it for good.
    ``SIZE``                It is too small to be read.
    ``GLYPHS``              Its font, or its characters, draw nothing.
    ``EFFECT``              A filter, mask, blend mode, clip path or turn in space leaves nothing of it in the picture.
    ======================= ===========================================================================================
    """

    VISIBLE = 0
    DISPLAY = 1
    VISIBILITY = 2
    OPACITY = 3
    CLIP = 4
    ZERO_AREA = 5
    OFF_SCREEN = 6
    OVERLAY = 7
    COLOR = 8
    COVER = 9
    SIZE = 10
    GLYPHS = 11
    EFFECT = 12


class Position(IntEnum):
    """The computed value of the CSS property ``position``."""

    STATIC = 0
    RELATIVE = 1
    ABSOLUTE = 2
    FIXED = 3
    STICKY = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Paint:
    """How nodes are painted, and what they are to what is inside them.

    Attributes
    ----------
    fill : uint32 (nodes,)
        ``0xRRGGBBAA`` in which text is painted; ``color`` may be another.
    image : bool (nodes,)
        Whether there is a background picture or gradient.
    border : float32 (nodes, 4)
        Widths of the visible border: top, right, bottom, left.
    radius : float32 (nodes,)
        The largest radius of its corners.
    shadow : bool (nodes,)
        Whether it throws a shadow.
    holds : bool (nodes,)
        Whether absolute and fixed boxes inside are placed by it although it need not be positioned (transforms,
        filters, containment).
    scrolls : bool (nodes, 2)
        Whether a person can scroll its overflow, horizontally and vertically.
    """

    fill: NDArray[np.uint32]
    image: BoolColumn
    border: FloatColumn
    radius: FloatColumn
    shadow: BoolColumn
    holds: BoolColumn
    scrolls: BoolColumn


@dataclass(frozen=True, kw_only=True, eq=False)
class Geometry:
    """What the browser laid out. Boxes are ``[x, y, width, height]`` in CSS pixels of the document.

    Attributes
    ----------
    viewport, size : tuple of float
        Width and height of the window and of the whole document.
    box : float32 (nodes, 4)
        Bounding box after transforms; NaN for nodes that are not laid out.
    paint_order : int32 (nodes,)
        Later painted is greater; -1 where not laid out.
    display : int32 (nodes,)
        Index into :attr:`Page.names`; -1 where not laid out.
    position : uint8 (nodes,)
        A :class:`Position`.
    opacity : float32 (nodes,)
        The node's own, 1 for texts; what reaches the eye is the product over its ancestors.
    invisible : bool (nodes,)
        Computed ``visibility`` is not ``visible``.
    clips : bool (nodes, 2)
        Whether overflow is cut off, not scrolled, horizontally and vertically; by ``overflow`` or by containment.
    font_size : float32 (nodes,)
        CSS pixels; text nodes carry their parent's.
    font_weight : int16 (nodes,)
        1 to 1000.
    color, background : uint32 (nodes,)
        ``0xRRGGBBAA``; a background with alpha 0 is none.
    line_node : int32 (lines,)
        The text node of each rendered line piece.
    line_box : float32 (lines, 4)
        Its box (font ascent and descent high, not the line height).
    line_start, line_length : int32 (lines,)
        Its range in the text node's characters.
    hidden : uint8 (leaves,)
        A :class:`Hidden` for each text leaf.
    paint : Paint, optional
        None in pages that were saved before it was kept.
    """

    viewport: tuple[float, float]
    size: tuple[float, float]
    box: FloatColumn
    paint_order: IntColumn
    display: IntColumn
    position: NDArray[np.uint8]
    opacity: FloatColumn
    invisible: BoolColumn
    clips: BoolColumn
    font_size: FloatColumn
    font_weight: NDArray[np.int16]
    color: NDArray[np.uint32]
    background: NDArray[np.uint32]
    line_node: IntColumn
    line_box: FloatColumn
    line_start: IntColumn
    line_length: IntColumn
    hidden: NDArray[np.uint8]
    paint: Paint | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Page:
    """One page, rendered (with ``geometry``) or parsed (``geometry`` is None).

    Attributes
    ----------
    url, title, language : str
        Address, text of the title element, and the ``lang`` of the root ("" where there is none).
    names : tuple of str
        The small vocabulary: lower-case tag names, attribute names, display values.
    strings : tuple of str
        Texts and attribute values.
    parent : int32 (nodes,)
        Row of the parent, -1 for the root; always smaller than the row itself.
    tag : int32 (nodes,)
        Index into ``names``; text nodes are "#text", generated text stands under "::before" and the like.
    text : int32 (nodes,)
        Index into ``strings`` for text nodes, else -1.
    attribute_node, attribute_name, attribute_value : int32 (attributes,)
        One row an attribute, ordered by node; indices into rows, ``names`` and ``strings``. What the browser adds has
        names of "::" (:data:`SHOWN_SOURCE`).
    geometry : Geometry or None
        None for a page that no browser has seen.
    partial : bool
        True when the page was still loading at its deadline.
    screenshot : bytes or None
        A PNG of the document, where one was asked for; None as well, on a partial page, where it did not come in time.
    environment : mapping of str to str
        What the rendering depended on beside the page (browser, fonts, window, language); empty where nothing was
        rendered.
    mhtml : bytes or None
        The page as browsers archive it, where that was asked for.
    warc : bytes or None
        What the browser loaded, as records of a WARC file, where that was asked for; it is not saved with the page.
    """

    url: str
    title: str
    language: str
    names: tuple[str, ...]
    strings: tuple[str, ...]
    parent: IntColumn
    tag: IntColumn
    text: IntColumn
    attribute_node: IntColumn
    attribute_name: IntColumn
    attribute_value: IntColumn
    geometry: Geometry | None = None
    partial: bool = False
    screenshot: bytes | None = None
    mhtml: bytes | None = None
    warc: bytes | None = None
    environment: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.parent)

    def __repr__(self) -> str:
        seen = "rendered" if self.geometry else "not rendered"
        return f"<Page {self.url} {len(self)} nodes, {len(self.leaves)} text leaves, {seen}>"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: the screenshot where there is one, and a line of facts."""
        facts = f"<p><b>{escape(self.title)}</b> <small>{escape(repr(self))}</small></p>"
        if self.screenshot is None:
            return facts
        picture = base64.b64encode(self.screenshot).decode()
        frame = "max-height:480px;overflow:auto;border:1px solid #ccc"
        return f'{facts}<div style="{frame}"><img src="data:image/png;base64,{picture}" style="width:100%"></div>'

    def equals(self, other: Page) -> bool:
        """Return whether every column of two pages is the same, bit for bit."""
        return _same(self, other)

    def without_geometry(self) -> Page:
        """Return the same page as a reader sees it who knows markup and text only.

        What has been seen is not hidden, whatever the markup says: style sheets and scripts overrule it.
        """
        page = self.changed(geometry=None, screenshot=None, mhtml=None, warc=None)
        if self.geometry is not None:
            page.__dict__["hidden"] = np.where(self.hidden == Hidden.VISIBLE, Hidden.VISIBLE, page.hidden)
        return page

    def changed(self, **changes: Any) -> Page:
        """Return the same page with other geometry or other things that the tree does not depend on.

        As :func:`dataclasses.replace`, but what has been worked out of the tree is not worked out again.
        """
        if not changes.keys() <= _BESIDE_THE_TREE:
            raise TypeError(f"changed() takes {', '.join(sorted(_BESIDE_THE_TREE))}, not {', '.join(changes)}")
        page = replace(self, **changes)
        page.__dict__.update({name: self.__dict__[name] for name in _OF_THE_TREE if name in self.__dict__})
        return page

    # -- columns that follow from the others ---------------------------------------------------------------------

    @cached_property
    def end(self) -> IntColumn:
        """int32 (nodes,): one past the last row of each node's subtree, so that ``[i, end[i])`` is the subtree."""
        count = len(self)
        rows = np.arange(count + 1)
        parent = np.where(self.parent >= 0, self.parent, count)
        # Next siblings stand beside each other when rows are ordered by their parents.
        order = np.argsort(parent, kind="stable")
        beside = parent[order][1:] == parent[order][:-1]
        after = np.full(count + 1, count)
        after[order[:-1][beside]] = order[1:][beside]
        # A subtree ends before the next sibling of its node, or of the nearest one above that has one.
        has_next = after < count
        has_next[count] = True
        up = np.where(has_next, rows, np.append(parent, count))
        while not has_next[up].all():
            up = up[up]
        ends: IntColumn = after[up[:count]].astype(np.int32)
        return ends

    @cached_property
    def depth(self) -> IntColumn:
        """int32 (nodes,): number of ancestors."""
        rows = np.arange(len(self))
        # Each node lies in the subtrees of its ancestors and in its own.
        opened = np.bincount(self.end, minlength=len(self) + 1)[: len(self)]
        return (rows - np.cumsum(opened)).astype(np.int32)

    @cached_property
    def leaves(self) -> IntColumn:
        """int32 (leaves,): rows of the text leaves, in document order."""
        candidates = np.flatnonzero(self.text >= 0)
        closed = self.below((self.has_tag(*NOT_TEXT) & ~self._open) | self._generated)
        candidates = candidates[~closed[candidates]]
        strings = self.strings
        blank = [not strings[text] or strings[text].isspace() for text in self.text[candidates].tolist()]
        readable: IntColumn = candidates[~np.asarray(blank, dtype=bool)].astype(np.int32)
        return readable

    @cached_property
    def leaf_texts(self) -> tuple[str, ...]:
        """The text of each leaf, verbatim."""
        strings = self.strings
        return tuple(strings[text] for text in self.text[self.leaves].tolist())

    @cached_property
    def leaf_lengths(self) -> NDArray[np.int64]:
        """int64 (leaves,): characters of each leaf, white space at its ends not counted."""
        texts = self.leaf_texts
        return np.fromiter((len(text.strip()) for text in texts), dtype=np.int64, count=len(texts))

    @cached_property
    def leaf_range(self) -> IntColumn:
        """int32 (nodes, 2): each node's subtree holds the leaves ``[first, last)``."""
        first = np.searchsorted(self.leaves, np.arange(len(self)))
        last = np.searchsorted(self.leaves, self.end)
        return np.stack([first, last], axis=1).astype(np.int32)

    @cached_property
    def block_level(self) -> BoolColumn:
        """bool (nodes,): elements that break the line, by computed display, else by their tag."""
        element = ~self.has_tag(TEXT)
        by_tag = element & ~self.has_tag(*INLINE_TAGS)
        if self.geometry is None:
            return by_tag
        display = self.geometry.display
        plain = self.named(display, "inline", "contents", "ruby", "ruby-text", "ruby-base")
        boxed = self.named(display, "inline-block", "inline-flex", "inline-grid", "inline-table")
        return np.where(display < 0, by_tag, element & ~plain & ~(boxed & ~by_tag))

    @cached_property
    def owner(self) -> IntColumn:
        """int32 (nodes,): the nearest element on the way up that breaks the line, the node included; -1 if none."""
        return self.nearest(self.block_level)

    @cached_property
    def written(self) -> BoolColumn:
        """bool (nodes,): elements whose tags stand in the source, but for programs and styles."""
        holds_none = self.leaf_range[:, 0] == self.leaf_range[:, 1]
        return (self.text < 0) & ~self.below(self.has_tag(*NOT_TEXT) & holds_none | self._generated)

    @cached_property
    def hidden(self) -> NDArray[np.uint8]:
        """uint8 (leaves,): a :class:`Hidden` each; without geometry what the markup alone tells."""
        if self.geometry is not None:
            return self.geometry.hidden
        blank = np.fromiter(map(is_blank, self.leaf_texts), dtype=bool, count=len(self.leaves))
        return np.where(blank, Hidden.GLYPHS, self.declared_hidden[self.leaves]).astype(np.uint8)

    # -- questions ------------------------------------------------------------------------------------------------

    def text_of(self, row: int) -> str:
        """Return the text of a text node, "" of one that has none."""
        return self.strings[self.text[row]] if self.text[row] >= 0 else ""

    def tag_of(self, row: int) -> str:
        """Return a node's tag name."""
        return self.names[int(self.tag[row])]

    def named(self, codes: IntColumn, *wanted: str) -> BoolColumn:
        """Return for a column of indices into ``names`` which of them stand for one of the wanted names."""
        some = self.coded(*wanted)
        if len(some) < 2:
            return codes == some[0] if some else np.zeros(len(codes), dtype=bool)
        # The last one is for -1, no name at all.
        table = np.zeros(len(self.names) + 1, dtype=bool)
        table[some] = True
        return table[codes]

    def coded(self, *wanted: str) -> list[int]:
        """Return the indices into ``names`` of those names that the page has."""
        return [self._codes[name] for name in wanted if name in self._codes]

    def has_tag(self, *tags: str) -> BoolColumn:
        """bool (nodes,): nodes of one of these tags."""
        return self.named(self.tag, *tags)

    def attribute(self, name: str) -> IntColumn:
        """int32 (nodes,): index into ``strings`` of this attribute's value, -1 where a node has none."""
        known = self._attributes.get(name)
        if known is not None:
            return known
        column = np.full(len(self), -1, dtype=np.int32)
        code = self._codes.get(name)
        if code is not None:
            rows = np.flatnonzero(self.attribute_name == code)
            column[self.attribute_node[rows]] = self.attribute_value[rows]
        # It is asked for again and again, and the same for all who ask.
        column.flags.writeable = False
        return self._attributes.setdefault(name, column)

    def valued(self, name: str, fits: Callable[[str], bool]) -> BoolColumn:
        """bool (nodes,): nodes whose attribute of this name has a value that fits; each value is asked about once."""
        column, strings = self.attribute(name), self.strings
        marked = np.zeros(len(self), dtype=bool)
        rows = np.flatnonzero(column >= 0)
        codes = column[rows].tolist()
        fitting = {code: fits(strings[code]) for code in set(codes)}
        marked[rows] = [fitting[code] for code in codes]
        return marked

    def attributes_of(self, row: int) -> dict[str, str]:
        """Return the attributes of one element."""
        first, last = self._first_attribute[row : row + 2].tolist()
        names, values = self.attribute_name[first:last].tolist(), self.attribute_value[first:last].tolist()
        return {self.names[name]: self.strings[value] for name, value in zip(names, values, strict=True)}

    def below(self, marked: BoolColumn) -> BoolColumn:
        """bool (nodes,): nodes that are marked or have a marked ancestor."""
        rows = marked.nonzero()[0]
        if len(rows) <= FEW:
            below = np.zeros(len(self), dtype=bool)
            for row, end in zip(rows.tolist(), self.end[rows].tolist(), strict=True):
                below[row:end] = True
            return below
        steps = np.bincount(rows, minlength=len(self) + 1) - np.bincount(self.end[rows], minlength=len(self) + 1)
        return np.cumsum(steps[:-1]) > 0

    def around(self, bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """uint64 (nodes,): the bits that are set at a node or at any of its ancestors."""
        found, up = np.append(bits, np.uint64(0)), self._up
        # Each turn looks twice as far up as the one before.
        while (up < len(self)).any():
            found[:-1] |= found[up]
            up = np.append(up, len(self))[up]
        return found[:-1]

    def nearest(self, marked: BoolColumn) -> IntColumn:
        """int32 (nodes,): row of the nearest marked node on the way up, the node itself included; -1 if none."""
        rows = marked.nonzero()[0]
        if len(rows) <= FEW:
            # Few subtrees are written whole, the inner ones over the outer ones.
            nearest = np.full(len(self), -1, dtype=np.int32)
            for row, end in zip(rows.tolist(), self.end[rows].tolist(), strict=True):
                nearest[row:end] = row
            return nearest
        # Who is marked stays; the others look twice as far up at each turn.
        count = len(self)
        up = np.append(np.where(marked, np.arange(count), self._up), count)
        while True:
            further = up[up]
            if np.array_equal(further, up):
                break
            up = further
        return np.where(up[:-1] < count, up[:-1], -1).astype(np.int32)

    # -- sums over subtrees ---------------------------------------------------------------------------------------

    def sum_leaves(self, leaf_values: FloatArray) -> FloatArray:
        """float64 (nodes,): sum of a column of the leaves over each node's subtree."""
        sums = prefix_sums(leaf_values)
        added: FloatArray = sums[self.leaf_range[:, 1]] - sums[self.leaf_range[:, 0]]
        return added

    def sum_nodes(self, node_values: FloatArray) -> FloatArray:
        """float64 (nodes,): sum of a column of the nodes over each node's subtree, the node itself included."""
        sums = prefix_sums(node_values)
        added: FloatArray = sums[self.end] - sums[:-1]
        return added

    def count_within(self, marked: BoolColumn) -> FloatArray:
        """float64 (nodes,): how many marked nodes each node's subtree holds, the node itself among them."""
        return self.sum_nodes(marked.astype(np.float64))

    def count_below(self, marked: BoolColumn) -> FloatArray:
        """float64 (nodes,): how many marked nodes stand below each node, itself not counted."""
        return self.count_within(marked) - marked

    # -- inner columns --------------------------------------------------------------------------------------------

    @cached_property
    def worked_out(self) -> dict[str, NDArray[Any]]:
        """What others have worked out of the page and ask for again, by a name; never changed in place."""
        return {}

    @cached_property
    def _codes(self) -> dict[str, int]:
        return {name: code for code, name in enumerate(self.names)}

    @cached_property
    def _attributes(self) -> dict[str, IntColumn]:
        """The columns of attributes that have been asked for."""
        return {}

    @cached_property
    def _first_attribute(self) -> IntColumn:
        """int32 (nodes + 1,): the first attribute of each node."""
        return np.searchsorted(self.attribute_node, np.arange(len(self) + 1)).astype(np.int32)

    @cached_property
    def _up(self) -> IntColumn:
        """int32 (nodes,): row of the parent; one past the last row for the root."""
        return np.where(self.parent >= 0, self.parent, np.int32(len(self)))

    @cached_property
    def _generated(self) -> BoolColumn:
        table = np.fromiter((name.startswith("::") for name in self.names), dtype=bool, count=len(self.names))
        return table[self.tag]

    @cached_property
    def _open(self) -> BoolColumn:
        """Declared shadow trees, frames whose document has been loaded into them, and what is there without scripts."""
        opened = self.has_tag("template") & (self.attribute("shadowrootmode") >= 0)
        frames = self.has_tag("iframe", "frame", "object", "embed")
        inner = self.parent[self.has_tag("html") & (self.parent >= 0)]
        opened[inner] |= frames[inner]
        return opened | self._shown_without_scripts

    @property
    def _shown_without_scripts(self) -> BoolColumn:
        """The noscript elements that count: where much of the text is there.

        Where scripts run, a browser makes no elements of what is inside. What is a leaf must depend on the tree alone:
        a page has the same leaves with its geometry and without.
        """
        noscript = self.has_tag("noscript")
        if not noscript.any():
            return noscript
        with_elements = np.zeros(len(self), dtype=bool)
        with_elements[self.parent[(self.text < 0) & (self.parent >= 0)]] = True
        noscript &= with_elements
        if not noscript.any():
            return noscript
        size = np.asarray([len(self.strings[text].strip()) if text >= 0 else 0 for text in self.text.tolist()])
        size[self.below(self.has_tag(*(NOT_TEXT - {"noscript"})))] = 0
        inside = self.below(noscript)
        return noscript & bool(size[inside].sum() >= NOSCRIPT_SHARE * size[~inside].sum())

    @cached_property
    def declared_hidden(self) -> NDArray[np.uint8]:
        """uint8 (nodes,): a :class:`Hidden` each, by markup alone; style sheets may overrule it, but hardly ever do."""
        # What a style says, told apart by bits; each style is read once, however many elements have it.
        says, style = np.zeros(len(self), dtype=np.uint8), self.attribute("style")
        styled = np.flatnonzero(style >= 0)
        codes = style[styled].tolist()
        read = {code: _style_says(self.strings[code]) for code in set(codes)}
        says[styled] = [read[code] for code in codes]
        gone = ((self.attribute("hidden") >= 0) & (says & _SHOWN == 0)) | (says & _GONE > 0)
        invisible, visible, empty = says & _INVISIBLE > 0, says & _VISIBLE > 0, says & _EMPTY > 0
        # Style sheets name what has a class or a name, and give it a size again.
        sized = (self.attribute("class") >= 0) | (self.attribute("id") >= 0) | (says & _SIZED > 0)
        for row in np.flatnonzero(self.has_tag("object")).tolist():
            gone[row] |= _is_shown(self.attributes_of(row))
        ruling = self.nearest(invisible | visible)
        unseen = np.where((ruling >= 0) & invisible[ruling], Hidden.VISIBILITY, Hidden.VISIBLE)
        if empty.any():
            sizing = self.nearest(empty | sized)
            unseen[(sizing >= 0) & empty[sizing]] = Hidden.ZERO_AREA
        return np.where(self.below(gone), Hidden.DISPLAY, unseen).astype(np.uint8)


def as_title(text: str) -> str:
    """Return what a title element says, white space collapsed, of a very long one the beginning."""
    return " ".join(text[:LONGEST_TITLE].split())


#: Fields that no column of the tree depends on, and what depends on the tree alone.
_BESIDE_THE_TREE = frozenset({"title", "language", "geometry", "partial", "screenshot", "mhtml", "warc", "environment"})
_OF_THE_TREE = (
    *("end", "depth", "leaves", "leaf_texts", "leaf_lengths", "leaf_range", "written"),
    *("_generated", "_open", "_codes", "_attributes", "_first_attribute", "_up"),
)


_GONE, _SHOWN, _INVISIBLE, _VISIBLE, _EMPTY, _SIZED = (1 << bit for bit in range(6))


def _style_says(declared: str) -> int:
    """Return what an inline style says of being seen, as bits."""
    if len(declared) > 2 * _LONGEST_STYLE:
        declared = f"{declared[:_LONGEST_STYLE]};{declared[-_LONGEST_STYLE:]}"
    found = _VISIBILITY_STYLE.search(declared)
    seen = found is not None and found[1].lower() == "visible"
    of = {
        _GONE: _GONE_STYLE.search(declared),
        _SHOWN: _SHOWN_STYLE.search(declared),
        _INVISIBLE: found is not None and not seen,
        _VISIBLE: seen,
        _EMPTY: _NO_SIZE_STYLE.search(declared),
        _SIZED: _SIZE_STYLE.search(declared),
    }
    return sum(bit for bit, holds in of.items() if holds)


def _is_shown(attributes: Mapping[str, str]) -> bool:
    """Return whether browsers show an object by themselves; where they do not, what it holds stands in for it."""
    kind, address = attributes.get("type", "").strip().lower(), attributes.get("data", "").strip().lower()
    kind = kind or (address[5:] if address.startswith("data:") else "")
    return kind.startswith(_SHOWN_OBJECTS) or (not kind and address.split("?")[0].endswith(_SHOWN_FILES))


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, (Page, Geometry, Paint)):
        return type(one) is type(other) and all(
            _same(getattr(one, member.name), getattr(other, member.name)) for member in fields(one)
        )
    if isinstance(one, np.ndarray):
        return (
            isinstance(other, np.ndarray)
            and one.dtype == other.dtype
            and one.shape == other.shape
            and one.tobytes() == other.tobytes()
        )
    return bool(one == other)


def unique_names(values: Iterable[str]) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return each distinct name once, in order of first use, and the index of each."""
    index: dict[str, int] = {}
    for value in values:
        index.setdefault(value, len(index))
    return tuple(index), index
