"""The rectangles that a page paints; rows count from the root, which is 0."""

from dataclasses import replace

import numpy as np
import pytest
from blocksight.render.visibility.clipping import PageFrame

BOX, CORNERS = (20, 30, 200, 50), [20, 30, 220, 80]
RED = {"background-color": "rgb(255, 0, 0)"}
ALL_OVER = " repeat scroll 0% 0% / auto padding-box border-box"


def painted(page):
    """The rows and corners of what is painted, in order."""
    paints = page.layers()
    return [(row, np.round(box, 2).tolist()) for row, box in zip(paints.row.tolist(), paints.box, strict=True)]


def looks(page):
    """The colors and opacities of what is painted, and the parts that are painted, or free, for certain."""
    found = page.layers()
    columns = (found.color.tolist(), found.alpha.tolist(), found.part.round(2).tolist())
    return [
        (None if color[0] != color[0] else color, round(a, 3), part) for color, a, part in zip(*columns, strict=True)
    ]


def is_unknown(page):
    """Whether only a picture shows what is painted."""
    return [color for color, *_ in looks(page)] == [None]


# -- roots -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "body", "row", "level"),
    [
        ({}, {}, -1, 255),
        ({"background-color": "rgb(9, 9, 9)"}, RED, 0, 9),
        ({}, {"background-color": "rgb(9, 9, 9)"}, 1, 9),
        ({"background-color": "rgba(9, 9, 9, 0.5)"}, {}, 0, None),
        ({"background": 'url("a.png")'}, {}, 0, None),
        ({"background": f"linear-gradient(rgb(9, 9, 9), rgb(50, 50, 50)){ALL_OVER}"}, {}, 0, None),
        ({"background-color": "rgb(9, 9, 9)", "contain": "paint"}, {}, 0, None),
        ({"background-color": "rgb(9, 9, 9)", "filter": "blur(1px)"}, {}, 0, None),
        ({"contain": "size"}, {"background-color": "rgb(9, 9, 9)"}, 1, None),
        ({"color-scheme": "dark"}, {}, -1, None),
        ({"color-scheme": "light dark"}, {}, -1, 255),
    ],
)
def test_what_the_root_paints_everywhere(layout, html, body, row, level):
    color, found = layout((1, "BODY", BOX, body), html=html).painting().canvas(0)
    assert found == row
    assert np.array_equal(color, [np.nan if level is None else level] * 3, equal_nan=True)


@pytest.mark.parametrize(
    ("scheme", "name", "content", "is_white"),
    [
        ("normal", "color-scheme", "dark", False),
        ("normal", " Color-Scheme", "DARK", False),
        ("normal", "color-scheme", "light dark", True),
        ("normal", "theme-color", "dark", True),
        ("light", "color-scheme", "dark", True),
    ],
)
def test_a_meta_element_may_make_a_page_dark(layout, scheme, name, content, is_white):
    meta = (1, "META", BOX, {}, {"name": name, "content": content})
    color, _ = layout(meta, html={"color-scheme": scheme}).painting().canvas(0)
    assert (color.tolist() == [255, 255, 255]) is is_white


@pytest.mark.parametrize(
    ("outer", "inner", "row"),
    [("normal", "normal", -1), ("normal", "dark", 2), ("dark", "normal", 2), ("dark", "dark", -1)],
)
def test_a_frame_of_another_color_scheme_is_opaque(layout, outer, inner, row):
    scheme = {"color-scheme": outer}
    page = layout((1, "IFRAME", BOX, scheme), (2, "HTML", BOX, {"color-scheme": inner}), html=scheme)
    frame = PageFrame(document=1, row=2, owner=1, window=(0, 0, 9, 9), content=(9, 9))
    page = replace(page, frames=(*page.frames, frame))
    assert page.painting().canvas(1)[1] == row


def test_a_frame_paints_what_its_root_paints(layout):
    page = layout((1, "IFRAME", BOX), (2, "HTML", BOX, RED), (1, "P", BOX))
    frame = PageFrame(document=1, row=2, owner=1, window=(20, 30, 220, 80), content=(200, 50))
    page = replace(page, frames=(*page.frames, frame))
    assert painted(page) == [(1, CORNERS)]
    assert looks(page) == [([255, 0, 0], 1, CORNERS)]
    plain = layout((1, "IFRAME", BOX), (2, "HTML", BOX))
    assert painted(replace(plain, frames=(*plain.frames, frame))) == []


