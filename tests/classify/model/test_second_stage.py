"""The second-stage columns of a page, computed manually."""

import math

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.second_stage import CLIP, COLUMNS, TREE_COLUMNS, VIPS_COLUMNS, second_stage_columns
from blocksight.features.rows import rows_of


def counts_of(html):
    page = bs.parse(html)
    return rows_of(page, bs.text_blocks(page))


PAGE = "<p>one two three four</p><p>five six</p><p>seven eight</p>"


def test_each_block_knows_its_region(monkeypatch):
    leaf_blocks = {5: np.array([0, 0, 1]), 8: np.array([0, 1, 2])}
    monkeypatch.setattr(
        "blocksight.classify.model.second_stage.blocks_of_leaves",
        lambda page, degrees: [leaf_blocks[degree] for degree in degrees],
    )
    scores = np.array([1.0, -0.5, 0.5])
    found = dict(zip(VIPS_COLUMNS, second_stage_columns(counts_of(PAGE), scores, VIPS_COLUMNS).T, strict=True))
    # Blocks weigh by their words: (4 · 1 - 2 · 0.5) / 6 in the first region, which has 4 of 5 of the positive mass.
    assert found["first_vips5_mean"].tolist() == pytest.approx([0.5, 0.5, 0.5])
    assert found["first_vips5_share"].tolist() == pytest.approx([0.8, 0.8, 0.2])
    assert found["first_vips5_size_log"].tolist() == pytest.approx([math.log(3), math.log(3), math.log(2)])
    assert found["first_vips5_others"].tolist() == pytest.approx([-0.5, 1.0, -CLIP])
    assert found["first_vips8_mean"].tolist() == pytest.approx([1.0, -0.5, 0.5])


def test_columns_come_by_name_and_in_the_order_asked_for():
    counts, scores = counts_of(PAGE), np.array([1.0, -0.5, 9.0])
    whole = dict(zip(TREE_COLUMNS, second_stage_columns(counts, scores, TREE_COLUMNS).T, strict=True))
    assert whole["first_score"].tolist() == [1.0, -0.5, CLIP]
    assert whole["first_at+1"].tolist() == [-0.5, CLIP, -CLIP]
    assert whole["first_rank"].tolist() == pytest.approx([1 / 3, 2 / 3, 0])
    some = second_stage_columns(counts, scores, ("first_rank", "first_score"))
    assert some.tolist() == np.stack([whole["first_rank"], whole["first_score"]], axis=1).tolist()


def test_a_page_without_blocks():
    assert second_stage_columns(counts_of("<p>"), np.zeros(0), COLUMNS).shape == (0, len(COLUMNS))


def test_vips_runs_only_for_its_columns(monkeypatch):
    monkeypatch.delattr("blocksight.classify.model.second_stage.blocks_of_leaves")
    assert second_stage_columns(counts_of(PAGE), np.zeros(3), TREE_COLUMNS).shape == (3, len(TREE_COLUMNS))
