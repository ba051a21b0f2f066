"""A snapshot reply, written by hand, to the columns of a page."""

import numpy as np
import pytest
from blocksight.render.chromium.capture import STYLES, page_from_snapshot
from blocksight.render.page import Hidden

PLAIN = {
    "display": "block",
    "visibility": "visible",
    "opacity": "1",
    "position": "static",
    "overflow-x": "visible",
    "overflow-y": "visible",
    "color": "rgb(0, 0, 0)",
    "background-color": "rgba(0, 0, 0, 0)",
    "font-size": "16px",
    "font-weight": "400",
}


class Reply:
    """Builds the reply of DOMSnapshot.captureSnapshot from nested tuples."""

    def __init__(self):
        self.strings = []
        self.documents = []

    def code(self, string):
        if string not in self.strings:
            self.strings.append(string)
        return self.strings.index(string)

    def document(self, rows, frames=()):
        """Each row: (parent, tag or None, text, box or None, style changes, lines)."""
        nodes = {name: [] for name in ("parentIndex", "nodeType", "nodeName", "nodeValue", "attributes")}
        layout = {name: [] for name in ("nodeIndex", "bounds", "text", "styles", "paintOrders")}
        boxes = {name: [] for name in ("layoutIndex", "bounds", "start", "length")}
        for index, (parent, tag, text, box, style, lines) in enumerate(rows):
            nodes["parentIndex"].append(parent)
            nodes["nodeType"].append(9 if tag == "#document" else 3 if tag is None else 8 if tag == "#comment" else 1)
            nodes["nodeName"].append(self.code("#text" if tag is None else tag))
            nodes["nodeValue"].append(self.code(text) if text is not None else -1)
            nodes["attributes"].append([])
            if box is None:
                continue
            row = len(layout["nodeIndex"])
            layout["nodeIndex"].append(index)
            layout["bounds"].append(box)
            layout["text"].append(-1)
            layout["paintOrders"].append(row)
            layout["styles"].append([self.code((PLAIN | style)[name]) for name in STYLES])
            for start, length, line in lines:
                boxes["layoutIndex"].append(row)
                boxes["bounds"].append(line)
                boxes["start"].append(start)
                boxes["length"].append(length)
        nodes["backendNodeId"] = list(range(len(rows)))
        nodes["contentDocumentIndex"] = {
            "index": [owner for owner, _ in frames],
            "value": [inner for _, inner in frames],
        }
        self.documents.append(
            {
                "title": self.code("T"),
                "contentWidth": 800,
                "contentHeight": 600,
                "nodes": nodes,
                "layout": layout,
                "textBoxes": boxes,
            }
        )
        return self

    def page(self, **more):
        reply = {"strings": self.strings, "documents": self.documents}
        return page_from_snapshot(reply, url="http://x/", viewport=(800.0, 600.0), **more)


def paragraph(style, line=(0, 0, 40, 17), *, above=None):
    """<html><body>[<div style=above>]<p style=style>text."""
    rows = [
        (-1, "#document", None, (0, 0, 800, 600), {}, ()),
        (0, "HTML", None, (0, 0, 800, 600), {}, ()),
        (1, "BODY", None, (0, 0, 800, 600), {}, ()),
        (2, "DIV", None, (0, 0, 100, 100), above or {}, ()),
        (3, "P", None, line, style, ()),
        (4, None, "text", line, style, ((0, 4, line),)),
    ]
    return Reply().document(rows).page()


def test_columns():
    page = paragraph({"font-size": "20px", "font-weight": "700", "color": "rgb(1, 2, 3)"})
    assert [page.tag_of(row) for row in range(len(page))] == ["html", "body", "div", "p", "#text"]
    assert page.parent.tolist() == [-1, 0, 1, 2, 3]
    assert (page.title, page.leaf_texts) == ("T", ("text",))
    geometry = page.geometry
    assert geometry.font_size[3] == 20
    assert geometry.font_weight[3] == 700
    assert geometry.color[3] == 0x010203FF
    assert geometry.line_box.tolist() == [[0, 0, 40, 17]]
    assert geometry.line_node.tolist() == [4]
    assert (geometry.line_start[0], geometry.line_length[0]) == (0, 4)


