"""A snapshot reply, written by hand, to the columns of a page."""

import numpy as np
import pytest
from blocksight.page.hidden import Hidden


@pytest.fixture
def paragraph(reply):
    """Make a page <html><body><div style=above><p style=style>text, with lines of the text's box."""

    def made(style, line=(0, 0, 40, 17), *, above=None):
        if "color" in style:
            style = style | {"-webkit-text-fill-color": style["color"]}
        rows = [
            (-1, "#document", None, (0, 0, 800, 600), {}, ()),
            (0, "HTML", None, (0, 0, 800, 600), {}, ()),
            (1, "BODY", None, (0, 0, 800, 600), {}, ()),
            (2, "DIV", None, (0, 0, 100, 100), above or {}, ()),
            (3, "P", None, line, style, ()),
            (4, None, "text", line, style, ((0, 4, line),)),
        ]
        return reply().document(rows).page()

    return made


def test_columns(paragraph):
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
        ({"position": "fixed"}, (0, 700, 40, 17), {}, Hidden.OFF_SCREEN),
        ({"position": "fixed"}, (0, 200, 40, 17), {"overflow-y": "hidden", "transform": "matrix(2, 0)"}, Hidden.CLIP),
        ({}, (0, 200, 40, 17), {"contain": "paint"}, Hidden.CLIP),
        ({}, (0, 0, 40, 3), {}, Hidden.SIZE),
        ({}, (0, 0, 2, 17), {}, Hidden.SIZE),
        ({"color": "rgb(250, 250, 250)"}, (0, 0, 40, 17), {}, Hidden.COLOR),
        ({"color": "rgb(250, 250, 250)"}, (0, 0, 40, 17), {"background-color": "rgb(9, 9, 9)"}, Hidden.VISIBLE),
        ({"color": "rgb(9, 9, 9)"}, (0, 0, 40, 17), {"background-color": "rgb(9, 9, 9)"}, Hidden.COLOR),
        ({"-webkit-text-security": "disc"}, (0, 0, 40, 17), {}, Hidden.GLYPHS),
        ({}, (0, 0, 40, 17), {"opacity": "0.2"}, Hidden.VISIBLE),
        ({"opacity": "0.2"}, (0, 0, 40, 17), {}, Hidden.VISIBLE),
        ({"opacity": "0.2"}, (0, 0, 40, 17), {"opacity": "0.2"}, Hidden.OPACITY),
        ({}, (0, 0, 40, 17), {"content-visibility": "hidden"}, Hidden.DISPLAY),
    ],
)
def test_why_a_leaf_is_hidden(paragraph, style, line, above, reason):
    assert paragraph(style, line, above=above).hidden.tolist() == [reason]


def test_no_layout_means_not_displayed(reply):
    rows = [(-1, "HTML", None, (0, 0, 8, 6), {}, ()), (0, "P", None, None, {}, ()), (1, None, "a", None, {}, ())]
    page = reply().document(rows).page()
    assert page.hidden.tolist() == [Hidden.DISPLAY]
    assert np.isnan(page.geometry.box[1]).all()


def test_a_frame_is_placed_in_its_owner(reply):
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
    page = reply().document(outer, frames=[(2, 1)]).document(inner).page(placements={1: (102.0, 52.0, 1.0, 1.0)})
    assert page.leaf_texts == ("inside", "after")
    assert page.parent.tolist() == [-1, 0, 1, 2, 0]
    assert page.geometry.line_box.tolist() == [[110, 60, 40, 17], [0, 300, 40, 17]]
    assert page.hidden.tolist() == [Hidden.VISIBLE, Hidden.VISIBLE]
    small = reply().document(outer, frames=[(2, 1)]).document(inner).page(placements={1: (102.0, 52.0, 0.1, 0.1)})
    assert small.geometry.line_box[0].tolist() == pytest.approx([102.8, 52.8, 4, 1.7])
    assert small.hidden.tolist() == [Hidden.SIZE, Hidden.VISIBLE]


def test_comments_go_and_lone_surrogates_are_replaced(reply):
    rows = [
        (-1, "HTML", None, (0, 0, 8, 6), {}, ()),
        (0, "#comment", "no", None, {}, ()),
        (0, None, "a\ud800b", (0, 0, 9, 9), {}, ((0, 3, (0, 0, 9, 9)),)),
    ]
    assert reply().document(rows).page().leaf_texts == ("a\ufffdb",)


def test_generated_text_is_no_leaf(reply):
    rows = [
        (-1, "HTML", None, (0, 0, 8, 6), {}, ()),
        (0, "::before", None, (0, 0, 9, 9), {}, ()),
        (1, None, "> ", (0, 0, 9, 9), {}, ((0, 2, (0, 0, 9, 9)),)),
        (0, None, "own", (0, 0, 9, 9), {}, ((0, 3, (0, 0, 9, 9)),)),
    ]
    assert reply().document(rows).page().leaf_texts == ("own",)
