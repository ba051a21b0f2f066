"""Boosted trees of the adaptive cut: their sum, their file, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from blocksight.errors import ModelMismatch, ModelMissing
from blocksight.files.npz import write_npz
from blocksight.segment.vips import adaptive_cut
from blocksight.segment.vips.adaptive_cut import KIND, CutTrees, load_trees, save_trees, shipped_trees
from blocksight.segment.vips.cut_features import FEATURES


def two_trees():
    """One tree asks for feature 1 and, if that is large, for feature 0; the other is a leaf."""
    return CutTrees(
        feature=np.asarray([1, -1, 0, -1, -1, -1], dtype=np.int16),
        threshold=np.asarray([5.0, 0, 2.0, 0, 0, 0]),
        children=np.asarray([[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1], [-1, -1]], dtype=np.int32),
        value=np.asarray([0.0, 1.0, 0.0, 10.0, 100.0, 0.25]),
        root=np.asarray([0, 5], dtype=np.int32),
        base=-0.5,
    )


def test_score_sums_leaves():
    features = np.asarray([[0.0, 5.0], [2.0, 5.1], [2.1, 5.1]])
    # A value equal to the threshold goes to the lower child. -.5 + .25 are added to each.
    assert two_trees().score(features).tolist() == [0.75, 9.75, 99.75]
    assert two_trees().score(features[:0]).tolist() == []


@pytest.mark.parametrize("child", [0, 2, 6, -1])
def test_cut_trees_refuse_children_before_parents(child):
    trees = two_trees()
    children = trees.children.copy()
    children[2, 1] = child
    with pytest.raises(ModelMismatch, match="child"):
        replace(trees, children=children)


@pytest.mark.parametrize(
    "column",
    [
        {"feature": np.asarray([len(FEATURES), -1, 0, -1, -1, -1], dtype=np.int16)},
        {"root": np.asarray([6], dtype=np.int32)},
        {"root": np.asarray([-1], dtype=np.int32)},
        {"root": np.asarray([[0]], dtype=np.int32)},
        {"threshold": np.zeros(5)},
        {"value": np.full(6, np.nan)},
        {"children": np.zeros((6, 2))},
        {"children": np.zeros((6, 3), dtype=np.int32)},
        {"base": np.inf},
    ],
)
def test_cut_trees_refuse_damaged_columns(column):
    with pytest.raises(ModelMismatch):
        replace(two_trees(), **column)


def test_load_trees_as_saved(tmp_path):
    save_trees(two_trees(), tmp_path / "cut.npz")
    again = load_trees(tmp_path / "cut.npz")
    assert again.score(np.asarray([[2.1, 5.1]])).tolist() == [99.75]
    assert again.feature.dtype == np.int16


def test_load_trees_refuses_other_features(tmp_path, monkeypatch):
    path = tmp_path / "cut.npz"
    save_trees(two_trees(), path)
    monkeypatch.setattr(adaptive_cut, "FEATURES", FEATURES[1:])
    with pytest.raises(ModelMismatch, match="other features"):
        load_trees(path)
    with pytest.raises(ModelMissing):
        load_trees(tmp_path / "none.npz")
    write_npz(path, replace(KIND, version=2), {}, {})
    with pytest.raises(ModelMismatch, match="another version"):
        load_trees(path)


def test_shipped_trees():
    trees = shipped_trees()
    assert trees.feature.max() < len(FEATURES)
    assert np.isfinite(trees.value).all()
    assert shipped_trees() is trees
