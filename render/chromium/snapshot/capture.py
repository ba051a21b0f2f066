"""One reply of ``DOMSnapshot.captureSnapshot`` to the columns of a Page. Pure: no browser in here.

The reply already holds the flat tree (shadow trees, open and closed, with slots filled) in preorder, one document a
frame, and the layout of each node. What is left to do: put frames where their owner stands, drop what is no element
or text, and turn style strings into numbers, each distinct string once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatColumn, IntColumn
from ....page.geometry import Geometry, Position
from ....page.html import TEXT, as_title
from ....page.page import Page
from ....page.tree import unique_names
from ...devtools.messages import shared_styles
from ...devtools.styles import STYLES
from ...visibility.clip_rects import PageFrame
from ...visibility.clipping import Way
from ...visibility.computed_styles import Styles
from ...visibility.css_colors import parse_color
from ...visibility.layout import NOTHING, Unstyled
from ...visibility.pending_page import PendingPage
from .form_values import with_control_values
from .frames import FrameDocument, read_documents, spliced

#: Arguments of ``DOMSnapshot.captureSnapshot`` that :func:`page_from_snapshot` understands the reply of.
SNAPSHOT = {"computedStyles": list(STYLES), "includePaintOrder": True, "includeDOMRects": False}

#: Where a document begins in the coordinates of the root document, and the size of its pixels: ``(left, top, x, y)``.
Place = tuple[float, float, float, float]
_AT_ORIGIN = (0.0, 0.0, 1.0, 1.0)

_ELEMENT, _TEXT = 1, 3
_POSITIONS = {position.name.lower(): int(position) for position in Position}


def decode_snapshot(
    reply: Mapping[str, Any],
    *,
    url: str,
    viewport: tuple[float, float],
    frame_places: Mapping[int, Place] | None = None,
    unstyled: Unstyled = NOTHING,
    moving: Mapping[int, Way] | None = None,
    moves_itself: bool = False,
) -> PendingPage:
    """Turn a snapshot into a page on which it is still open what a person sees of it.

    Parameters
    ----------
    reply : mapping
        The result of ``DOMSnapshot.captureSnapshot`` called with :data:`SNAPSHOT`.
    url : str
        The address the page is known by.
    viewport : tuple of float
        Width and height of the window in CSS pixels.
    frame_places : mapping, optional
        Where the documents of frames begin in the coordinates of the root document, and how large one of their pixels
        is there, ``(left, top, x, y)``, by the index of the document.
    unstyled : Unstyled
        What changes how texts look and the snapshot says nothing of.
    moving : mapping of int to tuple, optional
        How far what never stands still goes to the left, up, right and down, by the browser's number of its node.
    moves_itself : bool
        Whether the page may be moved although its window does not scroll: by its scripts, or by those that are missing.
    """
    reply = with_control_values(reply)
    # The index -1 stands for no string at all; of an attribute's value it means the empty one.
    strings = [*_whole(reply["strings"]), ""]
    styles = shared_styles(dict(reply))
    documents = read_documents(reply, styles)
    order = spliced(documents)
    draft = _Assembly(strings, documents, order, frame_places or {}, styles.rows).draft(
        url=url, roots=reply["documents"], viewport=viewport
    )
    rows = {int(draft.backend[row]): row for row in np.flatnonzero(np.isin(draft.backend, list(moving or ()))).tolist()}
    ways = {rows[node]: way for node, way in (moving or {}).items() if node in rows}
    return replace(draft, unstyled=unstyled, ways=ways, moves_itself=moves_itself)


def page_from_snapshot(
    reply: Mapping[str, Any],
    *,
    url: str,
    viewport: tuple[float, float],
    frame_places: Mapping[int, Place] | None = None,
) -> Page:
    """Turn a snapshot into a page without looking at it; see :func:`decode_snapshot`."""
    return decode_snapshot(reply, url=url, viewport=viewport, frame_places=frame_places).page()


def _whole(strings: list[str]) -> list[str]:
    """Replace lone surrogates, which scripts can put into a page and no file format can hold."""
    try:
        # All at once, since hardly any page has one; Python knows of each string whether it is ASCII.
        "".join(string for string in strings if not string.isascii()).encode()
    except UnicodeEncodeError:
        return [string.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for string in strings]
    return strings


def _distinct(codes: IntColumn, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the distinct codes in order, and each one's place among them: np.unique for codes from -1 to ``count``."""
    present = np.zeros(count + 1, dtype=bool)
    present[codes + 1] = True
    return np.flatnonzero(present) - 1, (np.cumsum(present) - 1)[codes + 1]


