"""Box clustering on pages with boxes written down by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.segment.clusters import _distances, box_clusters


def body(*children):
    return ("body", (0, 0, 800, 1000), list(children))


def paragraph(text, x, y, width=300):
    return ("p", (x, y, width, 20), [(text, (x, y, width, 20))])


def boxes(*corners):
    return np.asarray(corners, dtype=np.float64)


def test_unlikeness_is_the_mean_of_distance_shape_and_color():
    # Three of one shape below one another, 10 and 30 pixels apart; the last is white, the others black.
    box = boxes((0, 0, 100, 20), (0, 30, 100, 50), (0, 80, 100, 100))
    color = boxes((0, 0, 0), (0, 0, 0), (255, 255, 255))
    # The first box's only neighbour is as far as all its neighbours: distance says nothing.
    assert _distances(box, color) == [(0, 0, 1), (0, 1, 2)]
    box = boxes((0, 0, 100, 20), (0, 30, 100, 50), (0, 80, 100, 100), (0, 120, 100, 140))
    color = boxes((0, 0, 0), (0, 0, 0), (255, 255, 255), (0, 0, 0))
    # Between the second (neighbours at 10 and 30) and the third (at 30 and 20): 30 / 30 both ways.
    (pair,) = [relation for relation in _distances(box, color) if relation[1:] == (1, 2)]
    assert pair[0] == 1


def test_shapes_and_colors_count_a_third_each():
    box = boxes((0, 0, 100, 20), (0, 30, 100, 50), (0, 70, 100, 90), (0, 130, 100, 150), (0, 160, 100, 180))
    black = np.zeros((5, 3))
    # Neighbours of the second are 10 and 20 away, of the third 20 and 40: (20/20 + 20/40) / 2.
    unlike = {relation[1:]: relation[0] for relation in _distances(box, black)}
    assert unlike[1, 2] == pytest.approx(0.75 / 3)
    color = black.copy()
    color[2] = 255
    assert {r[1:]: r[0] for r in _distances(box, color)}[1, 2] == pytest.approx((0.75 + 1) / 3)
    box[2, 2] = 50
    # 50 × 20 beside 100 × 20: proportions 2.5 and 5 of 5 to 1/5, areas 1 to 2.
    wanted = (0.75 + (2.5 / 4.8 + 0.5) / 2) / 3
    assert {r[1:]: r[0] for r in _distances(box, black)}[1, 2] == pytest.approx(wanted)


def test_what_stands_far_apart_is_not_joined(boxed):
    near = [paragraph(f"near {y}", 0, y) for y in (0, 24, 48)]
    far = [paragraph(f"far {y}", 0, y) for y in (500, 524, 548)]
    page = boxed(body(*near, *far))
    assert box_clusters(page).leaf_block.tolist() == [0, 0, 0, 1, 1, 1]
    assert box_clusters(page).box.tolist() == [[0, 0, 300, 68], [0, 500, 300, 68]]


def test_columns_stay_apart(boxed):
    left = [paragraph(f"left {y}", 0, y) for y in (0, 24, 48)]
    right = [paragraph(f"right {y}", 500, y) for y in (0, 24, 48)]
    page = boxed(body(*left, *right))
    assert box_clusters(page).leaf_block.tolist() == [0, 0, 0, 1, 1, 1]


def test_a_cluster_covers_nothing_of_another(boxed):
    places = {"a": (0, 0), "b": (0, 30), "c": (320, 0), "d": (320, 30), "e": (0, 60), "f": (160, 300)}
    page = boxed(body(*(paragraph(name, x, y, 150) for name, (x, y) in places.items())))
    blocks = box_clusters(page)
    box = np.concatenate([blocks.box[:, :2], blocks.box[:, :2] + blocks.box[:, 2:]], axis=1)
    for one in range(len(box)):
        for other in range(one):
            low, high = np.maximum(box[one, :2], box[other, :2]), np.minimum(box[one, 2:], box[other, 2:])
            assert not (low + 0.5 < high).all()


def test_pictures_are_boxes(boxed):
    page = boxed(body(("img", (0, 0, 300, 200), []), paragraph("below", 0, 900)))
    assert box_clusters(page, threshold=0).box.tolist()[0][:2] == [0, 0]


def test_it_needs_geometry_and_a_sound_threshold(boxed):
    with pytest.raises(ValueError, match="render the page"):
        box_clusters(bs.parse("<p>a"))
    with pytest.raises(ValueError, match="threshold must be"):
        box_clusters(boxed(body()), threshold=2)
    assert len(box_clusters(boxed(body()))) == 0
