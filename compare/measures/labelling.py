"""Marks against reference labels, by leaf and by block: the quality of the classifier, before any text is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...gold.leaf_labels import label_leaves
from ...gold.pages import CONTENT, UNCERTAIN, GoldPage
from ...page.arrays import Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.blocks import text_blocks
from .overlap import overlap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafReference:
    """Reference labels of a page's text leaves."""

    content: Marks  # bool (leaves,)
    #: bool (leaves,): False for leaves that are invisible, uncertain, or without a label: they are not counted.
    known: Marks
    #: int32 (leaves,): The paragraph of each leaf (:func:`~blocksight.segment.blocks.text_blocks`).
    block: NDArray[np.int32]
    length: NDArray[np.float64]  # float64 (leaves,): Characters other than white space


class Confusion(NamedTuple):
    """Right and wrong decisions as shares."""

    accuracy: float
    precision: float
    recall: float
    f1: float


def leaf_reference(page: Page, gold: GoldPage) -> LeafReference | None:
    """Return the reference labels of a page's leaves (:func:`~blocksight.gold.leaf_labels.label_leaves`).

    They are derived from labels of nodes, else from the gold text; None without either. Labels derived from a text are
    good for comparing classifiers with each other; manual labels of leaves are closer to the truth.
    """
    if not (gold.nodes.texts or gold.texts):
        return None
    label = label_leaves(page, gold)
    length = np.asarray([len("".join(text.split())) for text in page.leaf_texts], dtype=np.float64)
    known = (label != UNCERTAIN) & ~invisible_leaves(page)
    return LeafReference(content=label == CONTENT, known=known, block=text_blocks(page).leaf_block, length=length)


def leaf_confusion(prediction: Marks, reference: LeafReference) -> Confusion:
    """Compare leaves: each is one decision, as in KrdWrd's evaluation of text nodes (Steger and Stemle, WAC5 2009)."""
    return _confusion(prediction[reference.known], reference.content[reference.known])


def block_confusion(prediction: Marks, reference: LeafReference) -> Confusion:
    """Compare paragraphs: each is content if at least half of its characters are."""
    return _confusion(_block_labels(prediction, reference), _block_labels(reference.content, reference))


def _block_labels(marks: Marks, reference: LeafReference) -> Marks:
    inside = reference.known & (reference.block >= 0)
    block, length = reference.block[inside], reference.length[inside]
    total = np.bincount(block, weights=length)
    content = np.bincount(block, weights=length * marks[inside])
    labels: Marks = content[total > 0] * 2 >= total[total > 0]
    return labels


def _confusion(prediction: Marks, reference: Marks) -> Confusion:
    shared = overlap(float((prediction & reference).sum()), float(prediction.sum()), float(reference.sum()))
    accuracy = float((prediction == reference).mean()) if len(prediction) else 1.0
    return Confusion(accuracy, *shared)
