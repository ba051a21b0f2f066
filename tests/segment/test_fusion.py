"""Fused segmentations, by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.blocks import flat_blocks
from blocksight.segment.fusion import _disagreements, fuse, fused_blocks


@pytest.fixture
def page():
    return bs.parse("<p>aa</p><p>bb</p><p>cc</p><p>dd</p>")


def cut(page, *leaf_block):
    held = np.asarray(leaf_block, dtype=np.int32)
    return flat_blocks(page, np.zeros(held.max() + 1, dtype=np.int32), held)


def test_disagreement_is_the_share_that_keeps_two_apart():
    kinds = np.asarray([[0, 0], [0, 1], [1, -1], [-1, -1]], dtype=np.int32)
    assert _disagreements(kinds)[0].tolist() == [0, 0.5, 1, 1]
    # Outside of all blocks nothing is together.
    assert _disagreements(kinds)[3, 2] == 1


def test_two_of_three_votes_keep_together(page):
    three = [cut(page, 0, 0, 1, 1), cut(page, 0, 0, 1, 2), cut(page, 0, 1, 2, 3)]
    # a and b: two votes; c and d: one.
    assert fuse(page, three, votes=2).leaf_block.tolist() == [0, 0, 1, 2]
    assert fuse(page, three, votes=1).leaf_block.tolist() == [0, 0, 1, 1]
    assert fuse(page, three, votes=3).leaf_block.tolist() == [0, 1, 2, 3]


def test_a_cluster_is_joined_by_its_mean(page):
    # a with b: all agree. c goes with a and b in one of two, which is less than one and a half.
    two = [cut(page, 0, 0, 0, 1), cut(page, 0, 0, 1, 2)]
    assert fuse(page, two, votes=2).leaf_block.tolist() == [0, 0, 1, 2]
    assert fuse(page, two, votes=1).leaf_block.tolist() == [0, 0, 0, 1]


def test_long_texts_weigh_more():
    page = bs.parse(f"<p>{'a' * 90}</p><p>b</p><p>cc</p>")
    # b is with a everywhere; c is with a never and with b once in four: their mean is 91 parts of a hundred apart.
    four = [cut(page, 0, 0, 1)] * 3 + [cut(page, 0, 1, 1)]
    assert fuse(page, four, votes=1).leaf_block.tolist() == [0, 0, 1]


def test_one_segmentation_is_its_own_fusion(page):
    assert fuse(page, [cut(page, 0, 1, 1, 2)], votes=1).leaf_block.tolist() == [0, 1, 1, 2]


def test_text_outside_of_all_blocks_stays_outside(page):
    assert fuse(page, [cut(page, 0, -1, 0, 1)], votes=1).leaf_block.tolist() == [0, -1, 0, 1]
    assert len(fuse(page, [cut(page, -1, -1, -1, -1)], votes=1)) == 0


def test_many_kinds_are_joined_along_the_document():
    page = bs.parse("".join(f"<p>{number}</p>" for number in range(3000)))
    three = [cut(page, *(number // size for number in range(3000))) for size in (1, 300, 600)]
    assert len(fuse(page, three, votes=2)) == 10


def test_votes_are_one_to_all(page):
    for votes in (0, 2):
        with pytest.raises(ValueError, match="votes must be 1"):
            fuse(page, [cut(page, 0, 0, 0, 0)], votes=votes)


def test_the_methods_are_fused(boxed):
    def paragraph(text, y):
        return ("p", (0, y, 300, 20), [(text, (0, y, 300, 20))])

    page = boxed(("body", (0, 0, 800, 1000), [paragraph(f"text {y}", y) for y in (0, 24, 48, 600, 624, 648)]))
    assert fused_blocks(page).leaf_block.tolist() == [0, 0, 0, 1, 1, 1]
