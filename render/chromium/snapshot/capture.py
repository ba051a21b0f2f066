"""Decode the reply of ``DOMSnapshot.captureSnapshot`` into the columns of a page, without a browser.

The reply has the flat tree (shadow trees, open and closed, with slots filled) in preorder, one document for each frame,
and the layout of each node. Decoding inserts frames below their owners, drops nodes that are no elements or texts, and
converts style strings to numbers, each distinct string once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import BoolColumn, FloatColumn, IntColumn
from ....page.geometry import Geometry, Position
from ....page.html import (
    BELOW,
    BORDER,
    HAND,
    IGNORES_POINTER,
    LIST_MARKS,
    LISTENS,
    MODAL,
    POINTER,
    TEXT,
    as_title,
    noted_address,
)
from ....page.page import Page
from ....page.tree import unique_names
from ...devtools.messages import STYLES, SharedStyles, shared_styles
from ...visibility.clipping import Motion, PageFrame
from ...visibility.computed_styles import Styles
from ...visibility.css_values import parse_color
from ...visibility.line_paint import NO_FACTS, PaintFacts
from ...visibility.pending_page import PendingPage

#: Arguments of ``DOMSnapshot.captureSnapshot`` whose reply :func:`decode_snapshot` reads.
SNAPSHOT = {"computedStyles": list(STYLES), "includePaintOrder": True, "includeDOMRects": False}
#: The origin of a document in the coordinates of the root document, and the size of its pixels: (left, top, x, y).
Placement = tuple[float, float, float, float]
_AT_ORIGIN = (0.0, 0.0, 1.0, 1.0)
_ELEMENT, _TEXT, _COMMENT = 1, 3, 8
#: Marks of lists that style sheets set, by the values of ``type``.
_LIST_MARKS = {
    "lower-roman": "i", "upper-roman": "I", "lower-alpha": "a", "lower-latin": "a", "upper-alpha": "A",
    "upper-latin": "A",
}  # fmt: skip
#: Nodes of a document in which the comment of a saved page is: those before its text.
_FIRST_NODES = 20
_POSITIONS = {position.name.lower(): int(position) for position in Position}
#: Columns of the geometry that are one property each: (property, function of its value, value without layout, dtype).
_STYLE_COLUMNS: dict[str, tuple[str, Callable[[str], Any], Any, Any]] = {
    "position": ("position", lambda value: _POSITIONS.get(value, 0), 0, np.uint8),
    "opacity": ("opacity", float, 1.0, np.float32),
    "invisible": ("visibility", "visible".__ne__, False, np.bool_),
    "font_size": ("font-size", lambda value: float(value.removesuffix("px")), 0.0, np.float32),
    "font_weight": ("font-weight", float, 400, np.int16),
    "color": ("color", parse_color, 0x000000FF, np.uint32),
    "background": ("background-color", parse_color, 0, np.uint32),
}
_POINTER_EVENTS, _CURSOR, _LEVEL, _LAYER, _BORDER, _MARKS = (
    STYLES.index(name) for name in ("pointer-events", "cursor", "z-index", "overlay", "border-width", "list-style-type")
)
_POSITION, _DISPLAY = STYLES.index("position"), STYLES.index("display")
#: Elements that are controls by their tag: that they react to clicks says nothing more.
_NATURAL = frozenset("A BUTTON INPUT SELECT TEXTAREA OPTION OPTGROUP LABEL SUMMARY AREA HTML BODY".split())


def decode_snapshot(
    reply: Mapping[str, Any],
    *,
    url: str,
    viewport: tuple[float, float],
    placements: Mapping[int, Placement] | None = None,
    facts: PaintFacts = NO_FACTS,
    moving: Mapping[int, Motion] | None = None,
    moves_itself: bool = False,
) -> PendingPage:
    """Decode a reply to :data:`SNAPSHOT` into a page whose visibility is still to be decided.

    ``placements`` has the documents of frames by index, ``moving`` the nodes with endless animations by backend id.
    ``moves_itself``: scripts, or missing scripts, may move the page although its window does not scroll.
    """
    reply = _with_control_values(reply)
    styles = shared_styles(dict(reply))
    _make_generated_text(reply, styles)
    add_pointer_facts(reply, styles)
    # The index -1 is no string; as an attribute's value it is the empty one.
    strings = [*_without_surrogates(reply["strings"]), ""]
    documents = read_documents(reply, styles)
    pending = _Assembly(reply["documents"], strings, documents, placements or {}, styles.rows, viewport).pending(url)
    moving = moving or {}
    moved = np.flatnonzero(np.isin(pending.backend, list(moving))).tolist()
    rows = {int(pending.backend[row]): row for row in moved}
    motion = {rows[node]: distances for node, distances in moving.items() if node in rows}
    return replace(pending, facts=facts, motion=motion, moves_itself=moves_itself)


def _without_surrogates(strings: list[str]) -> list[str]:
    """Replace lone surrogates, which scripts can put into a page and no file format can store."""
    try:
        # All at once, since hardly any page has one; Python knows of each string whether it is ASCII.
        "".join(string for string in strings if not string.isascii()).encode()
    except UnicodeEncodeError:
        return [string.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for string in strings]
    return strings


def _distinct(codes: IntColumn, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the sorted distinct codes and the inverse, as np.unique does, for codes from -1 to ``count``."""
    present = np.zeros(count + 1, dtype=bool)
    present[codes + 1] = True
    return np.flatnonzero(present) - 1, (np.cumsum(present) - 1)[codes + 1]


