"""Segmentations as plain values and tables."""

import csv
import io

import blocksight as bs
import pytest
from blocksight.segment.export import to_csv, to_dict


@pytest.mark.browser
def test_to_dict_has_repeated_records(browser, address):
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


def page_of(boxed):
    outside = ("p", (0, -90, 400, 20), [("above", (0, -90, 400, 20))])
    lines = [
        ("p", (0, 0, 400, 20), [("=one", (0, 0, 400, 20))]),
        ("p", (700, 60, 200, 20), [("two", (700, 60, 200, 20))]),
    ]
    return boxed(("body", (0, 0, 800, 1000), [outside, *lines]))


def test_to_csv(boxed):
    page = page_of(boxed)
    rows = list(csv.DictReader(io.StringIO(to_csv(page, bs.text_blocks(page)))))
    assert [row["text"] for row in rows] == ["above", "'=one", "two"]
    assert rows[1] == {
        "id": "1", "parent": "", "x": "0.0", "y": "0.0", "width": "400.0", "height": "20.0", "doc": "", "rule": "",
        "group": "", "record": "", "tag": "p", "selector": "p:nth-of-type(2)", "xpath": "/body/p[2]",
        "whole": "1", "text": "'=one",
    }  # fmt: skip
