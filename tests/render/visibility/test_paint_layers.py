"""The rectangles that a page paints; rows count from the root, which is 0."""

import base64
import io
from dataclasses import replace

import numpy as np
import pytest
from blocksight.render.visibility.clip_rects import PageFrame
from blocksight.render.visibility.css_values import without_fragment
from PIL import Image

BOX, CORNERS = (20, 30, 200, 50), [20, 30, 220, 80]
RED = {"background-color": "rgb(255, 0, 0)"}
ALL_OVER = " repeat scroll 0% 0% / auto padding-box border-box"
GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def data_address(*pixels, mode="RGBA", **options):
    """A PNG of a row of pixels as a data address."""
    image, file = Image.new(mode, (len(pixels), 1)), io.BytesIO()
    image.putdata(pixels)
    image.save(file, "PNG", **options)
    return "data:image/png;base64," + base64.b64encode(file.getvalue()).decode()


#: Two colors, the second of half its opacity, and a transparent pixel, whose color is not painted.
PNG = data_address((200, 10, 90, 128), (0, 10, 0, 100), (255, 255, 255, 0))
CLEAR = data_address((255, 255, 255, 0))
#: With a color profile.
CONVERTED = data_address((9, 9, 9, 255), icc_profile=b"profile")


def painted(page, lost=frozenset()):
    """The rows and corners of what is painted, in order."""
    paints = page.layers(lost)
    return [(row, np.round(box, 2).tolist()) for row, box in zip(paints.row.tolist(), paints.box, strict=True)]


def looks(page):
    """The colours and opacities of what is painted: (low, high, thin, thick)."""
    found = page.layers()
    columns = (found.low.tolist(), found.high.tolist(), found.thin.tolist(), found.thick.tolist())
    return [(low, high, round(thin, 3), round(thick, 3)) for low, high, thin, thick in zip(*columns, strict=True)]


UNKNOWN = ([0, 0, 0], [255, 255, 255], 0, 1)


def test_an_address_without_its_fragment():
    assert without_fragment("http://x/a.png#b#c") == "http://x/a.png"


# -- the order -------------------------------------------------------------------------------------------------------


def test_a_negative_level_is_painted_after_the_background_of_its_context(layout):
    below = {"position": "relative", "z-index": "-1"}
    nodes = [
        (2, "SPAN", BOX),  # 2
        (2, "P", BOX, below),  # 3
        (3, "inside"),
        (2, "after"),
    ]
    context = layout((1, "DIV", BOX, {"isolation": "isolate"}), *nodes)
    assert np.argsort(context.painting().keys).tolist() == [0, 1, 3, 4, 2, 5]
    assert (context.painting().keys[[3, 4]] - context.painting().keys[1]).tolist() == [1, 2]
    # Without a context they come before the root: 6 nodes, -6 - 1 + 1 + their rank.
    alone = layout((1, "DIV", BOX), *nodes)
    assert np.argsort(alone.painting().keys).tolist() == [3, 4, 0, 1, 2, 5]
    assert alone.painting().keys[[3, 4]].tolist() == [-6, -5]


def test_a_nested_context_is_painted_below_the_outer_one(layout):
    page = layout(
        (1, "DIV", BOX, {"isolation": "isolate"}), (2, "P", BOX, {"position": "relative", "z-index": "-1"}), (3, "b"),
        (1, "after"),
    )  # fmt: skip
    assert np.argsort(page.painting().keys).tolist() == [0, 1, 2, 3, 4]