class _Assembly:
    """The rows of all documents in composed order, and the mapping from the browser's nodes to them."""

    def __init__(
        self,
        roots: list[Mapping[str, Any]],
        strings: list[str],
        documents: list[FrameDocument],
        placements: Mapping[int, Placement],
        styles: IntColumn,
        viewport: tuple[float, float],
    ) -> None:
        self.roots, self.strings, self.documents = roots, strings, documents
        self.styles, self.viewport = styles, viewport
        self.placements = [placements.get(index, _AT_ORIGIN) for index in range(len(documents))]
        self.base = np.cumsum([0] + [len(document.parent) for document in documents])
        runs = frame_runs(documents)
        order = np.concatenate([np.arange(first, last) + self.base[index] for index, first, last in runs])
        kind = self._joined(lambda document: document.kind)
        kept = order[np.isin(kind[order], (_ELEMENT, _TEXT))]
        #: Row of each of the browser's nodes (documents one after the other); -1 for what is dropped.
        self.row = np.full(len(kind), -1, dtype=np.int32)
        self.row[kept] = np.arange(len(kept), dtype=np.int32)
        self.kept = kept
        self.text = kind[kept] == _TEXT

    def _joined(self, column: Callable[[FrameDocument], Any]) -> NDArray[Any]:
        return np.concatenate([column(document) for document in self.documents])

    def pending(self, url: str) -> PendingPage:
        names, tag, attributes, display = self._names()
        value = np.where(self.text, self._joined(lambda document: document.value)[self.kept], -1)
        attribute_value = np.where(attributes[:, 2] < 0, len(self.strings) - 1, attributes[:, 2])
        used, codes = _distinct(np.concatenate([value[value >= 0], attribute_value]), len(self.strings))
        text = np.full(len(value), -1, dtype=np.int32)
        split = int((value >= 0).sum())
        text[value >= 0] = codes[:split]
        title = self.roots[0].get("title", -1)
        page = Page(
            url=url,
            title=as_title(self.strings[title]) if title >= 0 else "",
            language="",
            saved_from=self._saved_from(),
            names=names,
            strings=tuple(self.strings[code] for code in used.tolist()),
            parent=self._parents(),
            tag=tag,
            text=text,
            attribute_node=attributes[:, 0].copy(),
            attribute_name=attributes[:, 1].copy(),
            attribute_value=codes[split:].astype(np.int32),
        )
        page = page.replace(language=page.attributes_of(0).get("lang", "") if len(page) else "")
        rows, first = self._laid_out
        styles = Styles.of(self.styles, self._joined(lambda each: each.style)[first], rows, self.text, self.strings)
        drawn = np.full(len(page), -1, dtype=np.int32)
        drawn[rows] = self._joined(lambda document: document.drawn)[first]
        return PendingPage(
            plain=page.replace(geometry=self._geometry(len(page), styles, display)),
            styles=styles,
            frames=self._frames(page, styles),
            backend=self._joined(lambda document: document.backend)[self.kept],
            drawn=drawn,
            strings=self.strings,
        )

    def _saved_from(self) -> str:
        """Return the address that a browser noted at the start of a page that it saved."""
        if not self.documents:
            return ""
        first = self.documents[0]
        comments = first.value[:_FIRST_NODES][first.kind[:_FIRST_NODES] == _COMMENT].tolist()
        return next((found for code in comments if code >= 0 and (found := noted_address(self.strings[code]))), "")

    @cached_property
    def _laid_out(self) -> tuple[IntColumn, NDArray[np.intp]]:
        """Return the rows that are laid out, and the index of each in the layout of all documents."""
        rows = np.concatenate([self.row[d.layout_node + self.base[i]] for i, d in enumerate(self.documents)])
        # A node may have several layout objects; the first is its own, later ones are anonymous.
        rows, first = np.unique(rows, return_index=True)
        return rows[rows >= 0].astype(np.int32), first[rows >= 0]

    def _frames(self, page: Page, styles: Styles) -> tuple[PageFrame, ...]:
        """Return the documents that are part of the page, outer ones first."""
        html = np.flatnonzero(page.has_tag("html"))
        number = np.searchsorted(self.base, self.kept[html], side="right") - 1
        frames = []
        for row, index in zip(html.tolist(), number.tolist(), strict=True):
            owner = int(page.parent[row])
            if (owner < 0) != (index == 0) or (owner >= 0 and self.row[self.base[index]] == row):
                continue
            frames.append(self._frame(page, styles, index, row))
        return tuple(frames)

    def _frame(self, page: Page, styles: Styles, index: int, row: int) -> PageFrame:
        root = self.roots[index]
        left, top, x, y = self.placements[index]
        width, height = self.documents[index].bounds[0, 2:].tolist() if index else self.viewport
        if index:
            left, top = left + root.get("scrollOffsetX", 0.0) * x, top + root.get("scrollOffsetY", 0.0) * y
        owner = int(page.parent[row])
        locked = owner >= 0 and page.attributes_of(owner).get("scrolling", "").lower() in ("no", "off", "noscroll")
        return PageFrame(
            document=index,
            row=row,
            owner=owner,
            window=(left, top, left + width * x, top + height * y),
            content=(root.get("contentWidth", width) * x, root.get("contentHeight", height) * y),
            scrolls=(not locked, not locked),
        ).styled(page, styles)

    def _parents(self) -> IntColumn:
        parent = np.full(len(self.row), -1, dtype=np.int64)
        for index, document in enumerate(self.documents):
            base = self.base[index]
            inner = document.parent >= 0
            parent[base : base + len(inner)][inner] = document.parent[inner] + base
        for index, document in enumerate(self.documents):
            for owner, content in document.frames.items():
                if 0 <= content < len(self.documents):
                    parent[self.base[content]] = owner + self.base[index]
        # Document nodes are dropped: their children become those of the frame's owner.
        above = parent[self.kept]
        dropped = (above >= 0) & (self.row[above] < 0)
        above[dropped] = parent[above[dropped]]
        return np.where(above >= 0, self.row[above], -1).astype(np.int32)

    def _names(self) -> tuple[tuple[str, ...], IntColumn, NDArray[np.int32], dict[str, int]]:
        """Return the names of the page, the tag column, the attribute rows, and the index of each name."""
        node_name = self._joined(lambda document: document.name)[self.kept]
        pairs, owners = self._attributes()
        displays = np.unique(self.styles[:, STYLES.index("display")])
        tags, tag_code = _distinct(node_name, len(self.strings))
        keys, key_code = _distinct(pairs[:, 0], len(self.strings))
        tag_names = [self.strings[code].lower() for code in tags.tolist()]
        key_names = [self.strings[code].lower() for code in keys.tolist()]
        display_names = [self.strings[code] for code in displays.tolist() if code >= 0]
        names, index = unique_names([TEXT, *tag_names, *key_names, *display_names])
        tag = np.asarray([index[name] for name in tag_names], dtype=np.int32)[tag_code]
        tag[self.text] = index[TEXT]
        key = np.asarray([index[name] for name in key_names], dtype=np.int32)[key_code]
        return names, tag, np.stack([owners, key, pairs[:, 1]], axis=1).astype(np.int32), index

    def _attributes(self) -> tuple[IntColumn, IntColumn]:
        """Return all attributes as (name, value) and the row of each, ordered by row."""
        rows = [row for document in self.documents for row in document.attributes]
        counts = np.fromiter(map(len, rows), dtype=np.int64, count=len(rows)) // 2
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int32, count=2 * int(counts.sum()))
        pairs = flat.reshape(-1, 2)
        owner = np.repeat(self.row, counts)
        order = np.argsort(owner, kind="stable")
        order = order[owner[order] >= 0]
        return pairs[order], owner[order]

    def _geometry(self, count: int, styles: Styles, display: Mapping[str, int]) -> Geometry:
        root, viewport = self.roots[0], self.viewport
        rows, first = self._laid_out
        bounds = np.concatenate([_placed(d.bounds, self.placements[i]) for i, d in enumerate(self.documents)])
        box = np.full((count, 4), np.nan, dtype=np.float32)
        box[rows] = bounds[first]
        paint_order = np.full(count, -1, dtype=np.int32)
        paint_order[rows] = self._joined(lambda document: document.paint_order)[first]
        columns = {name: styles.column(*column) for name, column in _STYLE_COLUMNS.items()}
        return Geometry(
            viewport=viewport,
            size=(float(root.get("contentWidth", viewport[0])), float(root.get("contentHeight", viewport[1]))),
            box=box,
            paint_order=paint_order,
            display=styles.column("display", display.__getitem__, -1, np.int32),
            clips=styles.clips,
            hidden=np.zeros(0, dtype=np.uint8),
            paint=styles.paint,
            **columns,
            **self._lines(),
        )

    def _lines(self) -> dict[str, NDArray[Any]]:
        """Return the columns of the lines, ordered by node."""
        documents = list(enumerate(self.documents))
        node = np.concatenate([self.row[d.layout_node[d.text_layout] + self.base[i]] for i, d in documents])
        box = np.concatenate([_placed(document.text_bounds, self.placements[i]) for i, document in documents])
        order = np.argsort(node, kind="stable")
        order = order[node[order] >= 0]
        return {
            "line_node": node[order],
            "line_box": box[order],
            "line_start": self._joined(lambda document: document.text_start)[order],
            "line_length": self._joined(lambda document: document.text_length)[order],
        }


