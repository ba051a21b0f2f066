"""Extended BCubed, worked out by hand."""

import io
from dataclasses import fields, replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.compare.segmentation.bcubed import (
    Elements,
    Segments,
    bcubed,
    characters,
    compare_blocks,
    nodes,
    pixels,
    segments_of,
)
from blocksight.compare.segmentation.edges import COARSE, FINE, edges
from blocksight.page.geometry import Geometry
from PIL import Image, ImageDraw


def segments(*boxes):
    return Segments(box=np.asarray(boxes, dtype=float), segment=np.arange(len(boxes), dtype=np.int32))


def elements(one, other, weight=None):
    """Members are given a string an element: "ab" lies in the segments a and b."""
    members = [np.asarray([[name in inside for name in "abc"] for inside in side]) for side in (one, other)]
    return Elements(
        weight=np.ones(len(one)) if weight is None else np.asarray(weight), one=members[0], other=members[1]
    )


def scores(found):
    return pytest.approx((found.precision, found.recall))


def test_two_halves_against_the_whole():
    # No two are together wrongly; of the four that belong to each element, two are found.
    found = bcubed(elements("aabb", "aaaa"))
    assert scores(found) == (1, 0.5)
    assert found.f1 == pytest.approx(2 / 3)
    assert scores(bcubed(elements("aaaa", "aabb"))) == (0.5, 1)


def test_one_element_in_the_wrong_place():
    # {1,2,3},{4} against {1,2},{3,4}. Precision: (2/3 + 2/3 + 1/3 + 1) / 4; recall: (1 + 1 + 1/2 + 1/2) / 4.
    assert scores(bcubed(elements("aaab", "aabb"))) == (2 / 3, 0.75)


def test_segments_may_overlap():
    one = ["a", "ab", "ab", "b"]
    assert scores(bcubed(elements(one, one))) == (1, 1)
    # In the second, 2 and 3 share one segment and not two: of 2's four neighbours itself and 3 are right by half, and
    # so for 3; 1 and 4 are right with all three of theirs.
    found = bcubed(elements(one, ["a", "a", "a", "a"]))
    assert scores(found) == ((1 + 3 / 4 + 3 / 4 + 1) / 4, (3 / 4 + 1 + 1 + 3 / 4) / 4)


def test_weights_are_counts():
    heavy = bcubed(elements("aab", "aba", weight=[2.0, 1.0, 1.0]))
    assert heavy == bcubed(elements("aaab", "aaba"))


def test_elements_outside_all_segments_do_not_count():
    assert scores(bcubed(elements(["a", "a", ""], ["a", "a", ""]))) == (1, 1)
    # The third is alone in the second segmentation and in none of the first.
    assert scores(bcubed(elements(["a", "a", ""], ["a", "a", "b"]))) == (1, 2 / 3)


def test_pixels_are_counted_by_area():
    halves, whole = segments((0, 0, 50, 100), (50, 0, 50, 100)), segments((0, 0, 100, 100))
    assert scores(bcubed(pixels(halves, whole))) == (1, 0.5)
    quarter = segments((0, 0, 25, 100), (25, 0, 75, 100))
    assert scores(bcubed(pixels(quarter, whole))) == (1, 0.25**2 + 0.75**2)


def test_a_segment_of_two_rectangles():
    corner = Segments(box=np.asarray([(0, 0, 10, 20), (10, 0, 10, 10.0)]), segment=np.zeros(2, dtype=np.int32))
    assert pixels(corner, segments((0, 0, 20, 20))).weight.sum() == 400
    assert scores(bcubed(pixels(corner, segments((0, 0, 20, 20))))) == (1, (300 * 300 + 0) / 400 / 400)


def picture():
    image = Image.new("L", (100, 100), 255)
    ImageDraw.Draw(image).rectangle((10, 40, 30, 60), fill=0)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def test_edges_are_where_the_picture_changes():
    fine, coarse = edges(picture(), FINE), edges(picture(), COARSE)
    assert fine.shape == (100, 100)
    assert fine[35:65, 5:35].sum() == fine.sum() > 40
    assert 0 < coarse.sum() < fine.sum() * 2
    # All edges lie in the left half: the right one does not count.
    thirds = segments((0, 0, 50, 100), (50, 0, 25, 100), (75, 0, 25, 100))
    assert scores(bcubed(pixels(thirds, segments((0, 0, 100, 100)), fine))) == (1, 1)
    assert not edges(_plain(), FINE).any()


def _plain():
    out = io.BytesIO()
    Image.new("L", (20, 20), 255).save(out, "PNG")
    return out.getvalue()