# -- roots -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("html", "body", "row", "low", "high"),
    [
        ({}, {}, -1, 255, 255),
        ({"background-color": "rgb(9, 9, 9)"}, RED, 0, 9, 9),
        ({}, {"background-color": "rgb(9, 9, 9)"}, 1, 9, 9),
        ({"background-color": "rgba(9, 9, 9, 0.5)"}, {}, 0, 0, 255),
        ({"background": 'url("a.png")'}, {}, 0, 0, 255),
        (
            {},
            {
                "background": "linear-gradient(rgb(9, 9, 9), rgb(50, 50, 50)) repeat scroll 0% 0% / 5px padding-box "
                "border-box"
            },
            1,
            9,
            255,
        ),
        ({"background": f"linear-gradient(rgb(9, 9, 9), rgb(50, 50, 50)){ALL_OVER}"}, {}, 0, 9, 50),
        # Half of 18, and half of 9 or 50.
        (
            {
                "background": f"linear-gradient(rgba(9, 9, 9, 0.502), rgba(51, 51, 51, 0.502)){ALL_OVER}",
                "color-scheme": "dark",
            },
            {},
            0,
            13,
            35,
        ),
        (
            {"background": f"linear-gradient(rgb(9, 9, 9), rgb(9, 9, 9)){ALL_OVER}", "background-blend-mode": "screen"},
            {},
            0,
            0,
            255,
        ),
        ({"background-color": "rgb(9, 9, 9)", "contain": "paint"}, {}, 0, 0, 255),
        ({"background-color": "rgb(9, 9, 9)", "filter": "blur(1px)"}, {}, 0, 0, 255),
        ({"contain": "size"}, {"background-color": "rgb(9, 9, 9)"}, 1, 0, 255),
        ({"color-scheme": "dark"}, {}, -1, 18, 18),
        ({"color-scheme": "light dark"}, {}, -1, 255, 255),
    ],
)
def test_what_the_root_paints_everywhere(layout, html, body, row, low, high):
    canvas = layout((1, "BODY", BOX, body), html=html).painting().canvases[0]
    assert (canvas.row, canvas.low.round().tolist(), canvas.high.round().tolist()) == (row, [low] * 3, [high] * 3)
    assert canvas.owner == -1


@pytest.mark.parametrize(
    ("scheme", "name", "content", "level"),
    [
        ("normal", "color-scheme", "dark", 18),
        ("normal", " Color-Scheme", "DARK", 18),
        ("normal", "color-scheme", "light dark", 255),
        ("normal", "theme-color", "dark", 255),
        ("light", "color-scheme", "dark", 255),
    ],
)
def test_a_meta_element_may_make_a_page_dark(layout, scheme, name, content, level):
    meta = (1, "META", BOX, {}, {"name": name, "content": content})
    assert layout(meta, html={"color-scheme": scheme}).painting().canvases[0].low.tolist() == [level] * 3


@pytest.mark.parametrize(
    ("outer", "inner", "row"),
    [("normal", "normal", -1), ("normal", "dark", 2), ("dark", "normal", 2), ("dark", "dark", -1)],
)
def test_a_frame_of_another_color_scheme_is_opaque(layout, outer, inner, row):
    scheme = {"color-scheme": outer}
    page = layout((1, "IFRAME", BOX, scheme), (2, "HTML", BOX, {"color-scheme": inner}), html=scheme)
    frame = PageFrame(document=1, row=2, owner=1, window=(0, 0, 9, 9), content=(9, 9))
    canvas = page.painting().canvas_of(frame)
    assert (canvas.row, canvas.owner) == (row, 1)


def test_a_frame_paints_what_its_root_paints(layout):
    page = layout((1, "IFRAME", BOX), (2, "HTML", BOX, RED), (1, "P", BOX))
    frame = PageFrame(document=1, row=2, owner=1, window=(20, 30, 220, 80), content=(200, 50))
    page = replace(page, frames=(*page.frames, frame))
    assert painted(page) == [(1, CORNERS)]
    assert looks(page) == [([255, 0, 0], [255, 0, 0], 1, 1)]
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
    assert looks(page) == [([255, 0, 0], [255, 0, 0], 0.5, 0.5), ([0, 255, 0], [0, 255, 0], 0.1, 0.1)]


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
    assert looks(page) == [([0, 0, 0], [255, 255, 255], 0, 0.5)]


def test_inline_elements_are_painted_behind_their_lines(layout):
    inline = RED | {"display": "inline"}
    lines = (10, 0, 60, 17), (0, 20, 40, 17)
    page = layout((1, "SPAN", BOX, inline), (2, "two lines", *lines), (1, "SPAN", BOX, inline), (1, "other"))
    assert painted(page) == [(1, [10, 0, 70, 17]), (1, [0, 20, 40, 37]), (3, CORNERS)]
    assert painted(layout((1, "SPAN", BOX, RED), (2, "two lines", *lines))) == [(1, CORNERS)]