def _placed(bounds: FloatColumn, placement: Placement) -> FloatColumn:
    """Return the boxes of a document in the coordinates of the root document."""
    left, top, x, y = placement
    placed: FloatColumn = (bounds * np.asarray([x, y, x, y]) + np.asarray([left, top, 0.0, 0.0])).astype(np.float32)
    return placed


def _with_control_values(reply: Mapping[str, Any]) -> Mapping[str, Any]:
    """Set ``value`` of inputs and text areas, ``checked`` of boxes and ``selected`` of options, in place.

    What is typed into a password field is not written.
    """
    strings: list[str] = reply["strings"]
    codes: dict[str, int] = {}

    def code_of(string: str) -> int:
        """Find one of the few names needed here; a table of all strings would cost more than all the rest."""
        if string not in codes:
            if string not in strings:
                strings.append(string)
            codes[string] = strings.index(string)
        return codes[string]

    for document in reply["documents"]:
        nodes = document["nodes"]
        attributes: list[list[int]] = nodes["attributes"]
        checked = set(nodes.get("inputChecked", {}).get("index", []))
        for node, value in _sparse(nodes, "inputValue"):
            if _value(attributes[node], code_of("type"), strings).lower() != "password":
                _set_value(attributes[node], code_of("value"), value)
            _set_flag(attributes[node], code_of("checked"), code_of(""), on=node in checked)
        for node, value in _sparse(nodes, "textValue"):
            _set_value(attributes[node], code_of("value"), value)
        selected = set(nodes.get("optionSelected", {}).get("index", []))
        names = {code for code in set(nodes["nodeName"]) if code >= 0 and strings[code] == "OPTION"}
        for node, name in enumerate(nodes["nodeName"]) if names else ():
            if name in names:
                _set_flag(attributes[node], code_of("selected"), code_of(""), on=node in selected)
    return reply


