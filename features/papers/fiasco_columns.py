"""FIASCO's features (Bauer et al., WAC3 2007): linguistic, structural and visual features of a target node.

The source, slides of a lecture, names them in words. The formulas of the solidities are those of
:mod:`~blocksight.segment.outlines`. Ours: no parts of speech, since a tagger knows one language; the keywords are fixed
lists, elements with the role of a heading are headings, and widths and heights are those of a block's rendered lines.
"""

from __future__ import annotations

import numpy as np

from ...lexicon.word_lists import entries
from ...lexicon.words import words
from ...page.arrays import FloatArray
from ..columns import Column, ColumnGroup, Columns, flag, numeric, share
from ..rows import Rows

SOURCE = "FIASCO: Bauer et al., WAC3 2007"
_VOCABULARY = entries("vocabulary")
BOILERPLATE_WORDS, CLEAN_WORDS = (frozenset(" ".join(_VOCABULARY[name]).split()) for name in ("boilerplate", "clean"))


def _count(name: str, meaning: str) -> Column:
    return numeric(name, meaning, "count", source=SOURCE)


TEXT_COLUMNS = (
    _count("fiasco_text_length", "number of characters, white space collapsed"),
    _count("fiasco_words", "number of words"),
    _count("fiasco_types", "number of different words"),
    _count("fiasco_sentences", "number of sentence ends"),
    numeric("fiasco_sentence_length", "words per sentence", "words per sentence", source=SOURCE),
    share("fiasco_clean_keywords", "share of words that are typical of clean text", SOURCE),
    share("fiasco_boilerplate_keywords", "share of words that are typical of boilerplate", SOURCE),
)
STRUCTURE_COLUMNS = (
    _count("fiasco_depth", "levels from the root down to the block's element"),
    flag("fiasco_is_heading", "1 if the block is or is inside a heading", SOURCE),
    flag("fiasco_is_paragraph", "1 if the block's element is <p>", SOURCE),
    _count("fiasco_links", "number of <a> in the block's element"),
    _count("fiasco_images", "number of <img> in the block's element"),
)
OUTLINE_COLUMNS = (
    share("fiasco_solidity1", "rectangularity of the outline of the lines", SOURCE),
    _count("fiasco_solidity2", "number of vertices of that outline"),
    numeric(
        "fiasco_solidity3",
        "ratio of the mean distance of its vertices from the centroid to half the diagonal of its box",
        "ratio",
        source=SOURCE,
    ),
    share("fiasco_width", "share of the width of the widest block", SOURCE),
    share("fiasco_height", "share of the height of the tallest block", SOURCE),
)


def text_features(rows: Rows, _: Columns) -> Columns:
    """Return FIASCO's columns of the text."""
    words_of_rows = [words(text) for text in rows.texts]
    number = np.asarray([len(row) for row in words_of_rows], dtype=np.float64)
    sentences = rows.character_counts.sentences
    return {
        "fiasco_text_length": rows.character_counts.lengths.astype(np.float64),
        "fiasco_words": number,
        "fiasco_types": np.asarray([len(set(row)) for row in words_of_rows], dtype=np.float64),
        "fiasco_sentences": sentences,
        "fiasco_sentence_length": number / np.maximum(sentences, 1.0),
        "fiasco_clean_keywords": _count_members(words_of_rows, CLEAN_WORDS) / np.maximum(number, 1.0),
        "fiasco_boilerplate_keywords": _count_members(words_of_rows, BOILERPLATE_WORDS) / np.maximum(number, 1.0),
    }


def _count_members(words_of_rows: list[list[str]], vocabulary: frozenset[str]) -> FloatArray:
    return np.asarray([sum(word in vocabulary for word in row) for row in words_of_rows], dtype=np.float64)


def structure_features(rows: Rows, _: Columns) -> Columns:
    """Return FIASCO's structural columns."""
    return {
        "fiasco_depth": rows.page.depth[rows.node].astype(np.float64),
        "fiasco_is_heading": rows.in_heading.astype(np.float64),
        "fiasco_is_paragraph": rows.page.has_tag("p")[rows.node].astype(np.float64),
        "fiasco_links": rows.count_tags("a"),
        "fiasco_images": rows.count_tags("img"),
    }


def outline_features(rows: Rows, _: Columns) -> Columns:
    """Return FIASCO's visual columns; NaN for a block without a rendered line."""
    width, height = rows.box.astype(np.float64).T[2:]
    return {
        "fiasco_solidity1": rows.outlines.solidity1,
        "fiasco_solidity2": rows.outlines.solidity2,
        "fiasco_solidity3": rows.outlines.solidity3,
        "fiasco_width": width / _largest(width),
        "fiasco_height": height / _largest(height),
    }


def _largest(values: FloatArray) -> float:
    return max(float(np.max(values[np.isfinite(values)], initial=0.0)), 1e-9)


TEXT = ColumnGroup(name="fiasco", columns=TEXT_COLUMNS, measure=text_features)
STRUCTURE = ColumnGroup(name="fiasco", columns=STRUCTURE_COLUMNS, measure=structure_features)
OUTLINES = ColumnGroup(name="fiasco", columns=OUTLINE_COLUMNS, measure=outline_features, needs_geometry=True)
GROUPS = (TEXT, STRUCTURE, OUTLINES)