def test_what_needs_geometry_says_so():
    for elements_of in (nodes, characters):
        with pytest.raises(ValueError, match="need geometry"):
            elements_of(bs.parse("<p>a"), segments((0, 0, 9, 9)), segments((0, 0, 9, 9)))


@pytest.mark.browser
def test_leaf_blocks_are_segments(browser, address):
    page = browser.open(f"{address}/news/page.html")
    fine, coarse = (segments_of(bs.vips(page, pdoc=pdoc)) for pdoc in (10, 5))
    assert fine.count > coarse.count > 1
    for elements_of in (pixels(fine, coarse), nodes(page, fine, coarse), characters(page, fine, coarse)):
        found = bcubed(elements_of)
        assert 0 < found.recall < found.precision <= 1
    assert scores(bcubed(pixels(fine, fine))) == (1, 1)


@pytest.fixture
def page():
    """Two halves side by side, each a paragraph of thirty characters and ten; everything else is as large as both."""
    page = bs.parse(f"<body><p>{'x' * 30}</p><p>{'x' * 10}</p></body>")
    box = np.asarray(
        [
            (0, 0, 100, 20),
            [np.nan] * 4,
            (0, 0, 100, 20),
            (0, 0, 50, 20),
            (0, 0, 50, 20),
            (50, 0, 50, 20),
            (50, 0, 50, 20),
        ]
    )
    empty = {field.name: np.zeros(len(page), dtype=np.int32) for field in fields(Geometry)} | {"paint": None}
    lines = {
        "line_node": page.leaves,
        "line_box": box[page.leaves].astype(np.float32),
        "line_start": np.zeros(2, dtype=np.int32),
        "line_length": np.asarray([30, 10], dtype=np.int32),
    }
    size = {"viewport": (100.0, 20.0), "size": (100.0, 20.0), "hidden": np.zeros(2, dtype=np.uint8)}
    return replace(page, geometry=Geometry(**empty | lines | size | {"box": box.astype(np.float32), "paint": None}))


def cut(page, *leaf_block):
    blocks = bs.text_blocks(page)
    boxes = np.asarray([(0, 0, 100, 20)] if max(leaf_block) == 0 else blocks.box, dtype=np.float32)
    count = len(boxes)
    return replace(
        blocks, parent=blocks.parent[:count], node=blocks.node[:count], doc=blocks.doc[:count], box=boxes,
        leaf_block=np.asarray(leaf_block, dtype=np.int32),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("over", "recall"),
    [
        ("pixels", 1 / 2),
        ("characters", 0.75**2 + 0.25**2),
        # Of six boxes two lie in each half (a paragraph and its text), two in neither.
        ("nodes", 4 * (2 / 6) / 6),
    ],
)
def test_blocks_of_a_page(page, over, recall):
    found = compare_blocks(page, cut(page, 0, 1), cut(page, 0, 0), over=over)
    assert scores(found) == (1, recall)
    assert scores(compare_blocks(page, cut(page, 0, 0), cut(page, 0, 1), over=over)) == (recall, 1)


def test_what_lies_outside_of_the_page_is_no_pixel_of_it(page):
    one, other = cut(page, 0, 1), cut(page, 0, 1)
    other.box[1, 2] = 500
    assert scores(compare_blocks(page, one, other)) == (1, 1)


def test_blocks_over_the_edges_of_the_picture(page):
    image = Image.new("L", (100, 20), 255)
    ImageDraw.Draw(image).rectangle((10, 5, 30, 15), fill=0)
    out = io.BytesIO()
    image.save(out, "PNG")
    pictured = replace(page, screenshot=out.getvalue())
    # All edges lie in the left half.
    for over in ("fine edges", "coarse edges"):
        assert scores(compare_blocks(pictured, cut(page, 0, 1), cut(page, 0, 0), over=over)) == (1, 1)
    with pytest.raises(ValueError, match="edges need a screenshot"):
        compare_blocks(page, cut(page, 0, 1), cut(page, 0, 0), over="fine edges")


def test_blocks_that_cannot_be_compared(page):
    blocks = bs.text_blocks(page)
    with pytest.raises(ValueError, match="over must be one of pixels, fine edges"):
        compare_blocks(page, blocks, blocks, over="words")
    with pytest.raises(ValueError, match="pixels need geometry"):
        compare_blocks(page.without_geometry(), blocks, blocks)


def test_nothing_in_common():
    found = bcubed(pixels(segments((0, 0, 9, 9)), segments((50, 50, 9, 9))))
    assert scores(found) == (0, 0)
    assert found.f1 == 0