def _make_generated_text(reply: Mapping[str, Any], styles: SharedStyles) -> None:
    """Make text nodes of the words that style sheets write before and after elements, in place.

    Signs and counters stay out, and what is written next to code.
    """
    strings: list[str] = reply["strings"]
    inline = [code for code in np.unique(styles.rows[:, _DISPLAY]).tolist() if strings[code] == "inline"]
    for document, index in zip(reply["documents"], styles.index, strict=True):
        nodes = document["nodes"]
        names, parents = nodes["nodeName"], nodes["parentIndex"]
        known = {code: strings[code] for code in set(names) if code >= 0}
        generated = {code for code, name in known.items() if name in ("::before", "::after")}
        code_names = {code for code, name in known.items() if name in ("PRE", "CODE")}
        in_code = _below(names, parents, code_names) if generated else []
        layout = document["layout"]
        first: dict[int, int] = {}
        for place, (node, text) in enumerate(zip(layout["nodeIndex"], layout["text"], strict=True)):
            if names[node] not in generated:
                continue
            box = first.setdefault(node, place)
            if text < 0 or in_code[node] or not any(map(str.isalpha, strings[text])):
                continue
            value = text
            if styles.rows[index[box], _DISPLAY] not in inline:
                value = len(strings)
                strings.append(f"{strings[text]} ")
            nodes["nodeType"][node], nodes["nodeValue"][node] = _TEXT, value


