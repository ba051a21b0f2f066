"""Labels find room, or are left out."""

import numpy as np
from blocksight.segment.pictures.label_placement import LabelPlacer


def test_place_next_to_the_block():
    room = LabelPlacer((200, 100), np.zeros((0, 4)))
    assert room.place((50, 20, 90, 40), (20, 10)) == (28, 20)
    # The first place is taken now.
    assert room.place((50, 20, 90, 40), (20, 10)) == (92, 20)


def test_place_covers_no_text():
    text = np.asarray([[0, 0, 60, 50], [80, 0, 200, 50]], dtype=float)
    x, y = LabelPlacer((200, 100), text).place((10, 10, 58, 45), (15, 10))
    assert 60 <= x <= 65 or y >= 50


def test_place_without_room():
    assert LabelPlacer((200, 100), np.asarray([[0, 0, 200, 100.0]])).place((10, 10, 58, 45), (15, 10)) is None
    assert LabelPlacer((10, 10), np.zeros((0, 4))).place((0, 0, 10, 10), (15, 10)) is None


def test_occupy_once():
    placer = LabelPlacer((100, 100), np.zeros((0, 4)))
    assert placer.occupy((10, 10), (20, 10))
    assert not placer.occupy((29, 19), (20, 10))
    assert placer.occupy((30, 10), (20, 10))
    assert not placer.occupy((90, 10), (20, 10))
