"""How blocks stand to each other, for other programs."""

import blocksight as bs
import pytest
from blocksight.segment.export import related


def test_each_block_and_the_next(boxed):
    texts = [(box, [("text", box)]) for box in ((0, 0, 100, 20), (130, 60, 104, 20), (0, 500, 300, 20))]
    page = boxed(("body", (0, 0, 800, 1000), [("p", box, inside) for box, inside in texts]))
    assert related(bs.text_blocks(page)) == [
        {"one": 0, "other": 1, "distance": 50.0, "offset": 130.0, "same_width": True},
        {"one": 1, "other": 2, "distance": 420.0, "offset": -130.0, "same_width": False},
    ]


@pytest.mark.parametrize(("html", "count"), [("", 0), ("<p>one", 0), ("<p>one<p>two", 1)])
def test_without_geometry_nothing_is_known(html, count):
    found = related(bs.text_blocks(bs.parse(html)))
    assert found == [{"one": 0, "other": 1, "distance": None, "offset": None, "same_width": False}] * count
