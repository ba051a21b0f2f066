"""One reply of ``DOMSnapshot.captureSnapshot`` to the columns of a Page. Pure: no browser in here.

The reply already holds the flat tree (shadow trees, open and closed, with slots filled) in preorder, one document a
frame, and the layout of each node. What is left to do: put frames where their owner stands, drop what is no element
or text, and turn style strings into numbers, each distinct string once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import BoolColumn, FloatColumn, IntColumn
from ..overlays import covered_leaves
from ..page import TEXT, Geometry, Hidden, Page, Position, parse_color, unique_names
from ..visibility import hidden_leaves
from .controls import with_control_values

#: Computed styles asked of the browser; each one is paid for on every laid-out node.
STYLES = (
    "display",
    "visibility",
    "opacity",
    "position",
    "overflow-x",
    "overflow-y",
    "color",
    "background-color",
    "font-size",
    "font-weight",
)

#: Arguments of ``DOMSnapshot.captureSnapshot`` that :func:`page_from_snapshot` understands the reply of.
SNAPSHOT = {"computedStyles": list(STYLES), "includePaintOrder": True, "includeDOMRects": False}

_ELEMENT, _TEXT = 1, 3
_POSITIONS = {position.name.lower(): int(position) for position in Position}
_CLIPPING = frozenset({"hidden", "clip"})


@dataclass(frozen=True, kw_only=True)
class _Document:
    """One frame's rows, before they are put in place. Codes are indices into the reply's strings."""

    parent: IntColumn
    kind: NDArray[np.int8]
    name: IntColumn
    value: IntColumn
    attributes: list[list[int]]
    pseudo: BoolColumn
    frames: dict[int, int]
    layout_node: IntColumn
    bounds: FloatColumn
    paint_order: IntColumn
    styles: IntColumn
    text_layout: IntColumn
    text_bounds: FloatColumn
    text_start: IntColumn
    text_length: IntColumn


def page_from_snapshot(
    reply: Mapping[str, Any],
    *,
    url: str,
    viewport: tuple[float, float],
    frame_offsets: Mapping[int, tuple[float, float]] | None = None,
    partial: bool = False,
    screenshot: bytes | None = None,
    mhtml: bytes | None = None,
    environment: Mapping[str, str] | None = None,
) -> Page:
    """Turn a snapshot into a page.

    Parameters
    ----------
    reply : mapping
        The result of ``DOMSnapshot.captureSnapshot`` called with :data:`SNAPSHOT`.
    url : str
        The address the page is known by.
    viewport : tuple of float
        Width and height of the window in CSS pixels.
    frame_offsets : mapping, optional
        Where a frame's document begins in the coordinates of the root document, by the index of the document.
    partial, screenshot, mhtml, environment
        Kept on the page.
    """
    reply = with_control_values(reply)
    # The index -1 stands for no string at all; of an attribute's value it means the empty one.
    strings = [*_whole(reply["strings"]), ""]
    documents = [_document(document) for document in reply["documents"]]
    order = _spliced(documents)
    page = _Assembly(strings, documents, order, frame_offsets or {}).page(
        url=url, root=reply["documents"][0], viewport=viewport
    )
    return _with_hidden(page).changed(
        partial=partial, screenshot=screenshot, mhtml=mhtml, environment=environment or {}
    )


def _with_hidden(page: Page) -> Page:
    """Find out what a person does not see: first of the text by itself, then of what lies under overlays."""
    assert page.geometry is not None
    hidden = hidden_leaves(page, page.geometry)
    seen = page.changed(geometry=replace(page.geometry, hidden=hidden))
    covered = covered_leaves(seen)
    if not covered.any():
        return seen
    hidden = np.where(covered, Hidden.OVERLAY, hidden).astype(np.uint8)
    return page.changed(geometry=replace(page.geometry, hidden=hidden))


def _whole(strings: list[str]) -> list[str]:
    """Replace lone surrogates, which scripts can put into a page and no file format can hold."""
    try:
        # All at once, since hardly any page has one; Python knows of each string whether it is ASCII.
        "".join(string for string in strings if not string.isascii()).encode()
    except UnicodeEncodeError:
        return [string.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for string in strings]
    return strings


def _ints(values: list[int]) -> IntColumn:
    return np.asarray(values, dtype=np.int32)


def _document(raw: Mapping[str, Any]) -> _Document:
    nodes, layout, text = raw["nodes"], raw["layout"], raw["textBoxes"]
    count = len(nodes["parentIndex"])
    pseudo = np.zeros(count, dtype=bool)
    pseudo[_ints(nodes.get("pseudoType", {}).get("index", []))] = True
    frames = nodes.get("contentDocumentIndex", {})
    return _Document(
        parent=_ints(nodes["parentIndex"]),
        kind=np.asarray(nodes["nodeType"], dtype=np.int8),
        name=_ints(nodes["nodeName"]),
        value=_ints(nodes["nodeValue"]),
        attributes=nodes["attributes"],
        pseudo=pseudo,
        frames=dict(zip(frames.get("index", []), frames.get("value", []), strict=True)),
        layout_node=_ints(layout["nodeIndex"]),
        bounds=_boxes(layout["bounds"]),
        paint_order=_ints(layout.get("paintOrders", [])),
        styles=_style_codes(layout["styles"]),
        text_layout=_ints(text["layoutIndex"]),
        text_bounds=_boxes(text["bounds"]),
        text_start=_ints(text["start"]),
        text_length=_ints(text["length"]),
    )


def _boxes(rows: list[list[float]]) -> FloatColumn:
    return np.fromiter(chain.from_iterable(rows), dtype=np.float32, count=4 * len(rows)).reshape(-1, 4)


def _distinct(codes: IntColumn, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct codes in order, and each one's place among them: np.unique for codes from -1 to ``count``."""
    present = np.zeros(count + 1, dtype=bool)
    present[codes + 1] = True
    return np.flatnonzero(present) - 1, (np.cumsum(present) - 1)[codes + 1]


