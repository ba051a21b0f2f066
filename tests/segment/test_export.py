"""How blocks stand to each other, for other programs."""

import blocksight as bs
import pytest
from blocksight.segment.export import neighbour_relations, to_dict, to_xml


def test_each_block_and_the_next(boxed):
    texts = [(box, [("text", box)]) for box in ((0, 0, 100, 20), (130, 60, 104, 20), (0, 500, 300, 20))]
    page = boxed(("body", (0, 0, 800, 1000), [("p", box, inside) for box, inside in texts]))
    assert neighbour_relations(bs.text_blocks(page)) == [
        {"one": 0, "other": 1, "distance": 50.0, "offset": 130.0, "same_width": True},
        {"one": 1, "other": 2, "distance": 420.0, "offset": -130.0, "same_width": False},
    ]


@pytest.mark.parametrize(("html", "count"), [("", 0), ("<p>one", 0), ("<p>one<p>two", 1)])
def test_without_geometry_nothing_is_known(html, count):
    found = neighbour_relations(bs.text_blocks(bs.parse(html)))
    assert found == [{"one": 0, "other": 1, "distance": None, "offset": None, "same_width": False}] * count


@pytest.mark.browser
def test_repeated_records_are_exported(browser, address):
    page = browser.open(f"{address}/magazine/page.html")
    blocks = bs.vips(page, pdoc=8)
    exported = to_dict(page, blocks)
    cards = next(group for group in exported["groups"] if len(group["records"]) == 3)
    assert [record["tag"] for record in cards["records"]] == ["a", "a", "a"]
    assert cards["direction"] == "row"
    assert cards["records"][1]["xpath"][0].endswith("/a[2]")
    held = {block["record"] for block in flat(exported["blocks"])} - {None}
    assert held >= {record["record"] for record in cards["records"]}
    assert f'record="{cards["records"][1]["record"]}"' in to_xml(page, blocks)


def flat(blocks):
    return [one for block in blocks for one in (block, *flat(block["children"]))]
