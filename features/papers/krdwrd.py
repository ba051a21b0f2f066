"""KrdWrd's features: eight plain numbers from the line boxes of a block (Steger & Stemle, WAC5 2009)."""

from __future__ import annotations

import numpy as np

from ...render.arrays import FloatArray
from ...segment.outlines import outline_measures
from ..rows import Rows

SOURCE = "KrdWrd: Steger, Stemle, WAC5 2009"
DOCS = {
    "krdwrd_lines": "number of line boxes",
    "krdwrd_left": "pixels from the page's left edge to the block's lines",
    "krdwrd_top": "pixels from the page's top to the block's lines",
    "krdwrd_width": "pixels between the outer edges of the lines",
    "krdwrd_height": "pixels from the first line's top to the last one's foot",
    "krdwrd_area": "square pixels of the box around the lines",
    "krdwrd_height_ratio": "ratio of the sum of line heights to the height",
    "krdwrd_area_ratio": "ratio of the sum of line areas to the area",
}


def krdwrd_features(counts: Rows) -> dict[str, FloatArray]:
    """Return KrdWrd's columns, float64 (rows,) each, in CSS pixels as in the paper; NaN without geometry."""
    if counts.page.geometry is None:
        return {name: np.full(len(counts), np.nan) for name in DOCS}
    measures = outline_measures(counts.page, counts.leaf_row, len(counts)).krdwrd
    return dict(zip(DOCS, measures.T, strict=True))
