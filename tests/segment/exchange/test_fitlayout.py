"""Trees as FitLayout writes them, by hand from its source."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.compare.segmentation.bcubed import compare_blocks
from blocksight.errors import SegmentationUnreadable
from blocksight.segment.exchange.fitlayout import read_fitlayout, to_fitlayout
from lxml import etree

AREAS = b"""<?xml version="1.0"?>
<areaTree>
    <area id="x0" x1="0" y1="0" x2="799" y2="199" background="#ffffff" fontsize="16.0" fontweight="0.0" tags="">
        <area id="x1" x1="0" y1="0" x2="399" y2="99" background="" fontsize="16.0" fontweight="0.0" tags="">
            <box x1="0" y1="0" x2="399" y2="99" color="#000000" fontfamily="Serif" replaced="false">one &amp;gt;</box>
        </area>
        <area id="x2" x1="400" y1="0" x2="799" y2="199" background="" fontsize="16.0" fontweight="0.0" tags="">
            <box x1="400" y1="0" x2="799" y2="199" color="#000000" fontfamily="Serif" replaced="false">two</box>
        </area>
    </area>
</areaTree>"""
BOXES = b"""<page><box tagName="body" positionX="0" positionY="0" width="800" height="200">
<box tagName="div" positionX="400" positionY="0" width="400" height="200"></box></box></page>"""


@pytest.fixture
def page(boxed):
    left = ("div", (0, 0, 400, 200), [("p", (0, 0, 400, 100), [("one", (0, 0, 400, 100), {"weight": 700})])])
    right = ("div", (400, 0, 400, 200), [("two", (400, 0, 400, 200))])
    return boxed(("body", (0, 0, 800, 200), [left, right]), size=(800.0, 200.0))


def test_areas_are_read_as_a_tree(page):
    blocks = read_fitlayout(page, AREAS)
    assert blocks.parent.tolist() == [-1, 0, 0]
    # The last pixel of an area belongs to it.
    assert blocks.box.tolist() == [[0, 0, 800, 200], [0, 0, 400, 100], [400, 0, 400, 200]]
    assert blocks.leaf_block.tolist() == [1, 2]
    assert compare_blocks(page, blocks, bs.text_blocks(page)).f1 == 1


def test_boxes_of_a_page_are_read(page):
    blocks = read_fitlayout(page, BOXES)
    assert blocks.box.tolist() == [[0, 0, 800, 200], [400, 0, 400, 200]]
    assert blocks.leaf_block.tolist() == [0, 1]


def test_what_was_written_is_read_again(page):
    blocks = bs.vips(page, pdoc=10)
    xml = to_fitlayout(page, blocks)
    again = read_fitlayout(page, xml)
    assert again.parent.tolist() == blocks.parent.tolist()
    assert np.abs(again.box - blocks.box).max() <= 0.5  # in whole pixels
    assert again.leaf_block.tolist() == blocks.leaf_block.tolist()
    root = etree.fromstring(xml)
    assert root.tag == "areaTree"
    first = root.find(".//box")
    assert (first.text, first.get("x2"), first.get("fontweight"), first.get("color")) == (
        "one",
        "399",
        "1.00",
        "#000000",
    )


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (b"<", "no XML"),
        (b"<html/>", "not <html>"),
        (b"<areaTree><area x1='0' y1='0' x2='1'/></areaTree>", "without numbers in x1, y1, x2, y2"),
        (b"<areaTree><area x1='0' y1='0' x2='1' y2='inf'/></areaTree>", "inf"),
        (b"<page><box x1='0'/></page>", "without numbers in positionX"),
    ],
)
def test_what_is_no_such_file_is_said(page, bad, why):
    with pytest.raises(SegmentationUnreadable, match=why):
        read_fitlayout(page, bad)


def test_nothing_is_fetched_or_blown_up(page):
    area = b'<areaTree><area x1="0" y1="0" x2="1" y2="1">&x;</area></areaTree>'
    assert len(read_fitlayout(page, b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + area)) == 1
