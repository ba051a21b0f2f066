"""GenieKnows by hand."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.systems.genieknows import GenieKnows, block_features
from blocksight.features.rows import rows_of
from blocksight.segment.blocks import text_blocks
from blocksight.segment.targets import target_nodes

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


def columns(page):
    counts = rows_of(page, text_blocks(page))
    return {name: column.round(3).tolist() for name, column in block_features(counts, page.geometry).items()}


def test_features(page):
    found = columns(page)
    # Middles at 40, 400, 400, 100 of 800; tops at 0, 100, 140, 384 of 400.
    assert found["place"] == [0.1, 1.0, 1.0, 0.25]
    assert found["height"] == [1.0, 0.75, 0.65, 0.04]
    # Nine words, one of 32 pixels and eight of 16, are 17.78 on average.
    assert found["font"] == [0.9, 1.8, 0.9, 0.9]
    # Words 2, 1, 5, 1; sentences in the paragraph only; both links and no other words in the menu.
    assert found["length"] == [0.4, 0.2, 1.0, 0.2]
    assert found["sentences"] == [0, 0, 1, 0]
    assert found["links"] == [1, 0, 0, 0]
    assert found["link_share"] == [1, 0, 0, 0]
    assert found["form"] == [0, 0, 0, 1]
    assert found["image"] == [0, 0, 1, 0]


def test_importance_is_the_weighted_sum(page):
    counts = rows_of(page, text_blocks(page))
    alone = GenieKnows(relation=0.0)
    # The paragraph: .2 * 1 + .3 * .65 + .1 * .9 + .4 * 1 + .1 * 1 - .1 * 1.
    assert alone.importance(counts, page.geometry)[2] == pytest.approx(0.885)
    # The menu: .2 * .1 + .3 * 1 + .1 * .9 + .4 * .4 - .1 * 1 - .4 * 1.
    assert alone.importance(counts, page.geometry)[0] == pytest.approx(0.07)


def test_influence_of_neighbours():
    box = np.array([[100.0, 0.0, 300.0, 16.0]])

    def pull(*change):
        return float(GenieKnows()._pull(box, box + np.array(change))[0])

    assert pull(0, 16, 0, 0) == 1.0
    assert pull(0, 32, 0, 0) == 0.5
    assert pull(50, 16, 0, 0) == 0.5
    assert pull(50, 32, 50, 0) == 0.125
    assert pull(-50, -32, -50, 0) == 0.125


def test_a_block_is_drawn_to_its_neighbours(page):
    counts = rows_of(page, text_blocks(page))
    one = replace(GenieKnows(), reach=1)
    own = np.array([0.0, 1.0, 0.5, 0.0])
    # The menu's one neighbour is the heading. The heading's: the menu 84 pixels above, with another edge and width,
    # .25 / 6.25 = .04 of 0; the paragraph 8 below, of the same edge and width, 1 / 1.5 of .5.
    near = one._neighbours(counts, own)
    assert near[0] == 1.0
    assert near[1] == pytest.approx((2 / 3 * 0.5) / (2 / 3 + 0.04))


def test_content(marked, page):
    assert marked(GenieKnows(), page) == ["Rain", "It rained. It went on."]


def test_other_blocks(page):
    by_targets = GenieKnows(segment=target_nodes)
    assert by_targets.mark(page).shape == page.leaves.shape
    assert by_targets != GenieKnows()


def test_geometry_is_needed():
    with pytest.raises(bs.GeometryMissing, match="genieknows"):
        GenieKnows().mark(bs.parse(HTML))
