"""The nodes of a rendered page as VIPS speaks of them: valid, virtual text, line-breaking, of this size and look."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import BoolColumn, FloatArray, IntColumn
from ...page.html import TEXT
from ...page.page import Page
from ...render.visibility.backgrounds import visible_boxes
from .painted import CONTROLS, Painted, painted_on

#: The rows of the rules' table.
INLINE, TABLE, TR, TD, P, OTHER = range(6)
#: Computed values of ``display`` that make a node a table, row or cell to a person's eye, whatever its tag.
_TABLE_LOOKS = {"table": TABLE, "inline-table": TABLE, "table-row": TR, "table-cell": TD}


#: Pages do not change, and are cut at several degrees of coherence.
_KNOWN: WeakKeyDictionary[Page, Painted] = WeakKeyDictionary()


@dataclass(frozen=True, kw_only=True, eq=False)
class Nodes:
    """Columns of a rendered page's nodes.

    Attributes
    ----------
    page : Page
    valid, text, texty : bool (nodes,)
        Nodes of which something is seen; text nodes; those of them that are text or virtual text (inline elements all
        of whose valid children are text or virtual text).
    box : float64 (nodes, 4)
        ``[left, top, right, bottom]`` of what is seen of each node, CSS pixels; NaN where nothing is.
    area, share : float64 (nodes,)
        Of that box: square CSS pixels, and relative to the page (the whole document, not the window).
    painted : Painted
        Pictures, painted boxes, layers and rules.
    flow : bool (nodes,)
        Valid nodes that count for their parent: all but the root and layers over the page.
    holds_control : bool (nodes,)
        Whether a control is seen in each.
    group : int8 (nodes,)
        The row of the rules' table that holds for each node.
    shown : bool (leaves,)
        Text leaves of which something is seen.
    shown_rows : int32 (shown leaves,)
        Their nodes.
    shown_range : int64 (nodes, 2)
        Each node's subtree holds the shown leaves ``[first, last)``.
    font_changes : int64 (shown leaves,)
        How often font size or weight changed up to each of them.
    """

    page: Page
    valid: BoolColumn
    text: BoolColumn
    texty: BoolColumn
    box: FloatArray
    area: FloatArray
    share: FloatArray
    painted: Painted
    flow: BoolColumn
    holds_control: BoolColumn
    group: NDArray[np.int8]
    shown: BoolColumn
    shown_rows: IntColumn
    shown_range: NDArray[np.int64]
    font_changes: NDArray[np.int64]

    def summed(self, values: NDArray[np.generic]) -> FloatArray:
        """Add up a column of nodes over the valid children of each node."""
        rows = np.flatnonzero(self.flow)
        added = np.bincount(self.page.parent[rows], weights=values[rows], minlength=len(self.page))
        return added.astype(np.float64)

    def children(self) -> list[list[int]]:
        """Return the valid children of each node."""
        none: list[int] = []
        children = [none] * len(self.page)
        rows = np.flatnonzero(self.flow)
        for row, above in zip(rows.tolist(), self.page.parent[rows].tolist(), strict=True):
            if children[above] is none:
                children[above] = [row]
            else:
                children[above].append(row)
        return children


def nodes_of(page: Page) -> Nodes:
    """Look at the nodes of a page with geometry."""
    geometry = page.geometry
    assert geometry is not None
    seen = visible_boxes(page)
    painted = _KNOWN.get(page)
    if painted is None:
        painted = _KNOWN[page] = painted_on(page, seen)
    size = np.nan_to_num(painted.extent[:, 2:] - painted.extent[:, :2])
    area = size[:, 0] * size[:, 1]
    shown = np.zeros(len(page.leaves), dtype=bool)
    shown[seen.leaf] = True
    rows = page.leaves[shown]
    valid, text = np.isfinite(painted.extent[:, 0]), page.has_tag(TEXT)
    flow = valid & (page.parent >= 0) & ~painted.raised
    fonts = np.stack([geometry.font_size[rows], geometry.font_weight[rows].astype(np.float32)], axis=1)
    changes = np.zeros(len(rows), dtype=np.int64)
    changes[1:] = np.cumsum((fonts[1:] != fonts[:-1]).any(axis=1))
    return Nodes(
        page=page,
        valid=valid,
        text=text,
        texty=_texty(page, valid, text | (valid & painted.icon)),
        box=painted.extent,
        area=area,
        share=area / max(geometry.size[0] * geometry.size[1], 1.0),
        painted=painted,
        flow=flow,
        holds_control=page.count_within(valid & page.has_tag(*CONTROLS)) > 0,
        group=_groups(page),
        shown=shown,
        shown_rows=rows,
        shown_range=np.stack([np.searchsorted(rows, np.arange(len(page))), np.searchsorted(rows, page.end)], axis=1),
        font_changes=changes,
    )


def _texty(page: Page, valid: BoolColumn, text: BoolColumn) -> BoolColumn:
    """Valid nodes below which, themselves included, all that is valid is text or an inline element around some.

    Icons in a line count as text.
    """
    held = np.zeros(len(page), dtype=bool)
    held[page.parent[valid & (page.parent >= 0)]] = True
    other = valid & ~text & (page.block_level | ~held)
    texty: BoolColumn = valid & (page.count_within(other) == 0)
    return texty


def _groups(page: Page) -> NDArray[np.int8]:
    """By computed display, P by its tag."""
    assert page.geometry is not None
    looks = np.asarray([*(_TABLE_LOOKS.get(name, OTHER) for name in page.names), OTHER], dtype=np.int8)
    group = looks[page.geometry.display]
    group[(group == OTHER) & page.has_tag("p")] = P
    group[~page.block_level] = INLINE
    return group