@pytest.mark.parametrize(("value", "thin"), [("none padding-box content-box", 0), ("none padding-box text", 0)])
def test_a_background_of_the_content_box_may_leave_out_the_rest(layout, value, thin):
    assert looks(layout((1, "DIV", BOX, RED | {"background": value}))) == [([255, 0, 0], [255, 0, 0], thin, 1)]


def test_round_corners_leave_their_middle_whole(layout):
    page = layout((1, "DIV", BOX, RED | {"border-radius": "20px"}))
    # 20 - 20 / sqrt(2) = 5.86 on each side.
    assert painted(page) == [(1, CORNERS), (1, [25.86, 35.86, 214.14, 74.14])]
    assert [look[2:] for look in looks(page)] == [(0, 1), (1, 1)]
    for radius, count in (("12px", 2), ("11px", 1)):
        assert len(painted(layout((1, "DIV", BOX, RED | {"border-radius": radius})))) == count


@pytest.mark.parametrize(
    ("background", "look"),
    [
        ('url("a.png")', UNKNOWN),
        (f"linear-gradient(rgb(10, 90, 0), rgb(50, 20, 0)){ALL_OVER}", ([10, 20, 0], [50, 90, 0], 1, 1)),
        (f"linear-gradient(rgba(10, 0, 0, 0.2), rgb(50, 0, 0)){ALL_OVER}", ([10, 0, 0], [50, 0, 0], 0.2, 1)),
        ("linear-gradient(rgb(10, 0, 0), rgb(50, 0, 0)) repeat scroll 0% 0% / 5px padding-box border-box",
         ([10, 0, 0], [50, 0, 0], 0, 1)),
        (", ".join([f"linear-gradient(rgb(9, 9, 9), rgb(9, 9, 9)){ALL_OVER}"] * 2),
         ([9, 9, 9], [9, 9, 9], 0, 1)),
        ("linear-gradient(red, blue)", UNKNOWN),
        # A line of less than four pixels under a link is no background.
        ("linear-gradient(rgb(9, 9, 9), rgb(9, 9, 9)) no-repeat scroll 0% 100% / 100% 3.9px padding-box border-box",
         ([0, 0, 0], [0, 0, 0], 0, 0)),
        ("linear-gradient(rgb(9, 9, 9), rgb(9, 9, 9)) no-repeat scroll 0% 100% / 100% 4px padding-box border-box",
         ([9, 9, 9], [9, 9, 9], 0, 1)),
        ("linear-gradient(rgb(9, 9, 9), rgb(9, 9, 9)) repeat scroll 0% 100% / 100% 3px padding-box border-box",
         ([9, 9, 9], [9, 9, 9], 0, 1)),
        # What is transparent has no color; of two layers of half the opacity at most three quarters are seen.
        (f"linear-gradient(rgba(0, 0, 0, 0) 65%, rgb(50, 20, 9) 35%){ALL_OVER}", ([50, 20, 9], [50, 20, 9], 0, 1)),
        (", ".join([f"linear-gradient(rgba(9, 9, 9, 0.502), rgba(9, 9, 9, 0.502)){ALL_OVER}"] * 2),
         ([9, 9, 9], [9, 9, 9], 0, 0.752)),
        # By its hue, red is reached from red through all colors.
        (f"linear-gradient(in hsl longer hue, rgb(255, 0, 0), rgb(255, 0, 0)){ALL_OVER}", UNKNOWN),
    ],
)  # fmt: skip
def test_images_and_gradients(layout, background, look):
    assert looks(layout((1, "DIV", BOX, {"background": background}))) == [look]


def test_blended_layers_may_have_any_color(layout):
    style = {"background": f"linear-gradient(rgb(9, 9, 9), rgb(9, 9, 9)){ALL_OVER}"}
    assert looks(layout((1, "DIV", BOX, style | {"background-blend-mode": "screen"}))) == [UNKNOWN]
    assert looks(layout((1, "DIV", BOX, style | {"background-blend-mode": "normal, normal"}))) != [UNKNOWN]