def test_what_paints_the_canvas_does_not_paint_its_box(layout):
    assert painted(layout((1, "BODY", BOX, RED), (2, "P", BOX, RED))) == [(2, CORNERS)]


# -- backgrounds -----------------------------------------------------------------------------------------------------


def test_backgrounds_are_painted_in_order_with_their_opacity(layout):
    half = RED | {"opacity": "0.5"}
    page = layout(
        (1, "DIV", BOX, half), (2, "P", BOX, {"background-color": "rgba(0, 255, 0, 0.2)"}), (1, "P", BOX), (1, "text")
    )
    assert painted(page) == [(1, CORNERS), (2, CORNERS)]
    assert looks(page) == [([255, 0, 0], 0.5, CORNERS), ([0, 255, 0], 0.1, CORNERS)]


@pytest.mark.parametrize(
    "style",
    [{"visibility": "hidden"}, {"opacity": "0.02"}, {"display": "contents"}, {"background-color": "rgba(9, 9, 9, 0)"}],
)
def test_invisible_nodes_paint_nothing(layout, style):
    assert painted(layout((1, "DIV", BOX, RED | style))) == []


@pytest.mark.parametrize("box", [(20, 30, 0, 50), (20, 30, 200, 0), None])
def test_what_has_no_area_paints_nothing(layout, box):
    assert painted(layout((1, "DIV", *([box] if box else []), RED))) == []


def test_what_is_cut_off_is_not_painted(layout):
    cut = {"overflow-x": "hidden", "overflow-y": "hidden"}
    page = layout((1, "DIV", (50, 40, 20, 10), cut), (2, "P", BOX, RED), (2, "P", (0, 0, 50, 90), RED))
    assert painted(page) == [(2, [50, 40, 70, 50])]


def test_what_is_altered_may_have_any_color_or_none(layout):
    page = layout((1, "DIV", BOX, {"filter": "invert(1)", "opacity": "0.5"}), (2, "P", BOX, RED))
    assert looks(page)[0][:2] == (None, 0.5)


def test_inline_elements_are_painted_behind_their_lines(layout):
    inline = RED | {"display": "inline"}
    lines = (10, 0, 60, 17), (0, 20, 40, 17)
    page = layout((1, "SPAN", BOX, inline), (2, "two lines", *lines), (1, "SPAN", BOX, inline), (1, "other"))
    assert painted(page) == [(1, [10, 0, 70, 17]), (1, [0, 20, 40, 37]), (3, CORNERS)]
    assert painted(layout((1, "SPAN", BOX, RED), (2, "two lines", *lines))) == [(1, CORNERS)]


def test_round_corners_leave_their_middle_whole(layout):
    middle = layout((1, "DIV", BOX, RED | {"border-radius": "20px"}))
    # 20 - 20 / sqrt(2) = 5.86 on each side; other corners may cut off all.
    assert looks(middle) == [([255, 0, 0], 1, [25.86, 35.86, 214.14, 74.14])]
    notched = layout((1, "DIV", BOX, RED | {"border-radius": "20px", "corner-shape": "notch"}))
    assert looks(notched) == [([255, 0, 0], 1, [40, 50, 200, 60])]
    assert looks(layout((1, "DIV", BOX, RED | {"border-radius": "11px"}))) == [([255, 0, 0], 1, CORNERS)]


@pytest.mark.parametrize(
    "style",
    [
        {"background": 'url("a.png")'},
        {"background": f"linear-gradient(rgb(10, 90, 0), rgb(50, 20, 0)){ALL_OVER}"},
        RED | {"background": "none padding-box content-box"},
        RED | {"background": "none padding-box text"},
        RED | {"filter": "invert(1)"},
        RED | {"rotate": "9deg"},
        # Painted below what is around it, in an order that is not computed.
        RED | {"z-index": "-1"},
    ],
)
def test_backgrounds_that_only_pictures_show(layout, style):
    assert is_unknown(layout((1, "DIV", BOX, style)))