def _style_codes(rows: list[list[int]]) -> IntColumn:
    """A node without style (some anonymous boxes) has an empty list."""
    if not all(rows):
        missing = [-1] * len(STYLES)
        rows = [row or missing for row in rows]
    full = chain.from_iterable(rows)
    return np.fromiter(full, dtype=np.int32, count=len(STYLES) * len(rows)).reshape(-1, len(STYLES))


def _spliced(documents: list[_Document]) -> list[tuple[int, int, int]]:
    """Return the runs ``(document, first, last)`` of rows in composed order; each frame stands below its owner."""
    runs: list[tuple[int, int, int]] = []
    stack = [(0, 0)]
    seen = {0}
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
        if 0 <= inner < len(documents) and inner not in seen:
            seen.add(inner)
            stack.append((inner, 0))
    return runs


class _Assembly:
    """All documents' rows in composed order, and the lookups from the browser's numbering to ours."""

    def __init__(
        self,
        strings: list[str],
        documents: list[_Document],
        runs: list[tuple[int, int, int]],
        offsets: Mapping[int, tuple[float, float]],
    ) -> None:
        self.strings = strings
        self.documents = documents
        self.offsets = offsets
        self.base = np.cumsum([0] + [len(document.parent) for document in documents])
        order = np.concatenate([np.arange(first, last) + self.base[index] for index, first, last in runs])
        kind = self._joined(lambda document: document.kind)
        kept = order[np.isin(kind[order], (_ELEMENT, _TEXT))]
        #: Row of each of the browser's nodes (documents one after the other); -1 for what is dropped.
        self.row = np.full(len(kind), -1, dtype=np.int32)
        self.row[kept] = np.arange(len(kept), dtype=np.int32)
        self.kept = kept
        self.text = kind[kept] == _TEXT

    def _joined(self, column: Callable[[_Document], Any]) -> NDArray[Any]:
        return np.concatenate([column(document) for document in self.documents])

    def page(
        self,
        *,
        url: str,
        root: Mapping[str, Any],
        viewport: tuple[float, float],
    ) -> Page:
        names, tag, attributes, display = self._names()
        value = np.where(self.text, self._joined(lambda document: document.value)[self.kept], -1)
        attribute_value = np.where(attributes[:, 2] < 0, len(self.strings) - 1, attributes[:, 2])
        used, codes = _distinct(np.concatenate([value[value >= 0], attribute_value]), len(self.strings))
        text = np.full(len(value), -1, dtype=np.int32)
        split = int((value >= 0).sum())
        text[value >= 0] = codes[:split]
        title = root.get("title", -1)
        page = Page(
            url=url,
            title=" ".join(self.strings[title].split()) if title >= 0 else "",
            language="",
            names=names,
            strings=tuple(self.strings[code] for code in used.tolist()),
            parent=self._parents(),
            tag=tag,
            text=text,
            attribute_node=attributes[:, 0].copy(),
            attribute_name=attributes[:, 1].copy(),
            attribute_value=codes[split:].astype(np.int32),
        )
        geometry = self._geometry(len(page), display, root, viewport)
        language = page.attributes_of(0).get("lang", "") if len(page) else ""
        return page.changed(language=language, geometry=geometry)

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
        # Document nodes are dropped: their children hang on the frame's owner.
        above = parent[self.kept]
        dropped = (above >= 0) & (self.row[above] < 0)
        above[dropped] = parent[above[dropped]]
        return np.where(above >= 0, self.row[above], -1).astype(np.int32)

    def _names(self) -> tuple[tuple[str, ...], IntColumn, NDArray[np.int32], dict[str, int]]:
        """Make the small vocabulary, and with it the tag column and the attribute rows."""
        node_name = self._joined(lambda document: document.name)[self.kept]
        pairs, owners = self._attributes()
        display = STYLES.index("display")
        styles = [document.styles[:, display] for document in self.documents]
        displays = np.unique(np.concatenate(styles))
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

    def _geometry(
        self, count: int, display: Mapping[str, int], root: Mapping[str, Any], viewport: tuple[float, float]
    ) -> Geometry:
        shift = np.asarray([self.offsets.get(index, (0.0, 0.0)) for index in range(len(self.documents))])
        rows = np.concatenate([self.row[d.layout_node + self.base[i]] for i, d in enumerate(self.documents)])
        bounds = np.concatenate([_moved(d.bounds, shift[i]) for i, d in enumerate(self.documents)])
        styles = self._joined(lambda document: document.styles)
        paint = self._joined(lambda document: document.paint_order)
        # A node may have several layout objects; the first is its own, later ones are anonymous.
        rows, first = np.unique(rows, return_index=True)
        first, rows = first[rows >= 0], rows[rows >= 0]
        box = np.full((count, 4), np.nan, dtype=np.float32)
        box[rows] = bounds[first]
        paint_order = np.full(count, -1, dtype=np.int32)
        paint_order[rows] = paint[first]
        style = styles[first]

        def column(name: str, of: Callable[[str], float], empty: float, dtype: Any) -> NDArray[Any]:
            return self._style(count, rows, style[:, STYLES.index(name)], of, empty, dtype)

        lines = self._lines()
        return Geometry(
            viewport=viewport,
            size=(float(root.get("contentWidth", viewport[0])), float(root.get("contentHeight", viewport[1]))),
            box=box,
            paint_order=paint_order,
            display=column("display", lambda value: display[value], -1, np.int32),
            position=column("position", lambda value: _POSITIONS.get(value, 0), 0, np.uint8),
            opacity=column("opacity", float, 1.0, np.float32),
            invisible=column("visibility", lambda value: value != "visible", 0, np.bool_),
            clips=np.stack([column(name, _clips, 0, np.bool_) for name in ("overflow-x", "overflow-y")], axis=1),
            font_size=column("font-size", _pixels, 0.0, np.float32),
            font_weight=column("font-weight", float, 400, np.int16),
            color=column("color", parse_color, 0x000000FF, np.uint32),
            background=column("background-color", parse_color, 0, np.uint32),
            line_node=lines[0],
            line_box=lines[1],
            line_start=lines[2],
            line_length=lines[3],
            hidden=np.zeros(0, dtype=np.uint8),
        )

    def _style(
        self,
        count: int,
        rows: IntColumn,
        codes: IntColumn,
        of: Callable[[str], float],
        empty: float,
        dtype: Any,
    ) -> NDArray[Any]:
        column = np.full(count, empty, dtype=dtype)
        distinct, inverse = _distinct(codes, len(self.strings))
        values = [of(self.strings[code]) if code >= 0 else empty for code in distinct.tolist()]
        column[rows] = np.asarray(values, dtype=dtype)[inverse]
        return column

    def _lines(self) -> tuple[IntColumn, FloatColumn, IntColumn, IntColumn]:
        parts = []
        for index, document in enumerate(self.documents):
            node = self.row[document.layout_node[document.text_layout] + self.base[index]]
            shift = np.asarray(self.offsets.get(index, (0.0, 0.0)))
            parts.append((node, _moved(document.text_bounds, shift), document.text_start, document.text_length))
        node, box, start, length = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.argsort(node, kind="stable")
        order = order[node[order] >= 0]
        return node[order], box[order], start[order], length[order]


def _moved(bounds: FloatColumn, shift: NDArray[np.float64]) -> FloatColumn:
    moved = bounds.copy()
    moved[:, :2] += shift.astype(np.float32)
    return moved


def _clips(value: str) -> bool:
    return value in _CLIPPING


def _pixels(value: str) -> float:
    return float(value.removesuffix("px"))
