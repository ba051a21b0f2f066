"""Segmentations as plain values."""

import blocksight as bs
import pytest
from blocksight.segment.export import to_dict


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


def flat(blocks):
    return [one for block in blocks for one in (block, *flat(block["children"]))]
