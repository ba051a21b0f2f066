"""Catalogue of features, and the table of a page's blocks."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from ..errors import ExtraMissing
from ..page.arrays import FloatArray
from ..page.page import Page
from ..segment.blocks import Blocks, text_blocks
from . import class_names, hints, links, neighbours, regions, sections, structure, text, whole_page
from .columns import ColumnGroup, Columns, columns_named, next_to_each_other
from .papers import fiasco_columns, genieknows_columns, krdwrd_columns, victor_columns
from .rows import Rows, rows_of
from .visual import layout, proportions, visual, visual_hints

if TYPE_CHECKING:
    import pandas as pd

#: All groups of features, in the order of their columns.
CATALOGUE: tuple[ColumnGroup, ...] = (
    text.GROUP,
    links.GROUP,
    structure.GROUP,
    class_names.GROUP,
    regions.GROUP,
    neighbours.GROUP,
    sections.GROUP,
    whole_page.GROUP,
    visual.GROUP,
    proportions.GROUP,
    hints.GROUP,
    visual_hints.GROUP,
    layout.GROUP,
    *fiasco_columns.GROUPS,
    krdwrd_columns.GROUP,
    *genieknows_columns.GROUPS,
    victor_columns.GROUP,
)
#: Names of the groups.
GROUP_NAMES = tuple(dict.fromkeys(group.name for group in CATALOGUE))
#: Groups of features from papers; the others are blocksight's own.
LITERATURE = ("fiasco", "krdwrd", "genieknows", "victor")
#: Groups with columns that need geometry.
RENDERED = tuple(dict.fromkeys(group.name for group in CATALOGUE if group.needs_geometry))
#: Names of several groups together.
BUNDLES: dict[str, tuple[str, ...]] = {
    "all": GROUP_NAMES,
    "own": tuple(name for name in GROUP_NAMES if name not in LITERATURE),
    "structural": ("structure", "keyword", "region"),
}
#: Increased when the values of a column change without its name.
FEATURES_VERSION = 2


@dataclass(frozen=True, kw_only=True, eq=False)
class Table:
    """Features of a page's blocks, in reading order."""

    rows: Rows  # block, node, leaves and words of each row
    #: (rows,): columns of the requested groups, in the order of :data:`CATALOGUE`; visual ones are NaN without geometry
    columns: dict[str, FloatArray]

    def __len__(self) -> int:
        return len(self.rows)

    def matrix(self, names: tuple[str, ...]) -> FloatArray:
        """Return some columns as float64 (rows, len(names))."""
        return next_to_each_other(columns_named(self.columns, names)) if names else np.zeros((len(self), 0))


