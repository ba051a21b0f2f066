"""What boxes hold, compared with the same computed one by one."""

import numpy as np
import pytest
from blocksight.segment.exchange import cover
from blocksight.segment.exchange.cover import covered_area, last_containing
from blocksight.segment.exchange.shapes import disjoint


def boxes(number, seed, whole=True):
    random = np.random.default_rng(seed)
    found = random.uniform(0, 60, (number, 4))
    return found.round() if whole else found


def shared(box, region):
    wide = np.minimum(box[0] + box[2], region[:, 0] + region[:, 2]) - np.maximum(box[0], region[:, 0])
    high = np.minimum(box[1] + box[3], region[:, 1] + region[:, 3]) - np.maximum(box[1], region[:, 1])
    return float((np.maximum(wide, 0) * np.maximum(high, 0)).sum())


def test_covered_by_hand():
    region = np.asarray([[0, 0, 10, 10], [20, 0, 10, 10]], dtype=float)
    box = np.asarray([[0, 0, 10, 10], [5, 5, 20, 20], [10, 0, 10, 10], [-5, -5, 100, 100]], dtype=float)
    assert covered_area(box, region).tolist() == [100, 25 + 25, 0, 200]
    assert covered_area(box, region[:0]).tolist() == [0, 0, 0, 0]
    assert covered_area(box[:0], region).tolist() == []


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("whole", [True, False])
def test_covered_as_one_by_one(seed, whole):
    region, box = disjoint(boxes(12, seed, whole)), boxes(50, seed + 100, whole)
    wanted = [shared(one, region) for one in box]
    assert covered_area(box, region) == pytest.approx(wanted, abs=0 if whole else 1e-6)


@pytest.mark.parametrize("seed", range(5))
def test_the_last_box_around_each_point(seed):
    box, point = boxes(30, seed) / 2, boxes(200, seed + 50)[:, :2]
    around = (point[:, None] >= box[:, :2]) & (point[:, None] <= box[:, :2] + box[:, 2:])
    wanted = [max(np.flatnonzero(row), default=-1) for row in around.all(axis=2)]
    assert last_containing(box, point).tolist() == wanted
    assert last_containing(box[:0], point).tolist() == [-1] * 200


def test_points_that_were_found_are_looked_at_no_more(monkeypatch):
    looked = []
    between = cover._Sorted.between
    monkeypatch.setattr(
        cover._Sorted, "between", lambda points, *sides: looked.append(found := between(points, *sides)) or found
    )
    # A thousand boxes around all points, and a thousand thin ones next to them.
    thin = [[-10, 0, 5, 100]] * 1_000
    point = np.stack([np.arange(100.0), np.arange(100.0)], axis=1)
    assert set(last_containing(np.asarray([[0, 0, 100, 100]] * 1_000 + thin, dtype=float), point)) == {999}
    assert sum(map(len, looked)) == 100
