"""VIPS goes by what is seen, not by tags and boxes alone; and what holds of its tree on any page."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.vips.extraction import DivideAction, Extractor
from blocksight.segment.vips.rules import Thresholds
from blocksight.segment.vips.separators import Weights, find_separators
from generators.boxed_nodes import body, line, node_of, outer_rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

WHITE, GREY, BLUE = 0xFFFFFFFF, 0xDDDDDDFF, 0x0000FFFF


def texts_of(page, items):
    return [[page.text_of(row).strip() for row in page.leaves if item.node <= row < item.end] for item in items]


def test_r3_the_root_of_a_block_is_always_divided(boxed):
    # R9 keeps the small div when it is one of several blocks. As the root of its own block it is cut: the published
    # port forgets that flag after the first round and never comes to an end below it.
    inner = ("div", (0, 0, 400, 60), [line("a", 0), ("p", (0, 40, 400, 20), [line("b", 40)])])
    page = boxed(body(inner))
    extractor = Extractor(page, Thresholds(relative_size=1000))
    node = node_of(page, "div")
    assert extractor.decide((node,)).action is DivideAction.KEEP
    assert texts_of(page, extractor.divide(extractor.item((node,), 8))) == [["a"], ["b"]]


def test_r8_keeps_every_child_of_another_background(boxed):
    cells = [("td", (x, 0, 200, 300), [line(str(x), 0, x, 200)], {"ground": ground}) for x, ground in CELLS]
    page = boxed(body(("tr", (0, 0, 800, 300), cells, {"ground": WHITE})))
    assert len(Extractor(page, Thresholds(relative_size=0)).kept_children(node_of(page, "tr"))) == 2


CELLS = ((0, GREY), (200, WHITE), (400, BLUE))


@pytest.mark.parametrize(("display", "rule"), [("table-cell", 13), ("block", 12)])
def test_a_cell_is_what_is_laid_out_as_one(boxed, display, rule):
    large = [("div", (0, y, 400, 200), [line(str(y), y), line("x", y + 180)]) for y in (0, 220)]
    page = boxed(body(("section", (0, 0, 400, 420), large, {"display": display})))
    assert Extractor(page, Thresholds(relative_size=20)).decide((node_of(page, "section"),)).rule == rule


@pytest.mark.parametrize("height", [600, 12_000])
@pytest.mark.parametrize(("line_height", "rule"), [(20, 9), (10, 10)])
def test_sizes_are_relative_to_lines_not_to_the_page(boxed, height, line_height, rule):
    # 400 × 60 pixels are 60 squares of 20 pixels, 240 of 10.
    texts = [(str(y), (0, y, 400, line_height)) for y in (0, 60 - line_height)]
    inner = ("div", (0, 0, 400, 60), [texts[0], ("p", (0, 60 - line_height, 400, line_height), [texts[1]])])
    far = ("p", (0, height - 20, 400, 20), [line("far", height - 20)])
    page = boxed(("body", (0, 0, 800, height), [inner, far]), size=(800.0, float(height)))
    assert Extractor(page, Thresholds(relative_size=100)).decide((node_of(page, "div"),)).rule == rule


def test_text_side_by_side_is_one_anonymous_paragraph(boxed):
    run = (line("one", 0, 0, 100), ("a", (100, 0, 60, 20), [line("two", 0, 100, 60)]), line("three", 0, 160, 90))
    page = boxed(body(("p", (0, 0, 800, 60), [*run, ("div", (0, 40, 400, 20), [line("four", 40)])])))
    extractor = Extractor(page, Thresholds(relative_size=200))
    pool = extractor.divide(extractor.item((node_of(page, "p"),), 5))
    assert texts_of(page, pool) == [["one", "two", "three"], ["four"]]
    assert [item.doc for item in pool] == [10, 10]
    assert pool[0].box == (0, 0, 250, 20)


def test_no_coherence_cuts_a_paragraph(boxed):
    bold = ("b", (100, 0, 60, 20), [line("two", 0, 100, 60, weight=700)])
    page = boxed(body(("p", (0, 0, 800, 20), [line("one", 0, 0, 100), bold, line("three", 0, 160, 90)])))
    for pdoc in (9, 10):
        blocks = bs.vips(page, pdoc=pdoc)
        # R4 gives 9 for text of several fonts, and does not divide it.
        assert (blocks.leaf_block.tolist(), blocks.doc.tolist()) == ([0, 0, 0], [9])


def test_a_rule_in_another_column_is_none_here(boxed):
    left = [("p", (0, y, 300, 20), [line("a", y, 0, 300)]) for y in (0, 40)]
    page = boxed(body(*left, ("hr", (400, 29, 300, 2), [])))
    extractor = Extractor(page, Thresholds(relative_size=200))
    items = [extractor.item((int(node),), 10) for node in np.flatnonzero(page.has_tag("p"))]
    pixels = Weights(distance=0.5).in_pixels(20.0)
    assert [stripe.weight for stripe in find_separators(items, extractor.rules, pixels, horizontal=True)[1]] == [1]


def test_what_lies_over_another_is_no_part_of_it(boxed):
    page = boxed(body(*(("p", (0, y, 400, 60), [(f"p{y}", (0, y, 400, 60))]) for y in (0, 30))))
    assert bs.vips(page, pdoc=10).leaf_block.tolist() == [1, 2]
    assert len(bs.vips(page, pdoc=9)) == 1


def test_a_block_over_the_whole_page_hides_no_separator_below_it(boxed):
    over = ("div", (0, 0, 800, 1000), [line("cookies?", 0), line("yes", 980)])
    below = [("p", (0, y, 400, 60), [(f"p{y}", (0, y, 400, 60))]) for y in (0, 500)]
    for children, blocks in (((over, *below), [1, 1, 3, 4]), ((*below, over), [2, 3, 4, 4])):
        assert bs.vips(boxed(body(*children)), pdoc=8).leaf_block.tolist() == blocks


def test_a_sliver_next_to_a_block_is_separated_from_it(boxed):
    # The middles of both lie on one side of the stripe between them.
    page = boxed(body(("p", (0, 19, 9, 0.5), [("a", (0, 19, 9, 0.5))]), ("p", (0, 19.1, 9, 20), [line("b", 19.1)])))
    assert bs.vips(page, pdoc=10).leaf_block.tolist() == [1, 2]


numbers = st.integers(0, 700)
looks = st.fixed_dictionaries(
    {"size": st.sampled_from([12, 16, 32]), "weight": st.sampled_from([400, 700])},
    optional={"ground": st.sampled_from([GREY, BLUE, WHITE])},
)
line_boxes = st.tuples(numbers, numbers, st.integers(1, 300), st.integers(1, 40))
leaves = st.tuples(st.sampled_from(["a", "word", "some words"]), line_boxes, looks)
tags = st.sampled_from(["div", "p", "span", "table", "tr", "td", "hr", "img", "b"])
trees = st.recursive(
    leaves, lambda below: st.tuples(tags, line_boxes, st.lists(below, max_size=5), looks), max_leaves=25
)
slow = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@slow
@given(children=st.lists(trees, min_size=1, max_size=5), pdoc=st.integers(1, 10), size=st.sampled_from([0, 200, 1000]))
def test_any_page_gives_a_sound_tree(boxed, children, pdoc, size):
    page = boxed(body(*children))
    blocks = bs.vips(page, pdoc=pdoc, thresholds=Thresholds(relative_size=size))
    if not len(blocks):
        assert not len(page.leaves)
        return
    inner = np.unique(blocks.parent[blocks.parent >= 0])
    outer = outer_rows(blocks)
    assert np.isin(blocks.leaf_block, outer).all()  # every visible leaf in one leaf block
    assert (blocks.doc[outer] >= min(pdoc, 9)).all()
    rows, above = np.arange(1, len(blocks)), blocks.parent[1:]
    assert (above < rows).all()
    assert (above >= 0).all()
    assert (blocks.doc[rows] >= blocks.doc[above]).all()
    low, high = blocks.box[:, :2], blocks.box[:, :2] + blocks.box[:, 2:]
    assert (low[rows] >= low[above] - 0.01).all()
    assert (high[rows] <= high[above] + 0.01).all()
    assert np.isin(blocks.separators.block, inner).all()
