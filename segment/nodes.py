"""The nodes of a rendered page as VIPS speaks of them: valid, virtual text, line-breaking, of this size and look."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from ..render.page import TEXT, Page
from .extents import seen_on

#: Computed values of ``display`` that make a node a table, row or cell to a person's eye, whatever its tag.
_TABLE_LOOKS = {"table": "table", "inline-table": "table", "table-row": "tr", "table-cell": "td"}


class Nodes:
    """Columns of a page's nodes as plain lists: the rules visit nodes one by one.

    Parameters
    ----------
    page : Page
        With geometry.

    Attributes
    ----------
    shown : bool (leaves,)
        Text leaves of which something is seen.
    valid : bool (nodes,)
        Nodes of which something is seen.
    children : list of list of int
        The valid children of each node.
    left, top, right, bottom : list of float
        What is seen of each node, CSS pixels; NaN where nothing is.
    share : list of float
        Its area over the page's (the whole document, not the window).
    ground : list of int
        The background that each node stands on.
    group : list of str
        The row of the rules' table that holds for each node: inline, table, tr, td, p or other.
    """

    def __init__(self, page: Page) -> None:
        geometry = page.geometry
        assert geometry is not None
        seen = seen_on(page)
        extent = seen.extent
        size = np.nan_to_num(extent[:, 2:] - extent[:, :2])
        self.page = page
        self.shown = np.zeros(len(page.leaves), dtype=bool)
        self.shown[seen.leaf] = True
        self.valid = np.isfinite(extent[:, 0])
        # Flat lists of numbers: the collector of garbage need not look through them.
        self.left, self.top, self.right, self.bottom = extent.T.tolist()
        self.area: list[float] = (size[:, 0] * size[:, 1]).tolist()
        self.share: list[float] = (size[:, 0] * size[:, 1] / max(geometry.size[0] * geometry.size[1], 1.0)).tolist()
        self.ground: list[int] = seen.ground.tolist()
        self.end: list[int] = page.end.tolist()
        self.tag = [page.names[code] for code in page.tag.tolist()]
        self.is_text: list[bool] = page.has_tag(TEXT).tolist()
        self.block_level: list[bool] = page.block_level.tolist()
        #: float64 (rules, 4): ``[left, top, right, bottom]`` of each ``<hr>`` that is seen.
        self.rules = extent[page.has_tag("hr") & self.valid]
        self.children = self._valid_children()
        self.group = self._groups()
        self._font_size: list[float] = geometry.font_size.tolist()
        self._font_weight: list[int] = geometry.font_weight.tolist()
        self._shown_rows: list[int] = page.leaves[self.shown].tolist()
        self._virtual = self._virtual_text()

    def box(self, part: Sequence[int]) -> tuple[float, float, float, float]:
        """Give ``(left, top, right, bottom)`` of what is seen of some nodes."""
        if len(part) == 1:
            (node,) = part
            return self.left[node], self.top[node], self.right[node], self.bottom[node]
        return (
            min(self.left[node] for node in part),
            min(self.top[node] for node in part),
            max(self.right[node] for node in part),
            max(self.bottom[node] for node in part),
        )

    def texty(self, node: int) -> bool:
        """Tell whether a node is text or virtual text."""
        return self.is_text[node] or self._virtual[node]

    def texts(self, first: int, end: int) -> list[int]:
        """Give the visible text leaves among the rows ``[first, end)``."""
        rows = self._shown_rows
        return rows[bisect_left(rows, first) : bisect_left(rows, end)]

    def font(self, leaf: int) -> tuple[float, float]:
        """Give size and weight of a text leaf's font."""
        return self._font_size[leaf], self._font_weight[leaf]

    def one_font(self, first: int, end: int) -> bool:
        """Tell whether all text among the rows ``[first, end)`` has one font size and weight."""
        rows = self.texts(first, end)
        return len(rows) <= 1 or len({self.font(row) for row in rows}) == 1

    def _valid_children(self) -> list[list[int]]:
        none: list[int] = []
        children = [none] * len(self.page)
        rows = np.flatnonzero(self.valid & (self.page.parent >= 0))
        for row, above in zip(rows.tolist(), self.page.parent[rows].tolist(), strict=True):
            if children[above] is none:
                children[above] = [row]
            else:
                children[above].append(row)
        return children

    def _groups(self) -> list[str]:
        """By computed display, P by its tag."""
        assert self.page.geometry is not None
        looks = [_TABLE_LOOKS.get(name, "") for name in self.page.names]
        display = self.page.geometry.display.tolist()
        return [
            "inline" if not block else looks[look] or ("p" if tag == "p" else "other")
            for block, look, tag in zip(self.block_level, display, self.tag, strict=True)
        ]

    def _virtual_text(self) -> list[bool]:
        """Inline elements all of whose valid children are text or virtual text nodes."""
        virtual = [False] * len(self.page)
        for row in range(len(self.page) - 1, -1, -1):
            children = self.children[row]
            if children and not self.block_level[row]:
                virtual[row] = all(self.is_text[child] or virtual[child] for child in children)
        return virtual
