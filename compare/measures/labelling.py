"""Marks against reference labels of leaves: the quality of the classifier, before any text is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ...gold.leaf_labels import label_leaves
from ...gold.pages import CONTENT, UNCERTAIN, GoldPage
from ...page.arrays import Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from .overlap import overlap


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafReference:
    """Reference labels of a page's text leaves."""

    content: Marks  # bool (leaves,)
    #: bool (leaves,): False for leaves that are invisible, uncertain, or without a label: they are not counted.
    known: Marks


class Confusion(NamedTuple):
    """Right and wrong decisions as shares."""

    accuracy: float
    p: float  # precision
    r: float  # recall
    f1: float


def leaf_reference(page: Page, gold: GoldPage) -> LeafReference | None:
    """Return the reference labels of a page's leaves (:func:`~blocksight.gold.leaf_labels.label_leaves`).

    They are derived from labels of nodes, else from the gold text; None without either. Labels derived from a text are
    good for comparing classifiers with each other; manual labels of leaves are closer to the truth.
    """
    if not (gold.nodes.texts or gold.texts):
        return None
    label = label_leaves(page, gold)
    known = (label != UNCERTAIN) & ~invisible_leaves(page)
    return LeafReference(content=label == CONTENT, known=known)


def leaf_confusion(prediction: Marks, reference: LeafReference) -> Confusion:
    """Compare leaves: each is one decision, as in KrdWrd's evaluation of text nodes (Steger and Stemle, WAC5 2009)."""
    marked, content = prediction[reference.known], reference.content[reference.known]
    shared = overlap(float((marked & content).sum()), float(marked.sum()), float(content.sum()))
    return Confusion(float((marked == content).mean()) if len(marked) else 1.0, *shared)