# -- what only a picture knows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "attributes", "style", "shown"),
    [
        ("IMG", {}, {}, True),
        ("IMG", {"::src": "http://x/a.png"}, {}, True),
        ("IMG", {"::src": "http://x/lost.png#a"}, {}, False),
        ("CANVAS", {}, {}, True),
        ("P", {"::src": "http://x/lost.png"}, {}, False),
        ("INPUT", {"type": " CheckBox"}, {}, True),
        ("INPUT", {"type": "text"}, {}, False),
        ("INPUT", {}, {}, False),
        ("P", {"type": "checkbox"}, {}, False),
        ("P", {}, {"backdrop-filter": "blur(1px)"}, True),
        ("P", {}, {"border-image-source": 'url("a.png")'}, True),
        ("P", {}, {"content": 'url("a.png")'}, True),
        ("P", {}, {"content": '"a"'}, False),
        ("MFRAC", {"linethickness": "9px"}, {}, True),
        ("MFRAC", {}, {}, False),
        ("P", {"linethickness": "9px"}, {}, False),
        ("P", {}, {"column-rule-width": "4px"}, True),
        ("P", {}, {"column-rule-width": "3.9px"}, False),
    ],
)
def test_content_of_unknown_color(layout, tag, attributes, style, shown):
    page = layout((1, tag, BOX, style, attributes))
    assert painted(page, {"http://x/lost.png"}) == ([(1, CORNERS)] if shown else [])
    if shown:
        assert looks(page) == [UNKNOWN]


# -- letters, borders, shadows ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("style", "box"),
    [
        ({"-webkit-text-stroke-width": "7.9px"}, None),
        ({"-webkit-text-stroke-width": "8px"}, [6, 6, 114, 31]),
        # Of a line of 100 x 17, thrown by half of its width or of its height, or blurred by its height.
        ({"text-shadow": "rgb(0, 0, 0) 49px 8px 16px"}, None),
        ({"text-shadow": "rgb(0, 0, 0) 50px 0px 0px"}, [60, 10, 160, 27]),
        ({"text-shadow": "rgb(0, 0, 0) 0px 9px 0px"}, [10, 19, 110, 36]),
        ({"text-shadow": "rgb(0, 0, 0) 0px 0px 17px"}, [-7, -7, 127, 44]),
        ({"text-shadow": "rgb(0, 0, 0) 60px 20px 3px"}, [67, 27, 173, 50]),
    ],
)
def test_paint_layers_text_shadows(layout, style, box):
    page = layout((1, "P", BOX), (2, "some text", style))
    assert painted(page) == ([] if box is None else [(2, box)])
    if box:
        assert looks(page) == [UNKNOWN]
    assert painted(layout((1, "P", BOX, style | {"visibility": "hidden"}), (2, "text", style | {"visibility": "hidden"})
    )) == []  # fmt: skip
    assert painted(layout((1, "P", BOX, {"opacity": "0.02"}), (2, "text", style))) == []
    assert painted(layout((1, "P", BOX, style))) == []


@pytest.mark.parametrize(
    ("width", "boxes"),
    [
        ("3.9px", []),
        ("4px 0px 0px", [[20, 30, 220, 34]]),
        ("0px 5px 0px 0px", [[215, 30, 220, 80]]),
        ("0px 0px 6px 0px", [[20, 74, 220, 80]]),
        ("0px 0px 0px 7px", [[20, 30, 27, 80]]),
        ("4px 3px 4px 3px", [[20, 30, 220, 34], [20, 76, 220, 80]]),
    ],
)
def test_borders_of_four_pixels_are_bands(layout, width, boxes):
    page = layout((1, "DIV", BOX, {"border-width": width, "border-color": "rgb(9, 8, 7)"}))
    assert painted(page) == [(1, box) for box in boxes]
    assert looks(page) == [([9, 8, 7], [9, 8, 7], 1, 1)] * len(boxes)


def test_borders_of_several_colors(layout):
    style = {"border-width": "5px 0px 0px", "border-color": "rgb(10, 90, 0) rgba(50, 20, 0, 0.2)"}
    assert looks(layout((1, "DIV", BOX, style))) == [([10, 20, 0], [50, 90, 0], 0.2, 1)]


