"""FIASCO's features (Bauer et al., WAC3 2007): linguistic, structural and visual ones of a target node.

The source describes them in words; the formulas of the solidities are those of
:mod:`~blocksight.segment.outlines`.
"""

from __future__ import annotations

import numpy as np

from ...render.arrays import FloatArray
from ...segment.blocks import leaf_boxes
from ...segment.outlines import outline_measures
from ..rows import Rows
from ..structure import heading_rows
from ..words import count_sentences, count_words
from .genieknows import below
from .speech import PARTS

SOURCE = "FIASCO: Bauer et al., WAC3 2007"
DOCS = (
    {
        "fiasco_text_length": "number of characters, white space collapsed",
        "fiasco_words": "number of words",
        "fiasco_types": "number of different words",
        "fiasco_sentences": "number of ends of sentences",
        "fiasco_sentence_length": "number of words a sentence",
        "fiasco_clean_keywords": "share of words that are typical of clean text",
        "fiasco_boilerplate_keywords": "share of words that are typical of boilerplate",
    }
    | {f"fiasco_pos_{part}": f"share of words that are {what} (English only)" for part, what in PARTS.items()}
    | {
        "fiasco_depth": "levels from the root down to the block's element",
        "fiasco_is_heading": "1 where the block is or stands in a heading",
        "fiasco_is_paragraph": "1 where the block's element is <p>",
        "fiasco_links": "number of <a> below the block's element",
        "fiasco_images": "number of <img> below the block's element",
        "fiasco_solidity1": "likeness of the outline of the lines to a rectangle",
        "fiasco_solidity2": "number of vertices of that outline",
        "fiasco_solidity3": "ratio of the mean distance of its vertices from the centre to half its box's diagonal",
        "fiasco_width": "share of the width of the widest block",
        "fiasco_height": "share of the height of the highest block",
    }
)


def fiasco_features(counts: Rows, columns: dict[str, FloatArray]) -> dict[str, FloatArray]:
    """Return FIASCO's columns, float64 (rows,) each; visual ones are NaN without geometry.

    Parameters
    ----------
    counts : Rows
    columns : dict of str to float64 (rows,)
        The linguistic features.
    """
    page = counts.page
    number = np.asarray([count_words(text) for text in counts.texts], dtype=np.float64)
    sentences = np.asarray([count_sentences(text) for text in counts.texts], dtype=np.float64)
    return {
        "fiasco_text_length": np.asarray([len(text) for text in counts.texts], dtype=np.float64),
        "fiasco_words": number,
        "fiasco_types": np.expm1(columns["types_log"]).round(),
        "fiasco_sentences": sentences,
        "fiasco_sentence_length": number / np.maximum(sentences, 1.0),
        "fiasco_clean_keywords": columns["clean_word_share"],
        "fiasco_boilerplate_keywords": columns["boilerplate_word_share"],
        **{f"fiasco_pos_{part}": columns[f"pos_{part}"] for part in PARTS},
        "fiasco_depth": page.depth[counts.node].astype(np.float64),
        "fiasco_is_heading": heading_rows(counts).astype(np.float64),
        "fiasco_is_paragraph": page.has_tag("p")[counts.node].astype(np.float64),
        "fiasco_links": below(counts, "a"),
        "fiasco_images": below(counts, "img"),
    } | _outlines(counts)


def _outlines(counts: Rows) -> dict[str, FloatArray]:
    if counts.page.geometry is None:
        names = ("solidity1", "solidity2", "solidity3", "width", "height")
        return {f"fiasco_{name}": np.full(len(counts), np.nan) for name in names}
    measures = outline_measures(counts.page, counts.leaf_row, len(counts))
    wide, high = leaf_boxes(counts.page, counts.leaf_row, len(counts)).astype(np.float64).T[2:]
    return {
        "fiasco_solidity1": measures.solidity1,
        "fiasco_solidity2": measures.solidity2,
        "fiasco_solidity3": measures.solidity3,
        "fiasco_width": wide / _largest(wide),
        "fiasco_height": high / _largest(high),
    }


def _largest(values: FloatArray) -> float:
    return max(float(np.max(values[np.isfinite(values)], initial=0.0)), 1e-9)
