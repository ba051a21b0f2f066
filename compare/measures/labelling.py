"""Marks against gold, leaf by leaf and block by block: how good the classifier is, before any text is written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from ...features.alignment import row_labels
from ...features.rows import rows_of
from ...gold.pages import Gold
from ...render.arrays import Marks
from ...render.page import Page
from ...render.visibility import concealed
from ...segment.blocks import text_blocks
from .overlap import overlap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafGold:
    """What the gold says of a page's text leaves.

    Attributes
    ----------
    content : bool (leaves,)
    known : bool (leaves,)
        False for leaves that nobody sees or of which the gold says nothing; they are not counted.
    block : int32 (leaves,)
        The paragraph of each leaf (:func:`~blocksight.segment.blocks.text_blocks`).
    length : float64 (leaves,)
        Characters that are no white space.
    """

    content: Marks
    known: Marks
    block: NDArray[np.int32]
    length: NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Confusion:
    """Right and wrong decisions as shares.

    Attributes
    ----------
    accuracy, precision, recall, f1 : float
    """

    accuracy: float
    precision: float
    recall: float
    f1: float


def leaf_gold(page: Page, gold: Gold) -> LeafGold | None:
    """Return what a gold says of a page's leaves, by labelled leaves or else by its first text; None without either."""
    if gold.leaves:
        return gold_by_leaves(page, gold.leaves)
    return gold_by_text(page, gold.texts[0]) if gold.texts else None


def gold_by_text(page: Page, gold: str) -> LeafGold:
    """Lay a gold text along a page: a leaf is content where its paragraph is.

    The gold is laid by :func:`~blocksight.features.alignment.row_labels`, so these scores compare classifiers with each
    other; people who label leaves by hand are closer to the truth.
    """
    blocks = text_blocks(page)
    counts = rows_of(page, blocks)
    labels = np.append(row_labels(counts, gold), False)
    return _leaf_gold(page, labels[counts.leaf_row], np.ones(len(page.leaves), dtype=bool), blocks.leaf_block)


def gold_by_leaves(page: Page, labelled: Sequence[tuple[str, bool]]) -> LeafGold:
    """Find labelled text nodes again in a page, in their order; leaves that are not among them are not known.

    Parameters
    ----------
    page : Page
    labelled : sequence of (str, bool)
        The text of each node and whether it is content, in document order.
    """
    here = [_even(text) for text in page.leaf_texts]
    there = [_even(text) for text, _ in labelled]
    content, known = np.zeros(len(here), dtype=bool), np.zeros(len(here), dtype=bool)
    label = np.asarray([one for _, one in labelled], dtype=bool)
    for step in LCSseq.opcodes(here, there):
        if step.tag == "equal":
            known[step.src_start : step.src_end] = True
            content[step.src_start : step.src_end] = label[step.dest_start : step.dest_end]
    return _leaf_gold(page, content, known, text_blocks(page).leaf_block)


def _leaf_gold(page: Page, content: Marks, known: Marks, block: NDArray[np.int32]) -> LeafGold:
    length = np.asarray([len("".join(text.split())) for text in page.leaf_texts], dtype=np.float64)
    return LeafGold(content=content, known=known & ~concealed(page), block=block, length=length)


def _even(text: str) -> str:
    return " ".join(text.split())


def leaf_confusion(marks: Marks, gold: LeafGold) -> Confusion:
    """Count leaves: each is one decision, as in KrdWrd's evaluation of text nodes (Steger and Stemle, WAC5 2009)."""
    return _confusion(marks[gold.known], gold.content[gold.known])


def block_confusion(marks: Marks, gold: LeafGold) -> Confusion:
    """Count paragraphs: each is content when at least half of its characters are."""
    return _confusion(_blocks(marks, gold), _blocks(gold.content, gold))


def _blocks(marks: Marks, gold: LeafGold) -> Marks:
    inside = gold.known & (gold.block >= 0)
    block, length = gold.block[inside], gold.length[inside]
    whole = np.bincount(block, weights=length)
    content = np.bincount(block, weights=length * marks[inside])
    some = whole > 0
    decided: Marks = content[some] * 2 >= whole[some]
    return decided


def _confusion(found: Marks, gold: Marks) -> Confusion:
    shared = overlap(float((found & gold).sum()), float(found.sum()), float(gold.sum()))
    accuracy = float((found == gold).mean()) if len(found) else 1.0
    return Confusion(accuracy=accuracy, precision=shared.precision, recall=shared.recall, f1=shared.f1)
