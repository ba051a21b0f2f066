"""Segmentations as Webis writes them, by hand from the published description."""

import json

import blocksight as bs
import numpy as np
import pytest
import shapely
from blocksight.compare.segmentation.bcubed import compare_blocks
from blocksight.errors import SegmentationUnreadable
from blocksight.segment import webis
from blocksight.segment.webis import boxes_of, fit_to_nodes, read_webis, rectangles_of, region_of, to_webis


def ring(left, top, right, bottom):
    return [[left, top], [left, bottom], [right, bottom], [right, top], [left, top]]


def written(**segmentations):
    exported = {"height": 1000, "width": 800, "id": "000000", "segmentations": segmentations}
    return json.dumps(exported).encode()


@pytest.fixture
def page(boxed):
    left = ("div", (0, 0, 400, 200), [("p", (0, 0, 400, 100), [("one", (0, 0, 400, 100))])])
    right = ("div", (400, 0, 400, 200), [("two", (400, 0, 400, 200))])
    return boxed(("body", (0, 0, 800, 200), [left, right]), size=(800.0, 200.0))


def test_read_webis():
    file = read_webis(written(three=[[[ring(0, 0, 10, 20)]], [[ring(30, 0, 40, 20)], [ring(50, 0, 60, 20)]]], none=[]))
    assert (file.identity, file.size) == ("000000", (800, 1000))
    segments = file.segments("three")
    assert segments.box.tolist() == [[0, 0, 10, 20], [30, 0, 10, 20], [50, 0, 10, 20]]
    assert segments.segment.tolist() == [0, 1, 1]
    assert file.segments("none").count == 0
    with pytest.raises(SegmentationUnreadable, match="there are three, none"):
        file.segments("four")


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"{", "no JSON"),
        (b"[]", "is needed"),
        (b'{"segmentations": []}', "is needed"),
        (b'{"segmentations": {"a": 1}}', "'a' is no list"),
        (b'{"segmentations": {"a": [[[[1, 2]]]]}}', "no point"),
        (b'{"segmentations": {"a": [[[[["x", 2]]]]]}}', "no point"),
        (b'{"segmentations": {"a": [[[[[1e300, 2]]]]]}}', "no point"),
    ],
)
def test_read_webis_refuses_other_files(bad, why):
    with pytest.raises(SegmentationUnreadable, match=why):
        read_webis(bad)


def test_rectangles_of_polygons():
    corner = [[0, 0], [0, 20], [20, 20], [20, 10], [10, 10], [10, 0], [0, 0]]
    assert rectangles_of(region_of([[corner]])).tolist() == [[0, 0, 10, 10], [0, 10, 20, 10]]
    hole = rectangles_of(region_of([[ring(0, 0, 30, 30), ring(10, 10, 20, 20)]]))
    assert sorted(hole.tolist()) == [[0, 0, 30, 10], [0, 10, 10, 10], [0, 20, 30, 10], [20, 10, 10, 10]]
    slanted = rectangles_of(region_of([[[[0, 0], [0, 10], [10, 10], [0, 0]]]]))
    assert (slanted[:, 2] * slanted[:, 3]).sum() == pytest.approx(50)
    assert len(slanted) == 10
    crossing = rectangles_of(region_of([[[[0, 0], [10, 10], [10, 0], [0, 10], [0, 0]]]]))
    assert (crossing[:, 2] * crossing[:, 3]).sum() == pytest.approx(50)
    assert len(rectangles_of(region_of([]))) == len(rectangles_of(region_of([[[[0, 0], [1, 1]]]]))) == 0


@pytest.mark.parametrize("seed", range(5))
def test_rectangles_of_overlapping_boxes(seed):
    boxes = np.random.default_rng(seed).integers(1, 60, (12, 4)).astype(float)
    covered = np.zeros((121, 121), dtype=int)
    for x, y, width, height in boxes.astype(int).tolist():
        covered[y : y + height, x : x + width] = 1
    united = np.zeros_like(covered)
    for x, y, width, height in rectangles_of(shapely.union_all(boxes_of(boxes))).astype(int).tolist():
        united[y : y + height, x : x + width] += 1
    assert (united == covered).all()


def stairs(number):
    """Return a flight of stairs as one polygon."""
    corners = [[place, number - place - down] for place in range(number) for down in (0, 1)]
    return [[*[[x, y] for x, y in corners], [0, 0], corners[0]]]


def test_rectangles_of_stairs_up_to_a_limit():
    found = rectangles_of(region_of([stairs(500)]))
    assert (found[:, 2] * found[:, 3]).sum() == 500 * 499 / 2
    with pytest.raises(SegmentationUnreadable, match="50,000,000 steps"):
        rectangles_of(region_of([stairs(6_000)]))
    with pytest.raises(SegmentationUnreadable, match="steps"):
        rectangles_of(region_of([[[[0, 0], [1e7, 1e7], [0, 1e7], [0, 0]]], [ring(0, 0, 9, 9)]]))


def test_fit_to_nodes_up_to_a_limit(page, monkeypatch):
    many = read_webis(written(many=[[[ring(0, 0, 800, 200)]]] * 10)).segments("many")
    assert fit_to_nodes(page, many).count == 1
    monkeypatch.setattr(webis, "MOST_NODES", 20)
    with pytest.raises(SegmentationUnreadable, match="20 nodes"):
        fit_to_nodes(page, many)


def test_fit_to_nodes_by_share(page):
    # Three quarters of a node's box must lie in the segment: 300 of 400 pixels do, 299 do not.
    three = [
        [[ring(100, 0, 420, 100)]],
        [[ring(101, 0, 400, 100)]],
        [[ring(390, -5, 801, 205)]],
        [[ring(99, 0, 400, 99)]],
    ]
    fitted = fit_to_nodes(page, read_webis(written(three=three)).segments("three"))
    assert fitted.box.tolist() == [[0, 0, 400, 100], [400, 0, 400, 200]]
    assert fitted.segment.tolist() == [0, 1]


def test_to_webis_is_read_again(page):
    blocks = bs.text_blocks(page)
    exported = to_webis(page, {"ours": blocks}, identity="000007")
    raw = json.loads(exported)
    assert (raw["id"], raw["width"], raw["height"]) == ("000007", 800, 200)
    assert raw["segmentations"]["ours"][0] == [[ring(0, 0, 400, 100)]]
    segments = read_webis(exported).segments("ours")
    for over in ("pixels", "characters"):
        assert compare_blocks(page, segments, blocks, over=over).f1 == 1
    whole = read_webis(written(all=[[[ring(0, 0, 800, 200)]]])).segments("all")
    # Areas of 40,000 and 80,000 pixels, and 40,000 of no block: the whole page puts all of them together.
    found = compare_blocks(page, whole, blocks)
    assert found.recall == 1
    assert found.precision < 0.6