class _Assembly:
    """All documents' rows in composed order, and the lookups from the browser's numbering to ours."""

    def __init__(
        self,
        strings: list[str],
        documents: list[FrameDocument],
        runs: list[tuple[int, int, int]],
        places: Mapping[int, Place],
        styles: IntColumn,
    ) -> None:
        self.strings = strings
        self.styles = styles
        self.documents = documents
        self.places = [places.get(index, _AT_ORIGIN) for index in range(len(documents))]
        self.base = np.cumsum([0] + [len(document.parent) for document in documents])
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

    def draft(
        self,
        *,
        url: str,
        roots: list[Mapping[str, Any]],
        viewport: tuple[float, float],
    ) -> PendingPage:
        names, tag, attributes, display = self._names()
        value = np.where(self.text, self._joined(lambda document: document.value)[self.kept], -1)
        attribute_value = np.where(attributes[:, 2] < 0, len(self.strings) - 1, attributes[:, 2])
        used, codes = _distinct(np.concatenate([value[value >= 0], attribute_value]), len(self.strings))
        text = np.full(len(value), -1, dtype=np.int32)
        split = int((value >= 0).sum())
        text[value >= 0] = codes[:split]
        title = roots[0].get("title", -1)
        page = Page(
            url=url,
            title=as_title(self.strings[title]) if title >= 0 else "",
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
        language = page.attributes_of(0).get("lang", "") if len(page) else ""
        page = page.replace(language=language)
        rows, first = self._laid_out()
        style = self._joined(lambda document: document.style)[first]
        styles = Styles.of(self.styles, style, rows, self.text, self.strings)
        drawn = np.full(len(page), -1, dtype=np.int32)
        drawn[rows] = self._joined(lambda document: document.drawn)[first]
        return PendingPage(
            plain=page.replace(geometry=self._geometry(len(page), rows, first, styles, display, roots[0], viewport)),
            styles=styles,
            frames=self._frames(page, styles, roots, viewport),
            backend=self._joined(lambda document: document.backend)[self.kept],
            drawn=drawn,
            strings=self.strings,
        )

    def _laid_out(self) -> tuple[IntColumn, NDArray[np.intp]]:
        """Return the rows that are laid out, and the place of each in the layout of all documents."""
        rows = np.concatenate([self.row[d.layout_node + self.base[i]] for i, d in enumerate(self.documents)])
        # A node may have several layout objects; the first is its own, later ones are anonymous.
        rows, first = np.unique(rows, return_index=True)
        return rows[rows >= 0].astype(np.int32), first[rows >= 0]

    def _frames(
        self, page: Page, styles: Styles, roots: list[Mapping[str, Any]], viewport: tuple[float, float]
    ) -> tuple[PageFrame, ...]:
        """Describe the documents that are part of the page, outer ones first."""
        html = np.flatnonzero(page.has_tag("html"))
        number = np.searchsorted(self.base, self.kept[html], side="right") - 1
        found = []
        for row, index in zip(html.tolist(), number.tolist(), strict=True):
            owner = int(page.parent[row])
            if (owner < 0) != (index == 0) or (owner >= 0 and self.row[self.base[index]] == row):
                continue
            found.append(self._frame(page, styles, roots[index], index, row, viewport))
        return tuple(found)

    def _frame(
        self,
        page: Page,
        styles: Styles,
        root: Mapping[str, Any],
        index: int,
        row: int,
        viewport: tuple[float, float],
    ) -> PageFrame:
        left, top, x, y = self.places[index]
        size = (0.0, 0.0, *viewport) if not index else self.documents[index].bounds[0].tolist()
        left, top = (
            left + root.get("scrollOffsetX", 0.0) * x * bool(index),
            top + root.get("scrollOffsetY", 0.0) * y * bool(index),
        )
        owner = int(page.parent[row])
        still = owner >= 0 and page.attributes_of(owner).get("scrolling", "").lower() in ("no", "off", "noscroll")
        return PageFrame(
            document=index,
            row=row,
            owner=owner,
            place=(left, top, left + size[2] * x, top + size[3] * y),
            content=(root.get("contentWidth", size[2]) * x, root.get("contentHeight", size[3]) * y),
            scrolls=(not still, not still),
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
        # FrameDocument nodes are dropped: their children hang on the frame's owner.
        above = parent[self.kept]
        dropped = (above >= 0) & (self.row[above] < 0)
        above[dropped] = parent[above[dropped]]
        return np.where(above >= 0, self.row[above], -1).astype(np.int32)

    def _names(self) -> tuple[tuple[str, ...], IntColumn, NDArray[np.int32], dict[str, int]]:
        """Make the small vocabulary, and with it the tag column and the attribute rows."""
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

    def _geometry(
        self,
        count: int,
        rows: IntColumn,
        first: NDArray[np.intp],
        styles: Styles,
        display: Mapping[str, int],
        root: Mapping[str, Any],
        viewport: tuple[float, float],
    ) -> Geometry:
        bounds = np.concatenate([_placed(d.bounds, self.places[i]) for i, d in enumerate(self.documents)])
        box = np.full((count, 4), np.nan, dtype=np.float32)
        box[rows] = bounds[first]
        paint_order = np.full(count, -1, dtype=np.int32)
        paint_order[rows] = self._joined(lambda document: document.paint_order)[first]
        lines = self._lines()
        return Geometry(
            viewport=viewport,
            size=(float(root.get("contentWidth", viewport[0])), float(root.get("contentHeight", viewport[1]))),
            box=box,
            paint_order=paint_order,
            display=styles.column("display", display.__getitem__, -1, np.int32),
            position=styles.column("position", lambda value: _POSITIONS.get(value, 0), 0, np.uint8),
            opacity=styles.column("opacity", float, 1.0, np.float32),
            invisible=styles.column("visibility", "visible".__ne__, False, np.bool_),
            clips=styles.clips,
            font_size=styles.column("font-size", _pixels, 0.0, np.float32),
            font_weight=styles.column("font-weight", float, 400, np.int16),
            color=styles.column("color", parse_color, 0x000000FF, np.uint32),
            background=styles.column("background-color", parse_color, 0, np.uint32),
            line_node=lines[0],
            line_box=lines[1],
            line_start=lines[2],
            line_length=lines[3],
            hidden=np.zeros(0, dtype=np.uint8),
            paint=styles.paint,
        )

    def _lines(self) -> tuple[IntColumn, FloatColumn, IntColumn, IntColumn]:
        parts = []
        for index, document in enumerate(self.documents):
            node = self.row[document.layout_node[document.text_layout] + self.base[index]]
            parts.append(
                (node, _placed(document.text_bounds, self.places[index]), document.text_start, document.text_length)
            )
        node, box, start, length = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        order = np.argsort(node, kind="stable")
        order = order[node[order] >= 0]
        return node[order], box[order], start[order], length[order]


def _placed(bounds: FloatColumn, place: Place) -> FloatColumn:
    """Put the boxes of a document where its frame shows them."""
    left, top, x, y = place
    placed: FloatColumn = (bounds * np.asarray([x, y, x, y]) + np.asarray([left, top, 0.0, 0.0])).astype(np.float32)
    return placed


def _pixels(value: str) -> float:
    return float(value.removesuffix("px"))
