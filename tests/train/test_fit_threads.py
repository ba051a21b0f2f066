"""The choice of posts is fitted to pages on which they gain or lose."""

import numpy as np
import pytest
from blocksight.classify.model.thread_model import ThreadModel, load_threads
from blocksight.errors import ModelMismatch, ModelMissing
from blocksight.train.fit_threads import LEAST, ThreadPage, cross_validated, fit_threads


def pages(count=20):
    """Pages that are better with posts where most of them are dated; each is of a site of its own."""
    return [
        ThreadPage(facts={"dated": float(n % 2), "few": 0.0}, gain=0.3 if n % 2 else -0.3, site=f"{n}.org")
        for n in range(count)
    ]


def test_fit_threads_learns_what_gains():
    model = fit_threads(pages())
    assert model.names == ("dated", "few")
    assert model.probability({"dated": 1.0, "few": 0.0}) > 0.55
    assert model.probability({"dated": 0.0, "few": 0.0}) < 0.45


def test_fit_threads_needs_both_outcomes():
    with pytest.raises(ValueError, match="better with their posts"):
        fit_threads([page for page in pages() if page.gain > 0])
    small = ThreadPage(facts={"dated": 0.0, "few": 0.0}, gain=-LEAST / 2, site="a.org")
    with pytest.raises(ValueError, match="better with their posts"):
        fit_threads([*(page for page in pages() if page.gain > 0), small])


def test_cross_validated_takes_gains_alone():
    assert cross_validated(pages()).tolist() == [0.0, 0.3] * 10


def test_probability_by_hand():
    model = ThreadModel(
        names=("dated",), mean=np.array([0.5]), deviation=np.array([0.5]), weight=np.array([2.0]), bias=-1.0
    )
    assert model.probability({"dated": 1.0}) == pytest.approx(1 / (1 + np.exp(-1.0)))
    # Facts are clipped at six deviations: 2 · 6 - 1.
    assert model.probability({"dated": 99.0}) == pytest.approx(1 / (1 + np.exp(-11.0)))


@pytest.mark.parametrize("damage", [{"deviation": np.zeros(2)}, {"weight": np.zeros(1)}, {"mean": np.full(2, np.nan)}])
def test_load_threads_damaged(tmp_path, damage):
    parts = {"names": ("a", "b"), "mean": np.zeros(2), "deviation": np.ones(2), "weight": np.ones(2), "bias": 0.5}
    ThreadModel(**parts).save(tmp_path / "m.npz", {})
    assert load_threads(tmp_path / "m.npz").weight.tolist() == [1.0, 1.0]
    ThreadModel(**(parts | damage)).save(tmp_path / "m.npz", {})
    with pytest.raises(ModelMismatch, match="damaged"):
        load_threads(tmp_path / "m.npz")
    with pytest.raises(ModelMissing):
        load_threads(tmp_path / "none.npz")
