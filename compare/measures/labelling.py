"""Marks against gold, leaf by leaf and block by block: how good the classifier is, before any text is written."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...gold.leaf_labels import leaf_gold
from ...gold.pages import CONTENT, UNCERTAIN, GoldPage
from ...page.arrays import Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.blocks import text_blocks
from .overlap import overlap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafGold:
    """What the gold says of a page's text leaves.

    Attributes
    ----------
    content : bool (leaves,)
    known : bool (leaves,)
        False for leaves that nobody sees, that are uncertain, or of which the gold says nothing: they are not counted.
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
    """Right and wrong decisions as shares."""

    accuracy: float
    precision: float
    recall: float
    f1: float


def known_leaves(page: Page, gold: GoldPage) -> LeafGold | None:
    """Return what a gold says of a page's leaves (:func:`~blocksight.gold.leaf_labels.leaf_gold`).

    By labels of nodes, or else by the gold text; None without either. Where the gold is a text, the scores compare
    classifiers with each other; people who label leaves by hand are closer to the truth.
    """
    if not (gold.node_texts or gold.texts):
        return None
    label = leaf_gold(page, gold)
    length = np.asarray([len("".join(text.split())) for text in page.leaf_texts], dtype=np.float64)
    known = (label != UNCERTAIN) & ~invisible_leaves(page)
    return LeafGold(content=label == CONTENT, known=known, block=text_blocks(page).leaf_block, length=length)


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
