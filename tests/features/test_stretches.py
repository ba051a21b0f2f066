"""The search for the best stretch, against all pairs."""

import numpy as np
import pytest
from blocksight.features.stretches import Ties, best_stretch, maximal_stretches


@pytest.mark.parametrize(
    ("values", "stretch"),
    [([-1, 2, -1, 3, -5], (1, 4)), ([-1, -2], (0, 0)), ([], (0, 0)), ([1], (0, 1)), ([3, -5, 4], (2, 3))],
)
def test_by_hand(values, stretch):
    assert [best_stretch(np.asarray(values, dtype=float), ties) for ties in Ties] == [stretch] * 3


def test_no_stretch_without_a_gain():
    for ties in Ties:
        assert best_stretch(np.array([-1.0, 0.0, -2.0]), ties) == (0, 0)
        assert best_stretch(np.zeros(0), ties) == (0, 0)


def test_best_stretches_by_all_pairs():
    random = np.random.default_rng(1)
    for _ in range(300):
        scores = random.integers(-3, 3, random.integers(1, 12)).astype(float)
        pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores) + 1)]
        most = max(scores[i:j].sum() for i, j in pairs)
        best = [(i, j) for i, j in pairs if scores[i:j].sum() == most > 0] or [(0, 0)]
        assert best_stretch(scores, Ties.SHORTEST) == min(best, key=lambda pair: (pair[1] - pair[0], pair))
        assert best_stretch(scores, Ties.LONGEST) == min(best, key=lambda pair: (pair[0] - pair[1], pair))
        assert best_stretch(scores, Ties.FIRST) == min(best, key=lambda pair: (pair[1], pair[0]))


def maximal(scores, low, high):
    """All maximal stretches by their definition: the best one, then those on its two sides."""
    pairs = [(scores[i:j].sum(), i, j) for i in range(low, high) for j in range(i + 1, high + 1)]
    most = max(pairs, default=(0.0, 0, 0))
    if most[0] <= 0:
        return []
    return [*maximal(scores, low, most[1]), most[1:], *maximal(scores, most[2], high)]


def test_maximal_stretches_by_their_definition():
    random = np.random.default_rng(2)
    for _ in range(300):
        scores = random.normal(0, 1, random.integers(1, 12))
        found = [(start, stop) for _, start, stop in maximal_stretches(scores)]
        assert found == maximal(scores, 0, len(scores))
