"""The search for the best stretches, against all pairs."""

import numpy as np
import pytest
from blocksight.features.stretches import Ties, best_stretch, maximal_stretches


@pytest.mark.parametrize(
    ("values", "stretch"),
    [([-1, 2, -1, 3, -5], (1, 4)), ([-1, -2], (0, 0)), ([], (0, 0)), ([1], (0, 1)), ([3, -5, 4], (2, 3))],
)
def test_best_stretch_few_members(values, stretch):
    assert [best_stretch(np.asarray(values, dtype=float), ties) for ties in Ties] == [stretch] * 3


def test_best_stretch_all_pairs():
    random = np.random.default_rng(1)
    for _ in range(300):
        scores = random.integers(-3, 3, random.integers(1, 12)).astype(float)
        pairs = [(i, j) for i in range(len(scores)) for j in range(i + 1, len(scores) + 1)]
        most = max(scores[i:j].sum() for i, j in pairs)
        best = [(i, j) for i, j in pairs if scores[i:j].sum() == most > 0] or [(0, 0)]
        assert best_stretch(scores, Ties.SHORTEST) == min(best, key=lambda pair: (pair[1] - pair[0], pair))
        assert best_stretch(scores, Ties.LONGEST) == min(best, key=lambda pair: (pair[0] - pair[1], pair))
        assert best_stretch(scores, Ties.FIRST) == min(best, key=lambda pair: (pair[1], pair[0]))


def test_best_stretch_start_without_gain():
    # Thirteen words, four tags at -3.25, twenty words. Figure 1 of MSS starts anew below zero only.
    scores = np.array([1.0] * 13 + [-3.25] * 4 + [1.0] * 20)
    assert best_stretch(scores, Ties.FIRST) == (0, 37)
    assert best_stretch(scores, Ties.SHORTEST) == (17, 37)
    assert [stretch[1:] for stretch in maximal_stretches(scores)] == [(0, 13), (17, 37)]


def maximal(scores, low, high, ends):
    """All maximal stretches by their definition: the best one, then those on its two sides."""
    pairs = [
        (scores[i:j].sum(), i, j) for i in range(low, high) for j in range(i + 1, high + 1) if ends[i] and ends[j - 1]
    ]
    most = max(pairs, default=(0.0, 0, 0))
    if most[0] <= 0:
        return []
    return [*maximal(scores, low, most[1], ends), most[1:], *maximal(scores, most[2], high, ends)]


def test_maximal_stretches_definition():
    random = np.random.default_rng(2)
    for _ in range(300):
        scores = random.normal(0, 1, random.integers(1, 12))
        found = [(start, stop) for _, start, stop in maximal_stretches(scores)]
        assert found == maximal(scores, 0, len(scores), np.ones(len(scores), dtype=bool))


def test_maximal_stretches_given_ends():
    # The gap between the first two members that may be ends is worth as much as the second costs.
    assert maximal_stretches(np.array([-1.0, 5.0, 2.0]), np.array([True, False, True])) == [(6.0, 0, 3)]
    random = np.random.default_rng(4)
    for _ in range(500):
        scores = random.normal(0, 1, random.integers(1, 14))
        ends = random.random(len(scores)) < 0.5
        found = [(start, stop) for _, start, stop in maximal_stretches(scores, ends)]
        assert found == maximal(scores, 0, len(scores), ends)


@pytest.mark.parametrize("score", [0.0, -1.0])
def test_maximal_stretches_member_without_gain(score):
    assert maximal_stretches(np.array([score]), np.array([True])) == []