@pytest.mark.parametrize(
    ("style", "out"),
    [
        # Inside: 4 pixels of offset, blur and spread together.
        ({"box-shadow": "rgb(0, 0, 0) 0px 3px 0px 0px inset"}, None),
        ({"box-shadow": "rgb(0, 0, 0) 0px -4px 0px 0px inset"}, 0),
        ({"box-shadow": "rgb(0, 0, 0) 1px 2px 1px 1px inset"}, 0),
        ({"box-shadow": "rgb(0, 0, 0) 1px 1px 1px -2px inset"}, 0),
        ({"box-shadow": "rgb(0, 0, 0) 1px 1px 1px -1px inset"}, None),
        # Outside: 16 pixels of spread and offset.
        ({"box-shadow": "rgb(0, 0, 0) 0px 0px 90px 15px"}, None),
        ({"box-shadow": "rgb(0, 0, 0) 0px 0px 0px 16px"}, 16),
        ({"box-shadow": "rgb(0, 0, 0) -10px 3px 0px 6px"}, 16),
        ({"box-shadow": "rgb(0, 0, 0) 3px 10px 0px 7px"}, 17),
        ({"box-shadow": "rgb(0, 0, 0) 0px 0px 0px 20px, rgb(0, 0, 0) 0px 0px 0px 17px"}, 20),
        ({"outline-style": "solid", "outline-width": "5.9px"}, None),
        ({"outline-style": "solid", "outline-width": "8px"}, 8),
        ({"outline-style": "none", "outline-width": "8px"}, None),
    ],
)
def test_shadows_and_outlines_reach_out(layout, style, out):
    page = layout((1, "DIV", BOX, style))
    if out is None:
        assert painted(page) == []
    else:
        assert painted(page) == [(1, [20 - out, 30 - out, 220 + out, 80 + out])]
        assert looks(page) == [([0, 0, 0], [0, 0, 0], 0, 1) if "box-shadow" in style else UNKNOWN]


def test_a_shadow_is_below_the_background_of_its_box_and_an_inset_one_above(layout):
    # Of two shadows of half and a quarter of opacity 1 - 0.5 * 0.75 is the most.
    shadows = "rgba(0, 0, 0, 0.5) 0px 0px 0px 16px, rgba(9, 0, 0, 0.25) 0px 5px 0px 0px inset"
    page = layout((1, "DIV", BOX, RED | {"box-shadow": shadows, "outline-style": "solid", "outline-width": "8px"}))
    assert [box for _, box in painted(page)] == [
        [4, 14, 236, 96], CORNERS, CORNERS, [12, 22, 228, 88],
    ]  # fmt: skip
    shadow = ([0, 0, 0], [9, 0, 0], 0, 0.627)
    assert looks(page) == [shadow, ([255, 0, 0], [255, 0, 0], 1, 1), shadow, UNKNOWN]


IMAGE = {"border-image-source": "linear-gradient(rgb(0, 0, 0), rgb(0, 0, 0))"}


@pytest.mark.parametrize(
    ("style", "boxes"),
    [
        ({"filter": "drop-shadow(rgb(0, 0, 0) 0px 60px 0px)"}, [[-40, -30, 280, 140]]),
        ({"filter": "blur(0px) drop-shadow(rgb(0, 0, 0) 9px 0px 5px)"}, [[11, 21, 229, 89]]),
        ({"filter": "drop-shadow(rgb(0, 0, 0) 9px 8px 5.1px)"}, []),
        ({"-webkit-box-reflect": "below 10px none"}, [[-180, -170, 420, 280]]),
        # The border image may have any color in its box, too.
        (IMAGE | {"border-image-outset": "10px"}, [CORNERS, [10, 20, 230, 90]]),
        (IMAGE | {"border-image-outset": "2", "border-width": "3px"}, [CORNERS, [14, 24, 226, 86]]),
        (IMAGE | {"border-image-outset": "0"}, [CORNERS]),
    ],
)
def test_paint_layers_copies(layout, style, boxes):
    page = layout((1, "DIV", BOX, style))
    assert painted(page) == [(1, box) for box in boxes]
    assert looks(page) == [UNKNOWN] * len(boxes)
