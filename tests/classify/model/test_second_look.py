"""The second look at a page, worked out by hand."""

import math
from types import SimpleNamespace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.second_look import CLIP, NAMES, SEEN_NAMES, seen_features, stacked_features
from blocksight.features.rows import rows_of


def counts_of(html):
    page = bs.parse(html)
    return rows_of(page, bs.text_blocks(page))


PAGE = "<p>one two three four</p><p>five six</p><p>seven eight</p>"


def test_each_block_is_told_of_its_region(monkeypatch):
    leaf_blocks = {5: np.array([0, 0, 1]), 8: np.array([0, 1, 2])}
    monkeypatch.setattr(
        "blocksight.classify.model.second_look.vips",
        lambda page, *, pdoc: SimpleNamespace(leaf_block=leaf_blocks[pdoc]),
    )
    found = dict(zip(SEEN_NAMES, seen_features(counts_of(PAGE), np.array([1.0, -0.5, 0.5])).T, strict=True))
    # Blocks weigh by their words: (4 · 1 - 2 · 0.5) / 6 in the first region, which has 4 of 5 of the positive mass.
    assert found["first_vips5_mean"].tolist() == pytest.approx([0.5, 0.5, 0.5])
    assert found["first_vips5_share"].tolist() == pytest.approx([0.8, 0.8, 0.2])
    assert found["first_vips5_size_log"].tolist() == pytest.approx([math.log(3), math.log(3), math.log(2)])
    assert found["first_vips5_others"].tolist() == pytest.approx([-0.5, 1.0, -CLIP])
    assert found["first_vips8_mean"].tolist() == pytest.approx([1.0, -0.5, 0.5])


def test_every_column_has_its_name_also_without_blocks():
    for html in ("<p>", PAGE):
        counts = counts_of(html)
        assert stacked_features(counts, np.zeros(len(counts))).shape == (len(counts), len(NAMES))
    assert seen_features(counts_of("<p>"), np.zeros(0)).shape == (0, len(SEEN_NAMES))