class _MeasuredColumns(Columns):
    """Columns of a page by name; a group is measured once, on the first access to one of its columns."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._group = _groups_by_column()
        self._measured: dict[str, FloatArray] = {}

    def __getitem__(self, name: str) -> FloatArray:
        if name not in self._measured:
            self._measured |= self._measure(self._group[name])
        return self._measured[name]

    def all_of(self, names: tuple[str, ...]) -> dict[str, FloatArray]:
        """Return some columns."""
        for group in _groups_with(names):
            if group.names[0] not in self._measured:
                self._measured |= self._measure(group)
        return dict(zip(names, columns_named(self._measured, names), strict=True))

    def __iter__(self) -> Iterator[str]:
        return iter(self._group)

    def __len__(self) -> int:
        return len(self._group)

    def _measure(self, group: ColumnGroup) -> Columns:
        if group.needs_geometry and self._rows.page.geometry is None:
            return dict.fromkeys(group.names, np.full(len(self._rows), np.nan))
        return group.measure(self._rows, self)


def measure(
    page: Page, blocks: Blocks | None = None, *, groups: Collection[str] = (), columns: Collection[str] = ()
) -> Table:
    """Measure groups or columns, by default all, of blocks with text of their own, by default the paragraphs."""
    names = _checked(columns) or column_names(*groups)
    rows = rows_of(page, blocks if blocks is not None else text_blocks(page))
    measured = _MeasuredColumns(rows)
    return Table(rows=rows, columns=measured.all_of(names))


def block_features(
    page: Page, blocks: Blocks | None = None, *, groups: Collection[str] = (), timeout: float | None = None
) -> pd.DataFrame:
    """Return the block table of a page as a data frame: one row per block, in reading order.

    The features of :data:`CATALOGUE` follow ``block`` (row in the segmentation), ``tag``, ``text``, ``words`` and the
    bounding box ``x_px``, ``y_px``, ``width_px``, ``height_px`` (CSS pixels of the document; NaN if the page was not
    rendered or the block is not visible). ``groups`` selects features; by default all. ``frame.attrs["columns"]`` has
    meaning and unit of each column by its name. Raises ExtraMissing without pandas, and TimedOut after ``timeout``
    seconds, if they are given: a process does the work then.
    """
    try:
        import pandas as pd
    except ModuleNotFoundError as error:
        raise ExtraMissing("block_features", "research") from error

    if timeout is not None:
        from ..processes.workers import run_in_time

        return run_in_time(timeout, page.url, partial(block_features, groups=groups), page, blocks)
    measured = measure(page, blocks, groups=groups)
    rows = measured.rows
    head = {
        "block": rows.block,
        "tag": [page.tag_of(node) for node in rows.node.tolist()],
        "text": list(rows.texts),
        "words": rows.words,
    }
    box = dict(zip(("x_px", "y_px", "width_px", "height_px"), rows.box.T, strict=True))
    frame = pd.DataFrame(head | box | measured.columns)
    described = {column.name: column for group in CATALOGUE for column in group.columns}
    about = _HEAD | {name: (described[name].meaning, described[name].unit) for name in measured.columns}
    frame.attrs["columns"] = {name: {"meaning": meaning, "unit": unit} for name, (meaning, unit) in about.items()}
    return frame


#: Meaning and unit of the columns before the features.
_HEAD = {
    "block": ("row of the block in the segmentation", "count"),
    "tag": ("tag of the block's element", "name"),
    "text": ("text of the block, white space collapsed", "text"),
    "words": ("words; a character of a script without spaces counts half a word", "words"),
    "x_px": ("left edge of the block's lines", "CSS pixels of the document"),
    "y_px": ("top edge of the block's lines", "CSS pixels of the document"),
    "width_px": ("width of the box around the block's lines", "CSS pixels"),
    "height_px": ("height of the box around the block's lines", "CSS pixels"),
}


@cache
def column_names(*groups: str) -> tuple[str, ...]:
    """Return the columns of some groups, or of all, in the order of the groups."""
    return tuple(name for group in groups_named(*groups) for name in group.names)


def groups_named(*names: str) -> tuple[ColumnGroup, ...]:
    """Return the groups of some names, or all; raise ValueError for an unknown name."""
    unknown = set(names) - set(GROUP_NAMES)
    if unknown:
        raise ValueError(f"no such group of features: {', '.join(sorted(unknown))}; there are {', '.join(GROUP_NAMES)}")
    return tuple(group for name in names or GROUP_NAMES for group in CATALOGUE if group.name == name)


def groups_of(columns: Iterable[str]) -> tuple[str, ...]:
    """Return the names of the groups that contain some columns."""
    names = set(columns)
    return tuple(dict.fromkeys(group.name for group in CATALOGUE if names & set(group.names)))


def schema_hash(columns: Iterable[str]) -> str:
    """Return the digest of features in a model or a data set: their names, order and version."""
    return hashlib.sha256("\n".join([str(FEATURES_VERSION), *columns]).encode()).hexdigest()[:16]


@cache
def _groups_by_column() -> Mapping[str, ColumnGroup]:
    return {name: group for group in CATALOGUE for name in group.names}


@cache
def _groups_with(names: tuple[str, ...]) -> tuple[ColumnGroup, ...]:
    groups = _groups_by_column()
    return tuple(dict.fromkeys(groups[name] for name in names))


def _checked(columns: Collection[str]) -> tuple[str, ...]:
    unknown = set(columns) - _groups_by_column().keys()
    if unknown:
        raise ValueError(f"no such column: {', '.join(sorted(unknown))}")
    return tuple(columns)