def _below(names: list[int], parents: list[int], chosen: set[int]) -> list[bool]:
    """Return which nodes have one of some names, or are in one that has; parents come before their children."""
    below: list[bool] = []
    for name, parent in zip(names, parents, strict=True):
        below.append(name in chosen or (parent >= 0 and below[parent]))
    return below


def _sparse(nodes: Mapping[str, Any], name: str) -> list[tuple[int, int]]:
    sparse = nodes.get(name, {})
    return list(zip(sparse.get("index", []), sparse.get("value", []), strict=True))


def _index(pairs: list[int], name: int) -> int:
    """Return the index of a name in a flat list of names and values; -1 for none."""
    return next((index for index in range(0, len(pairs), 2) if pairs[index] == name), -1)


def _value(pairs: list[int], name: int, strings: list[str]) -> str:
    index = _index(pairs, name)
    return strings[pairs[index + 1]] if index >= 0 else ""


def _set_value(pairs: list[int], name: int, value: int) -> None:
    index = _index(pairs, name)
    if index >= 0:
        pairs[index + 1] = value
    elif value >= 0:
        pairs.extend((name, value))


def _set_flag(pairs: list[int], name: int, empty: int, *, on: bool) -> None:
    index = _index(pairs, name)
    if on and index < 0:
        pairs.extend((name, empty))
    elif not on and index >= 0:
        del pairs[index : index + 2]


@dataclass(frozen=True, kw_only=True)
class FrameDocument:
    """The rows of one frame. Codes are indices into the reply's strings."""

    parent: IntColumn
    kind: NDArray[np.int8]
    name: IntColumn
    value: IntColumn
    backend: IntColumn
    attributes: list[list[int]]
    frames: dict[int, int]
    layout_node: IntColumn
    bounds: FloatColumn
    paint_order: IntColumn
    style: IntColumn
    drawn: IntColumn
    text_layout: IntColumn
    text_bounds: FloatColumn
    text_start: IntColumn
    text_length: IntColumn


def read_documents(reply: Mapping[str, Any], styles: SharedStyles) -> list[FrameDocument]:
    """Return the documents of a snapshot, the page's own first."""
    return [_document(raw, style) for raw, style in zip(reply["documents"], styles.index, strict=True)]


def _ints(values: list[int]) -> IntColumn:
    return np.asarray(values, dtype=np.int32)


def _document(raw: Mapping[str, Any], style: IntColumn) -> FrameDocument:
    nodes, layout, text = raw["nodes"], raw["layout"], raw["textBoxes"]
    frames = nodes.get("contentDocumentIndex", {})
    return FrameDocument(
        parent=_ints(nodes["parentIndex"]),
        kind=np.asarray(nodes["nodeType"], dtype=np.int8),
        name=_ints(nodes["nodeName"]),
        value=_ints(nodes["nodeValue"]),
        backend=_ints(nodes["backendNodeId"]),
        attributes=nodes["attributes"],
        frames=dict(zip(frames.get("index", []), frames.get("value", []), strict=True)),
        layout_node=_ints(layout["nodeIndex"]),
        bounds=_boxes(layout["bounds"]),
        paint_order=_ints(layout.get("paintOrders", [])),
        style=style,
        drawn=_ints(layout["text"]),
        text_layout=_ints(text["layoutIndex"]),
        text_bounds=_boxes(text["bounds"]),
        text_start=_ints(text["start"]),
        text_length=_ints(text["length"]),
    )


