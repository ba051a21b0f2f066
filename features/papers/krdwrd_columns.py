"""KrdWrd's features: eight plain numbers from the line boxes of a block (Steger & Stemle, WAC5 2009)."""

from __future__ import annotations

from math import inf

from ..columns import Column, ColumnGroup, Columns
from ..rows import Rows

SOURCE = "KrdWrd: Steger, Stemle, WAC5 2009"
_ABOUT = (
    ("lines", "number of line boxes", "count", 0.0),
    ("left", "pixels from the page's left edge to the block's lines", "CSS pixels", -inf),
    ("top", "pixels from the page's top to the block's lines", "CSS pixels", -inf),
    ("width", "pixels between the outer edges of the lines", "CSS pixels", 0.0),
    ("height", "pixels from the first line's top to the last one's foot", "CSS pixels", 0.0),
    ("area", "square pixels of the box around the lines", "square CSS pixels", 0.0),
    ("height_ratio", "ratio of the sum of line heights to the height", "ratio", 0.0),
    ("area_ratio", "ratio of the sum of line areas to the area", "ratio", 0.0),
)
COLUMNS = tuple(
    Column(name=f"krdwrd_{name}", meaning=meaning, unit=unit, low=low, source=SOURCE)
    for name, meaning, unit, low in _ABOUT
)


def krdwrd_features(rows: Rows, _: Columns) -> Columns:
    """Return KrdWrd's columns, float64 (rows,) each, in CSS pixels as in the paper."""
    return dict(zip(GROUP.names, rows.outlines.krdwrd.T, strict=True))


GROUP = ColumnGroup(name="krdwrd", columns=COLUMNS, measure=krdwrd_features, needs="geometry")
