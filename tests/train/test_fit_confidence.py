"""Fitting of the confidence on pages that are made so that the answer is known."""

import numpy as np
import pytest
from blocksight.classify.model.confidence import COLUMNS
from blocksight.train.fit_confidence import JudgedPage, fit_confidence, rank_correlation, reliability


def pages(count=600, noise=0.03, seed=1):
    """Return pages whose F1 follows from the first column, which is too low by a third; the others are noise."""
    random = np.random.default_rng(seed)
    expected = random.uniform(0.1, 1.0, count)
    rows = random.normal(size=(count, len(COLUMNS)))
    rows[:, 0] = expected * 2 / 3
    f1 = np.clip(expected + random.normal(0, noise, count), 0, 1)
    return [JudgedPage(columns=row, f1=float(value)) for row, value in zip(rows, f1, strict=True)]


def test_the_confidence_of_unseen_pages_is_calibrated():
    some = pages()
    confidence, known = fit_confidence(some, np.arange(len(some)) % 3)
    f1 = np.asarray([page.f1 for page in some])
    assert rank_correlation(known, f1) > 0.9
    assert np.abs(known - f1).mean() < 0.06
    for row in reliability(known, f1, (0.0, 0.3, 0.6, 0.8, 1.01)):
        assert row["confidence"] == pytest.approx(row["f1"], abs=0.06)
    others = pages(seed=2)
    fresh = confidence.of(np.stack([page.columns for page in others]))
    assert fresh == pytest.approx([page.f1 for page in others], abs=0.3)
    assert abs(fresh.mean() - np.mean([page.f1 for page in others])) < 0.03


def test_the_map_ascends_from_0_to_1():
    some = pages(120)
    knots = fit_confidence(some, np.arange(120) % 2)[0].knots
    assert knots[:, 0].tolist() == [0, 0]
    assert knots[:, -1].tolist() == [1, 1]
    assert (np.diff(knots[0]) > 0).all()
    assert (np.diff(knots[1]) >= 0).all()


def test_pages_of_one_fold_cannot_be_fitted():
    with pytest.raises(ValueError, match="two sites"):
        fit_confidence(pages(20), np.zeros(20, dtype=np.int64))


def test_the_table_of_reliability_by_hand():
    table = reliability(np.asarray([0.1, 0.3, 0.95]), np.asarray([0.2, 0.6, 1.0]), (0.0, 0.5, 1.01))
    assert table == [
        {"from": 0.0, "to": 0.5, "pages": 2.0, "confidence": 0.2, "f1": 0.4, "wrong": 0.5},
        {"from": 0.5, "to": 1.0, "pages": 1.0, "confidence": 0.95, "f1": 1.0, "wrong": 0.0},
    ]
