"""GenieKnows by hand."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.genieknows import GenieKnows
from blocksight.features.block_table import column_names
from blocksight.segment.blocks import text_blocks

HTML = (
    "<body><div><a>home</a> <a>news</a></div><h1>Rain</h1><p>It rained. It went on. <img></p>"
    "<div><form><input>find</form></div></body>"
)
# A page of 800 by 400: the menu at the left edge, the heading and the paragraph in the middle.
BOXES = {
    "home": (0, 0, 40, 16),
    "news": (40, 0, 40, 16),
    "Rain": (300, 100, 200, 32),
    "It rained. It went on.": (300, 140, 200, 48),
    "find": (0, 384, 200, 16),
}


@pytest.fixture
def page(laid_out):
    return laid_out(HTML, BOXES, {"Rain": 32.0})


def test_it_sees_the_columns_of_the_catalogue(page):
    seen = GenieKnows().measured(page)
    table = bs.block_features(page, text_blocks(page))
    assert tuple(seen.columns) == column_names("genieknows")
    for name, column in seen.columns.items():
        assert column.tolist() == pytest.approx(table[name].tolist(), nan_ok=True), name
    # Characters 9, 4, 22 and 4 of 39; both links; both sentences; half the width is 200 pixels wide.
    assert seen.columns["genieknows_text_length"].tolist() == pytest.approx([9 / 39, 4 / 39, 22 / 39, 4 / 39])
    assert seen.columns["genieknows_link_count"].tolist() == [1, 0, 0, 0]
    assert seen.columns["genieknows_sentences"].tolist() == [0, 0, 1, 0]
    assert seen.columns["genieknows_font_size"].tolist() == [16, 32, 16, 16]


def test_every_column_has_a_weight():
    for name in column_names("genieknows"):
        assert getattr(GenieKnows(), name.removeprefix("genieknows_")) != 0


def test_importance_is_the_weighted_sum(page):
    alone = GenieKnows(relation=0.0)
    columns = alone.measured(page).columns
    # The paragraph: middle of the page 36 pixels above its own, of half a diagonal of 447; an image; 8 pixels below
    # the heading, in the same place; seven of nine words in blocks of its width.
    assert columns["genieknows_position"][2] == pytest.approx(36 / np.hypot(400, 200))
    assert columns["genieknows_same_width"][2] == pytest.approx(7 / 9)
    expected = 0.003 * 36 / np.hypot(400, 200) + 0.007 * 16 + 1.45 * 22 / 39 + 2.15 - 0.08 - 0.58 * 8 / 400
    expected += 0.68 * 7 / 9
    assert alone.importance(alone.measured(page))[2] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("change", "pull"),
    [
        ((0, 16, 0, 0), 1.0),
        ((0, 32, 0, 0), 0.5),
        # As far apart as blocks may be that stand at the same edge and are equally wide; then further.
        ((10, 16, 10, 0), 1.0),
        ((11, 16, 0, 0), 0.5),
        ((50, 32, 50, 0), 0.125),
        ((-50, -32, -50, 0), 0.125),
    ],
)
def test_influence_of_neighbours(change, pull):
    box = np.array([[100.0, 0.0, 300.0, 16.0]])
    assert GenieKnows()._influence(box, box + np.array(change))[0] == pull


def test_a_block_is_drawn_to_its_neighbours(page):
    one = replace(GenieKnows(), reach=1)
    own = np.array([0.0, 1.0, 0.5, 0.0])
    # The menu's one neighbour is the heading. The heading's: the menu 84 pixels above, with another edge and width,
    # .25 / 6.25 = .04 of 0; the paragraph 8 below, of the same edge and width, 1 / 1.5 of .5.
    near = one.neighbour_importance(own, one.measured(page).rows.box.astype(float))
    assert near[0] == 1.0
    assert near[1] == pytest.approx((2 / 3 * 0.5) / (2 / 3 + 0.04))


def test_mark_drops_least_important(marked, page):
    # The menu's -.02 is too little, the form's .69 is enough next to the heading's 1.9 and the paragraph's 2.1.
    assert marked(GenieKnows(), page) == ["Rain", "It rained. It went on.", "find"]
    assert marked(GenieKnows(least_importance=1.0), page) == ["Rain", "It rained. It went on."]


def test_geometry_is_needed():
    with pytest.raises(bs.errors.GeometryMissing, match="genieknows"):
        GenieKnows().mark(bs.parse(HTML))
