"""Blocks neither too long nor too short, on pages small enough to read."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.semantic import relations, semantic_blocks


def texts(page, blocks):
    return [" ".join(page.leaf_texts[leaf].strip() for leaf in blocks.leaves_of(row)) for row in range(len(blocks))]


def cut(html, **sizes):
    page = bs.parse(html)
    return texts(page, semantic_blocks(page, **sizes))


def test_short_blocks_of_one_element_are_joined():
    assert cut("<ul><li>one<li>two<li>three</ul>", least=4) == ["one two", "three"]
    assert cut("<ul><li>one<li>two<li>three</ul>", least=4, most=5) == ["one", "two", "three"]


def test_long_enough_blocks_stay_apart():
    assert cut("<p>abcdefgh</p><p>ijklmnop</p>", least=8) == ["abcdefgh", "ijklmnop"]


def test_a_heading_goes_with_what_follows():
    found = cut("<p>before</p><h2>Title</h2><p>after</p><p>later</p>", least=40)
    assert found == ["before", "Title after later"]


def test_only_whole_elements_are_joined():
    # The section's last paragraph is short, but the section begins with a long one: it is not taken to pieces.
    found = cut("<section><p>abcdefghijkl</p><h3>t</h3><p>x</p></section><p>y</p>", least=4)
    assert found == ["abcdefghijkl", "t x", "y"]
    assert cut("<div><div><p>x</p></div></div><p>y</p>", least=4) == ["x y"]


def test_the_deepest_are_joined_first():
    assert cut("<p>a</p><ul><li>b<li>c</ul><p>d</p>", least=3, most=3) == ["a b c", "d"]
    assert cut("<p>a</p><ul><li>b<li>c</ul><p>d</p>", least=2, most=2) == ["a", "b c", "d"]


def test_a_paragraph_that_is_too_long_is_cut_at_its_breaks():
    assert cut("<p>abcd<br>ef<br>ghij<br>kl</p>", least=4, most=7) == ["abcd", "ef ghij", "kl"]


def paragraphs(*boxes, tag="p"):
    return ("body", (0, 0, 800, 1000), [(tag, box, [("text", box, *look)]) for box, *look in boxes])


@pytest.mark.parametrize(
    ("second", "count"),
    [
        (((0, 30, 200, 20),), 1),
        (((0, 60, 200, 20),), 2),  # 40 pixels of white space, two and a half font sizes
        (((300, 0, 200, 20),), 2),
        (((0, 30, 200, 20), {"size": 24}), 2),  # larger than what goes before
        (((0, 30, 200, 20), {"size": 12}), 1),  # smaller: the first is its heading
        (((0, 30, 200, 20), {"ground": 0xDDDDDDFF}), 2),
    ],
)
def test_blocks_that_look_alike_and_are_near_belong_together(boxed, second, count):
    assert len(semantic_blocks(boxed(paragraphs(((0, 0, 200, 20),), second)))) == count


def test_blocks_cover_all_leaves_within_their_elements(fixtures):
    for path in fixtures.glob("*/*.html"):
        page = bs.parse(path.read_bytes())
        blocks = semantic_blocks(page)
        assert (np.diff(blocks.leaf_block) >= 0).all()
        for row in range(len(blocks)):
            rows = page.leaves[blocks.leaf_block == row]
            assert blocks.node[row] < rows[0]
            assert page.end[blocks.node[row]] > rows[-1]


def test_relations(boxed):
    page = boxed(paragraphs(((0, 0, 100, 20),), ((130, 60, 104, 20),), ((0, 500, 300, 20),)))
    found = relations(bs.text_blocks(page), np.array([0, 0, 1]), np.array([1, 2, 1]))
    assert found.distance.tolist() == [50, 480, 0]
    assert found.offset.tolist() == [130, 0, 0]
    assert found.same_width.tolist() == [True, False, True]


def test_sizes_out_of_order():
    with pytest.raises(ValueError, match="least"):
        semantic_blocks(bs.parse("<p>a"), least=10, most=5)
    assert len(semantic_blocks(bs.parse("<div></div>"))) == 0