@pytest.mark.parametrize(
    ("style", "line", "above", "reason"),
    [
        ({}, (0, 0, 40, 17), {}, Hidden.VISIBLE),
        ({"visibility": "hidden"}, (0, 0, 40, 17), {}, Hidden.VISIBILITY),
        ({}, (0, 0, 40, 17), {"opacity": "0"}, Hidden.OPACITY),
        ({"color": "rgba(0, 0, 0, 0)"}, (0, 0, 40, 17), {}, Hidden.OPACITY),
        ({}, (0, 0, 0, 17), {}, Hidden.ZERO_AREA),
        ({}, (-999, 0, 40, 17), {}, Hidden.OFF_SCREEN),
        ({}, (0, 200, 40, 17), {"overflow-y": "hidden"}, Hidden.CLIP),
        ({}, (0, 200, 40, 17), {"overflow-y": "auto"}, Hidden.VISIBLE),
        ({"position": "absolute"}, (0, 200, 40, 17), {"overflow-y": "hidden"}, Hidden.VISIBLE),
        ({"position": "absolute"}, (0, 200, 40, 17), {"overflow-y": "hidden", "position": "relative"}, Hidden.CLIP),
        ({"position": "fixed"}, (0, 200, 40, 17), {"overflow-y": "hidden", "position": "relative"}, Hidden.VISIBLE),
    ],
)
def test_why_a_leaf_is_hidden(style, line, above, reason):
    assert paragraph(style, line, above=above).hidden.tolist() == [reason]


def test_no_layout_means_not_displayed():
    rows = [(-1, "HTML", None, (0, 0, 8, 6), {}, ()), (0, "P", None, None, {}, ()), (1, None, "a", None, {}, ())]
    page = Reply().document(rows).page()
    assert page.hidden.tolist() == [Hidden.DISPLAY]
    assert np.isnan(page.geometry.box[1]).all()


def test_a_frame_stands_where_its_owner_does():
    outer = [
        (-1, "#document", None, None, {}, ()),
        (0, "HTML", None, (0, 0, 800, 600), {}, ()),
        (1, "IFRAME", None, (100, 50, 300, 200), {}, ()),
        (1, None, "after", (0, 300, 40, 17), {}, ((0, 5, (0, 300, 40, 17)),)),
    ]
    inner = [
        (-1, "#document", None, None, {}, ()),
        (0, "HTML", None, (0, 0, 300, 200), {}, ()),
        (1, None, "inside", (8, 8, 40, 17), {}, ((0, 6, (8, 8, 40, 17)),)),
    ]
    page = Reply().document(outer, frames=[(2, 1)]).document(inner).page(frame_offsets={1: (102.0, 52.0)})
    assert page.leaf_texts == ("inside", "after")
    assert page.parent.tolist() == [-1, 0, 1, 2, 0]
    assert page.geometry.line_box.tolist() == [[110, 60, 40, 17], [0, 300, 40, 17]]
    assert page.hidden.tolist() == [Hidden.VISIBLE, Hidden.VISIBLE]


def test_comments_go_and_lone_surrogates_are_replaced():
    rows = [
        (-1, "HTML", None, (0, 0, 8, 6), {}, ()),
        (0, "#comment", "no", None, {}, ()),
        (0, None, "a\ud800b", (0, 0, 9, 9), {}, ((0, 3, (0, 0, 9, 9)),)),
    ]
    assert Reply().document(rows).page().leaf_texts == ("a\ufffdb",)


def test_generated_text_is_no_leaf():
    rows = [
        (-1, "HTML", None, (0, 0, 8, 6), {}, ()),
        (0, "::before", None, (0, 0, 9, 9), {}, ()),
        (1, None, "> ", (0, 0, 9, 9), {}, ((0, 2, (0, 0, 9, 9)),)),
        (0, None, "own", (0, 0, 9, 9), {}, ((0, 3, (0, 0, 9, 9)),)),
    ]
    assert Reply().document(rows).page().leaf_texts == ("own",)
