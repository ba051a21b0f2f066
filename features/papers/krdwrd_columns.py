"""KrdWrd's features: eight numbers from the line boxes of a block (Steger & Stemle, WAC5 2009)."""

from __future__ import annotations

from math import inf

from ..columns import ColumnGroup, Columns, numeric
from ..rows import Rows

SOURCE = "KrdWrd: Steger, Stemle, WAC5 2009"
_ABOUT = (
    ("lines", "number of line boxes", "count", 0.0),
    ("left", "distance of the block's lines from the page's left edge", "CSS pixels", -inf),
    ("top", "distance of the block's lines from the page's top", "CSS pixels", -inf),
    ("width", "distance of the outer edges of the lines", "CSS pixels", 0.0),
    ("height", "distance from the first line's top to the last one's bottom", "CSS pixels", 0.0),
    ("area", "area of the bounding box of the lines", "square CSS pixels", 0.0),
    ("height_ratio", "ratio of the sum of line heights to the height", "ratio", 0.0),
    ("area_ratio", "ratio of the sum of line areas to the area", "ratio", 0.0),
)
COLUMNS = tuple(numeric(f"krdwrd_{name}", meaning, unit, low=low, source=SOURCE) for name, meaning, unit, low in _ABOUT)


def krdwrd_features(rows: Rows, _: Columns) -> Columns:
    """Return KrdWrd's columns in CSS pixels, as in the paper."""
    return dict(zip(GROUP.names, rows.outlines.krdwrd.T, strict=True))


GROUP = ColumnGroup(name="krdwrd", columns=COLUMNS, measure=krdwrd_features, needs_geometry=True)
