"""Segmentations against content, on four leaves of ten characters."""

import numpy as np
import pytest
from blocksight.compare.segmentation.content_fit import content_fit
from blocksight.segment.blocks import Blocks

LENGTH = np.full(4, 10.0)
CONTENT = np.asarray([False, True, True, True])


def blocks(parent, leaf_block):
    count = len(parent)
    return Blocks(
        parent=np.asarray(parent, dtype=np.int32),
        node=np.zeros(count, dtype=np.int32),
        doc=np.zeros(count, dtype=np.int16),
        leaf_block=np.asarray(leaf_block, dtype=np.int32),
        box=np.full((count, 4), np.nan, dtype=np.float32),
    )


def test_one_block_for_all():
    found = content_fit(blocks([-1], [0, 0, 0, 0]), CONTENT, LENGTH)
    assert (found.blocks, found.purity, found.completeness, found.good_blocks) == (1, 0, 1, 0)
    assert found.best_blocks == found.best_node == pytest.approx(2 * 30 / (40 + 30))


def test_a_tree_with_the_content_in_an_inner_block():
    # Root 0 with leaf 1 (boilerplate) and node 2 with leaves 3 and 4.
    found = content_fit(blocks([-1, 0, 0, 2, 2], [1, 3, 3, 4]), CONTENT, LENGTH)
    assert (found.blocks, found.purity, found.completeness) == (3, 1, pytest.approx(2 / 3))
    assert found.good_blocks == found.best_blocks == found.best_node == 1


def test_a_mixed_block_and_a_good_one():
    found = content_fit(blocks([-1, -1], [0, 0, 1, 1]), CONTENT, LENGTH)
    assert (found.purity, found.completeness) == (0.5, pytest.approx(2 / 3))
    assert found.good_blocks == pytest.approx(2 * 20 / (20 + 30))
    # Both together: 30 of 40 are right. The good one alone: 20 of 20.
    assert found.best_blocks == pytest.approx(2 * 30 / (40 + 30))
    assert found.best_node == pytest.approx(0.8)


def test_what_is_not_known_does_not_count():
    found = content_fit(blocks([-1, -1], [0, 0, 1, 1]), CONTENT, np.asarray([0.0, 10, 10, 10]))
    assert (found.purity, found.good_blocks) == (1, 1)


def test_no_content():
    with pytest.raises(ValueError, match="without content"):
        content_fit(blocks([-1], [0, 0, 0, 0]), np.zeros(4, dtype=bool), LENGTH)