# -- what only a picture knows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "attributes", "style", "shown"),
    [
        ("IMG", {}, {}, True),
        ("CANVAS", {}, {}, True),
        ("INPUT", {"type": " CheckBox"}, {}, True),
        ("INPUT", {"type": "text"}, {}, False),
        ("INPUT", {}, {}, False),
        ("P", {"type": "checkbox"}, {}, False),
        ("P", {}, {"backdrop-filter": "blur(1px)"}, True),
        ("P", {}, {"content": 'url("a.png")'}, True),
        ("P", {}, {"content": '"a"'}, False),
        ("MFRAC", {"linethickness": "9px"}, {}, True),
        ("MFRAC", {}, {}, False),
        ("P", {"linethickness": "9px"}, {}, False),
        ("P", {}, {"column-rule-width": "4px"}, True),
        ("P", {}, {"column-rule-width": "3.9px"}, False),
        ("P", {}, {"row-rule-width": "4px"}, True),
    ],
)
def test_content_of_unknown_color(layout, tag, attributes, style, shown):
    page = layout((1, tag, BOX, style, attributes))
    assert painted(page) == ([(1, CORNERS)] if shown else [])
    if shown:
        assert is_unknown(page)


# -- letters, borders, shadows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "reach"),
    [
        ({"-webkit-text-stroke-width": "7.9px"}, 0),
        ({"-webkit-text-stroke-width": "8px"}, 8),
        ({"text-decoration-thickness": "9px"}, 9),
        # A fifth of 50 pixels.
        ({"text-decoration-thickness": "20%", "font-size": "50px"}, 10),
        ({"text-shadow": "rgb(0, 0, 0) 2px 1px 4px"}, 0),
        ({"text-shadow": "rgb(0, 0, 0) 1px 1px 1px, rgb(0, 0, 0) -60px 20px 3px"}, 83),
    ],
)
def test_letters_that_paint_outside_of_their_line(layout, style, reach):
    assert layout((1, "P", BOX), (2, "some text", style)).painting().letter_reach.tolist() == [0, 0, reach]


def test_a_broad_line_is_that_of_an_element_around(layout):
    page = layout((1, "P", BOX, {"text-decoration-thickness": "9px"}), (2, "text"))
    assert page.painting().letter_reach.tolist() == [0, 9, 9]


def inset(by):
    return [20 + by, 30 + by, 220 - by, 80 - by]


IMAGE = {"border-image-source": "linear-gradient(rgb(0, 0, 0), rgb(0, 0, 0))"}
NOWHERE = [np.inf, np.inf, -np.inf, -np.inf]


@pytest.mark.parametrize(
    ("style", "out", "hole"),
    [
        ({"border-width": "3.9px"}, None, None),
        ({"border-width": "0px 5px 0px 0px"}, 0, inset(5)),
        ({"border-width": "4px 3px 7px 3px"}, 0, inset(7)),
        # Inside: offset, blur and spread together.
        ({"box-shadow": "rgb(0, 0, 0) 0px 3px 0px 0px inset"}, None, None),
        ({"box-shadow": "rgb(0, 0, 0) 1px 2px 1px -1px inset"}, 0, inset(5)),
        # Outside, too.
        ({"box-shadow": "rgb(0, 0, 0) 0px 1px 2px 0px"}, None, None),
        ({"box-shadow": "rgb(0, 0, 0) 0px 0px 0px 16px"}, 16, inset(0)),
        ({"box-shadow": "rgb(0, 0, 0) 3px -10px 5px 7px"}, 25, inset(0)),
        ({"filter": "drop-shadow(rgb(0, 0, 0) 0px 60px 0px)"}, 60, inset(0)),
        ({"outline-style": "solid", "outline-width": "3.9px"}, None, None),
        ({"outline-style": "solid", "outline-width": "8px"}, 8, NOWHERE),
        ({"outline-style": "none", "outline-width": "8px"}, None, None),
        ({"-webkit-box-reflect": "below 10px none"}, 200, inset(0)),
        (IMAGE | {"border-image-outset": "10px"}, 10, NOWHERE),
        (IMAGE | {"border-image-outset": "2", "border-width": "3px"}, 6, NOWHERE),
        (IMAGE | {"border-image-outset": "0"}, 0, NOWHERE),
    ],
)
def test_edges_around_what_they_leave_free(layout, style, out, hole):
    page = layout((1, "DIV", BOX, style))
    assert painted(page) == ([] if out is None else [(1, inset(-out))])
    if hole:
        assert looks(page) == [(None, 1, hole)]


def test_an_image_in_a_broad_border_leaves_nothing_free(layout):
    style = {"background": 'url("a.png")', "border-width": "5px"}
    assert looks(layout((1, "DIV", BOX, style))) == [(None, 1, NOWHERE)]
