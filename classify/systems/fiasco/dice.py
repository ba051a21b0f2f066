"""FIASCO's way from gold text to labels: word overlap of gold paragraphs with the text below every node."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....features.words import words
from ....render.arrays import Marks, prefix_sums
from ....render.page import Page
from ....render.visibility import concealed

#: The node that overlaps most with a gold paragraph is clean if it does so at least this much.
LEAST_DICE = 0.5
#: Gold paragraphs of fewer words are found everywhere.
LEAST_WORDS = 2


def clean_leaves(page: Page, gold: str, *, least: float = LEAST_DICE) -> Marks:
    """Mark the text below the node that matches each gold paragraph best.

    The Dice coefficient of two bags of words is twice the words in common over the words of both. What is inside a
    clean node is clean (FIASCO, after KrdWrd's description of 2009). Ours: the threshold, and that of all nodes only
    the best one is taken.

    Parameters
    ----------
    page : Page
    gold : str
        One paragraph a line.
    least : float
        Dice from which on the best node is clean.
    """
    clean = np.zeros(len(page), dtype=bool)
    paragraphs = [found for found in map(words, gold.splitlines()) if len(found) >= LEAST_WORDS]
    if not paragraphs or not len(page.leaves):
        return clean[page.leaves]
    known = {word: number for number, word in enumerate(sorted({word for found in paragraphs for word in found}))}
    nodes, bags, sizes = _bags(page, known)
    for found in paragraphs:
        numbers, amounts = np.unique([known[word] for word in found], return_counts=True)
        common = np.minimum(bags[:, numbers], amounts).sum(axis=1)
        dice = 2 * common / (sizes + len(found))
        clean[nodes[dice >= max(least, float(dice.max()))]] = True
    marks: Marks = page.below(clean)[page.leaves] & ~concealed(page)
    return marks


def _bags(page: Page, known: dict[str, int]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the nodes with text, how often each known word stands below them, and how many words do."""
    hidden = concealed(page)
    counts = np.zeros((len(page.leaves), len(known)), dtype=np.int32)
    sizes = np.zeros(len(page.leaves), dtype=np.int64)
    for leaf, text in enumerate(page.leaf_texts):
        found = [] if hidden[leaf] else words(text)
        sizes[leaf] = len(found)
        np.add.at(counts[leaf], [known[word] for word in found if word in known], 1)
    number, size = prefix_sums(counts), prefix_sums(sizes)
    # Of nodes around the same text one is enough.
    ranges, nodes = np.unique(page.leaf_range, axis=0, return_index=True)
    some = ranges[:, 1] > ranges[:, 0]
    first, last = ranges[some].T
    return nodes[some], number[last] - number[first], size[last] - size[first]