def _boxes(rows: list[list[float]]) -> FloatColumn:
    return np.fromiter(chain.from_iterable(rows), dtype=np.float32, count=4 * len(rows)).reshape(-1, 4)


def frame_runs(documents: list[FrameDocument]) -> list[tuple[int, int, int]]:
    """Return the runs ``(document, first, last)`` of rows in composed order: each frame comes below its owner."""
    runs: list[tuple[int, int, int]] = []
    stack = [(0, 0)]
    placed = {0}
    while stack:
        index, start = stack.pop()
        document = documents[index]
        owner = next((node for node in sorted(document.frames) if node >= start), None)
        if owner is None:
            runs.append((index, start, len(document.parent)))
            continue
        runs.append((index, start, owner + 1))
        stack.append((index, owner + 1))
        inner = document.frames[owner]
        if 0 <= inner < len(documents) and inner not in placed:
            placed.add(inner)
            stack.append((inner, 0))
    return runs


def add_pointer_facts(reply: Mapping[str, Any], styles: SharedStyles) -> None:
    """Add the attributes POINTER and BORDER of :mod:`~blocksight.page.html` to elements that need them, in place.

    Both properties are inherited. Each element that ignores the pointer has the word; of the elements with the cursor
    of links only the outermost.
    """
    strings: list[str] = reply["strings"]

    def having(column: int, holds: Callable[[str], bool]) -> BoolColumn:
        """Return the distinct styles of which a property meets a condition."""
        values = styles.rows[:, column]
        return np.isin(values, [code for code in np.unique(values).tolist() if code >= 0 and holds(strings[code])])

    has = {
        IGNORES_POINTER: having(_POINTER_EVENTS, "none".__eq__),
        HAND: having(_CURSOR, "pointer".__eq__),
        BELOW: having(_LEVEL, lambda value: value.startswith("-")) & ~having(_POSITION, "static".__eq__),
        MODAL: having(_LAYER, "auto".__eq__),
    }
    bordered = having(_BORDER, lambda value: value != "0px")
    lettered = having(_MARKS, lambda value: value in _LIST_MARKS)
    names: dict[str, int] = {}

    def code_of(string: str) -> int:
        if string not in names:
            names[string] = len(strings)
            strings.append(string)
        return names[string]

    for document, index in zip(reply["documents"], styles.index, strict=True):
        nodes, layout = document["nodes"], np.asarray(document["layout"]["nodeIndex"], dtype=np.int32)
        tags, kinds = nodes["nodeName"], nodes["nodeType"]
        words_of = _words(nodes, {word: layout[rows[index]] for word, rows in has.items()})
        for place in np.flatnonzero(bordered[index]).tolist():
            node = int(layout[place])
            if kinds[node] == _ELEMENT and (node in words_of or strings[tags[node]] in _NATURAL):
                nodes["attributes"][node] += [code_of(BORDER), int(styles.rows[index[place], _BORDER])]
        for place in np.flatnonzero(lettered[index]).tolist():
            node = int(layout[place])
            if strings[tags[node]] == "OL":
                kind = _LIST_MARKS[strings[styles.rows[index[place], _MARKS]]]
                nodes["attributes"][node] += [code_of(LIST_MARKS), code_of(kind)]
        for node, words in words_of.items():
            tag, attributes = strings[tags[node]], nodes["attributes"][node]
            # An anchor without an address is a control by its listener alone.
            if tag in _NATURAL and (tag != "A" or "href" in (strings[name] for name in attributes[::2])):
                words -= {HAND, LISTENS}
            # Popovers are in the top layer as well, and leave the rest of the page as it is.
            if tag != "DIALOG" or "popover" in (strings[name] for name in attributes[::2]):
                words -= {MODAL}
            if words and kinds[node] == _ELEMENT:
                attributes += [code_of(POINTER), code_of(" ".join(sorted(words)))]


def _words(nodes: Mapping[str, Any], having: Mapping[str, IntColumn]) -> dict[int, set[str]]:
    """Return the words of the elements that have any, by the index of the element."""
    words: dict[int, set[str]] = {}
    hands = set(having[HAND].tolist())
    for word, members in having.items():
        for node in members.tolist():
            if word != HAND or nodes["parentIndex"][node] not in hands:
                words.setdefault(node, set()).add(word)
    for node in nodes.get("isClickable", {}).get("index", []):
        words.setdefault(node, set()).add(LISTENS)
    return words
