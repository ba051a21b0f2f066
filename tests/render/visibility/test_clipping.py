"""Clips and geometry tests of lines; rows count from the root, which is 0."""

import numpy as np
import pytest
from blocksight.page.hidden import Hidden
from blocksight.render.visibility.clipping import opacity_product
from blocksight.render.visibility.decide import geometry_reasons, may_be_scrolled_to

BOX = (0, 0, 200, 50)
CUT = {"overflow-x": "hidden", "overflow-y": "hidden"}
SCROLLED = {"overflow-x": "auto", "overflow-y": "auto"}


def reasons(layout, *nodes, **how):
    return [Hidden(why) for why in layout(*nodes, **how).reasons().tolist()]


def scrollable(clips):
    """Whether only scrolling shows if a box can be scrolled to each line."""
    return may_be_scrolled_to(clips, geometry_reasons(clips))


def rows_of(column):
    return np.flatnonzero(column).tolist()


def test_opacity_is_the_product_of_a_node_and_those_around_it(layout):
    page = layout(
        (1, "DIV", BOX, {"opacity": "0.5"}),
        (2, "P", BOX, {"opacity": "0.5"}),
        (3, "inner text"),
        (2, "P", BOX),
        (1, "P", BOX),
    )
    assert opacity_product(page.page, page.geometry).tolist() == [1, 0.5, 0.25, 0.25, 0.5, 1]


@pytest.mark.parametrize(("opacity", "why"), [("0.04", Hidden.OPACITY), ("0.06", Hidden.VISIBLE)])
def test_a_twentieth_of_opacity_is_visible(layout, opacity, why):
    assert reasons(layout, (1, "DIV", BOX, {"opacity": opacity}), (2, "some text")) == [why]


def test_drawings_and_marquees_shift_their_text(layout):
    clips = layout(
        (1, "SVG", BOX),  # 1
        (2, "TEXT", BOX),
        (3, "in a drawing"),
        (2, "FOREIGNOBJECT", BOX),  # 4
        (3, "P", BOX),
        (4, "in a page again"),
        (1, "MARQUEE", BOX),  # 7
        (2, "running"),
        (1, "P", BOX),  # 9
        (2, "plain"),
    ).clips()
    assert rows_of(clips.unpainted.drawings) == [1, 2, 3]
    assert rows_of(clips.unpainted.inexact) == [1, 2, 3, 7, 8]


def test_closed_details_fold_all_but_their_summary(layout):
    clips = layout(
        (1, "DETAILS", BOX),  # 1
        (2, "SUMMARY", BOX),
        (3, "the head"),
        (2, "P", BOX),  # 4
        (3, "the rest"),
        (4, "SUMMARY", BOX),  # 6: not right in the details
        (5, "no head"),
        (1, "DETAILS", BOX, {}, {"open": ""}),  # 8
        (2, "shown"),
        (1, "after"),
    ).clips()
    assert rows_of(clips.unpainted.closed_details) == [4, 5, 6, 7]
    assert Hidden(geometry_reasons(clips)[1]) == Hidden.DISPLAY
    assert Hidden(geometry_reasons(clips)[3]) == Hidden.VISIBLE


def test_text_of_a_drawing_is_where_the_outermost_drawing_is(layout):
    clips = layout(
        (1, "SVG", (0, 0, 90, 80)),
        (2, "SVG", (10, 10, 20, 20)),
        (3, "moved", (500, 500, 40, 10)),
        (3, "of no width", (500, 500, 0, 10)),
        (3, "of no height", (500, 500, 40, 0)),
        (1, "plain", (5, 6, 7, 8)),
    ).clips()
    assert clips.box.tolist() == [
        [0, 0, 90, 80],
        [500, 500, 500, 510],
        [500, 500, 540, 500],
        [5, 6, 12, 14],
    ]
    assert not clips.moved.any()


def test_what_moves_is_where_it_comes_nearest_to_its_window(layout):
    page = layout(
        (1, "DIV", BOX, CUT),  # 1, from 0 to 200
        (2, "UL", (0, 0, 900, 40)),  # 2
        (3, "comes by", (600, 10, 150, 17)),
        (3, "SVG", (600, 0, 20, 20)),  # 4
        (4, "drawn", (600, 5, 20, 10)),
        (3, "DIV", (600, 0, 50, 40), CUT),  # 6
        (4, "inner", (600, 10, 50, 17)),
        (2, "beside", (600, 10, 150, 17)),
    )
    clips = page.clips(row_2=(-580.0, 0.0, 0.0, 0.0))
    # 150 wide, it fits from 50 on: 550 to the left. What an inner box cuts off moves with that box.
    assert clips.box.tolist() == [
        [50, 10, 200, 27],
        [600, 0, 620, 20],
        [600, 10, 650, 27],
        [600, 10, 750, 27],
    ]
    assert clips.moved.tolist() == [True, False, False, False]
    short = page.clips(row_2=(-400.0, -3.0, 0.0, 0.0))
    assert short.box[0].tolist() == [200, 10, 350, 27]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        # Of 20 pixels of height 35 % are 7, of its width as many pixels.
        ((10, 43, 100, 20), Hidden.VISIBLE),
        ((10, 43.5, 100, 20), Hidden.CLIP),
        ((193, 10, 100, 20), Hidden.VISIBLE),
        ((193.5, 10, 100, 20), Hidden.CLIP),
        ((-93, 10, 100, 20), Hidden.VISIBLE),
        ((-93.5, 10, 100, 20), Hidden.CLIP),
        # Of narrow lines half is enough.
        ((198, 10, 4, 20), Hidden.VISIBLE),
        ((198.5, 10, 4, 20), Hidden.CLIP),
        # Of lines lower than a pixel 0.35 pixels.
        ((199.5, 10, 100, 0.5), Hidden.SIZE),
        ((199.75, 10, 100, 0.5), Hidden.CLIP),
    ],
)
def test_of_a_line_that_is_cut_off_a_third_must_be_left(layout, line, why):
    if line[2] == 4:
        # Two characters: nine would be squeezed.
        assert reasons(layout, (1, "DIV", BOX, CUT), (2, "ab", line)) == [why]
    else:
        assert reasons(layout, (1, "DIV", BOX, CUT), (2, "some text", line)) == [why]


def test_what_clips_has_no_margin_that_it_does_not_name(layout):
    clip = {"overflow-x": "clip", "overflow-y": "clip"}
    named = clip | {"overflow-clip-margin": "content-box 5px"}
    clips = layout((1, "DIV", BOX, named), (2, "some text", (0, 0, 300, 90))).clips()
    assert clips.clipped.tolist() == [[0, 0, 205, 55]]
    none = clip | {"overflow-clip-margin": "content-box"}
    clips = layout((1, "DIV", BOX, none), (2, "some text", (0, 0, 300, 90))).clips()
    assert clips.clipped.tolist() == [[0, 0, 200, 50]]
    hidden = CUT | {"overflow-clip-margin": "5px"}
    clips = layout((1, "DIV", BOX, hidden), (2, "some text", (0, 0, 300, 90))).clips()
    assert clips.clipped.tolist() == [[0, 0, 200, 50]]


@pytest.mark.parametrize(
    ("text", "line", "why"),
    [
        ("ab", (10, 10, 100, 4.9), Hidden.SIZE),
        ("ab", (10, 10, 100, 5), Hidden.VISIBLE),
        ("a", (10, 10, 100, 4.9), Hidden.VISIBLE),
        # 9 characters of 17 pixels take at least 0.07 * 17 * 9 = 10.71.
        ("some text", (10, 10, 10.7, 17), Hidden.SIZE),
        ("some text", (10, 10, 10.8, 17), Hidden.VISIBLE),
        ("a", (10, 10, 1, 17), Hidden.VISIBLE),
        # Turned by a right angle: at least 0.25 * 10 * 9 = 22.5 high, and 5 wide.
        ("some text", (10, 10, 10, 22.5), Hidden.VISIBLE),
        ("some text", (10, 10, 10, 22.4), Hidden.SIZE),
        ("some text", (10, 10, 5, 90), Hidden.VISIBLE),
        ("some text", (10, 10, 4.9, 90), Hidden.SIZE),
        # 2 of 20 characters are drawn: 0.07 * 17 * 20 * 2 / 20 = 2.38.
        ("ab" + "\u200b" * 18, (10, 10, 2.3, 17), Hidden.SIZE),
        ("ab" + "\u200b" * 18, (10, 10, 2.4, 17), Hidden.VISIBLE),
    ],
)
def test_lines_that_are_too_low_or_have_their_characters_on_one_spot(layout, text, line, why):
    assert reasons(layout, (1, "P", BOX), (2, text, line)) == [why]


def test_type_below_four_pixels_is_small(layout):
    def small(size):
        style = {"font-size": size}
        return rows_of(layout((1, "P", BOX, style), (2, "some text", style)).clips().small)

    assert [small(size) for size in ("0px", "0.5px", "3.9px", "4px", "16px")] == [[], [2], [2], [], []]
    style = {"font-size": "2px"}
    assert not layout((1, "SVG", BOX, style), (2, "TEXT", BOX, style), (3, "drawn", style)).clips().small.any()


@pytest.mark.parametrize(
    ("line", "left", "right"),
    [
        ((0, 10, 100, 17), 0, 1),
        ((150, 10, 100, 17), 0, 0.5),
        ((-30, 10, 100, 17), 0.3, 1),
        ((-50, 10, 400, 17), 0.125, 0.625),
        ((300, 10, 100, 17), 0, 0),
        ((-300, 10, 100, 17), 1, 1),
    ],
)
def test_the_visible_part_of_a_line(layout, line, left, right):
    found = layout((1, "DIV", BOX, CUT), (2, "some text", line)).clips().visible_part
    assert [float(part[0]) for part in found] == [left, right]


def test_what_is_scrolled_away_is_not_cut(layout):
    for root in ("HTML", "MAIN"):
        boxes = [(1, "DIV", BOX, SCROLLED)] if root == "HTML" else []
        page = layout(
            *boxes, (len(boxes) + 1, "some text", (-50, 10, 100, 17)), html={} if boxes else SCROLLED, root=root
        )
        assert [part.tolist() for part in page.clips().visible_part] == [[0], [1]]
    # Where nothing scrolls, half of it is before the page.
    assert layout((1, "some text", (-50, 10, 100, 17))).clips().visible_part[0].tolist() == [0.5]


def test_rotated_and_drawn_lines_have_no_visible_part(layout):
    line = (150, 10, 100, 17)
    turned = layout((1, "DIV", BOX, CUT), (2, "P", BOX, {"rotate": "x 20deg"}), (3, "some text", line))
    drawn = layout((1, "DIV", BOX, CUT), (2, "SVG", line), (3, "some text", line))
    for page in (turned, drawn):
        assert [part.tolist() for part in page.clips().visible_part] == [[0], [1]]


@pytest.mark.parametrize(
    ("radius", "line", "cornered"),
    [
        # A corner of 20 pixels takes 20 - 20 / sqrt(2) = 5.86 away on the diagonal, one of 12 takes 3.51.
        ("20px", (2, 2, 50, 17), True),
        ("20px", (2, 6, 50, 17), False),
        ("20px", (6, 2, 50, 17), False),
        ("20px", (6, 6, 188, 88), False),
        ("20px", (150, 2, 48, 17), True),
        ("20px", (150, 80, 48, 18), True),
        ("20px", (150, 70, 48, 24), False),
        ("20px", (2, 80, 48, 18), True),
        ("20px", (2, 70, 48, 18), False),
        ("12px", (2, 2, 50, 17), True),
        ("11.9px", (2, 2, 50, 17), False),
    ],
)
def test_text_in_a_corner_that_is_rounded_off(layout, radius, line, cornered):
    style = CUT | {"border-radius": radius}
    clips = layout(
        (1, "before", line), (1, "DIV", (0, 0, 200, 100), style), (2, "some text", line), (1, "after", line)
    ).clips()
    assert clips.in_round_corner.tolist() == [False, cornered, False]


@pytest.mark.parametrize(
    ("style", "line", "perhaps"),
    [
        # The box goes from 0 to 200 and to 50.
        ({}, (300, 10, 50, 17), False),
        ({"direction": "rtl"}, (199, 10, 50, 17), False),
        ({"direction": "rtl"}, (200, 10, 50, 17), True),
        ({"direction": "rtl"}, (10, 49, 50, 17), False),
        ({"direction": "rtl"}, (10, 50, 50, 17), True),
        ({"direction": "rtl", "overflow-y": "visible"}, (10, -16, 50, 17), False),
        ({"direction": "rtl", "overflow-y": "visible"}, (10, -17, 50, 17), True),
        ({"direction": "rtl", "overflow-x": "visible"}, (-49, 10, 50, 17), False),
        ({"direction": "rtl", "overflow-x": "visible"}, (-50, 10, 50, 17), True),
        # Before the head of what scrolls nothing should be reached.
        ({}, (10, -100, 50, 17), True),
        ({}, (-100, 10, 50, 17), True),
        ({}, (10, 10, 50, 17), False),
    ],
)
def test_what_a_box_that_scrolls_oddly_may_come_to(layout, style, line, perhaps):
    clips = layout((1, "DIV", BOX, SCROLLED | style), (2, "some text", line)).clips()
    assert scrollable(clips).tolist() == [perhaps]


def test_what_is_before_the_page_cannot_be_scrolled_to(layout):
    clips = layout((1, "some text", (10, -100, 50, 17))).clips()
    assert Hidden(geometry_reasons(clips)[0]) == Hidden.OFF_SCREEN
    assert not scrollable(clips).any()


def test_a_box_that_rests_at_stops(layout):
    snaps = SCROLLED | {"scroll-snap-type": "x mandatory"}
    for line, perhaps in (((200, 10, 50, 17), True), ((199, 10, 50, 17), False)):
        clips = layout((1, "DIV", BOX, snaps), (2, "some text", line)).clips()
        assert scrollable(clips).tolist() == [perhaps]
    # The box is in view from the beginning; what it shows stays below the window.
    page = layout((1, "DIV", (0, 650, 200, 50), snaps), (2, "some text", (10, 660, 50, 17)), size=(800, 3000))
    assert not scrollable(page.clips()).any()


def test_what_is_skipped_is_not_painted(layout):
    skipped = {"content-visibility": "hidden"}
    clips = layout((1, "DIV", BOX, skipped), (2, "inside"), (1, "outside")).clips()
    assert [Hidden(why) for why in geometry_reasons(clips)] == [Hidden.DISPLAY, Hidden.VISIBLE]


def test_what_is_invisible_is_not_painted(layout):
    gone = {"visibility": "hidden"}
    assert reasons(layout, (1, "P", BOX, gone), (2, "gone", gone), (2, "there")) == [Hidden.VISIBILITY, Hidden.VISIBLE]


@pytest.mark.parametrize("visible", [True, False])
def test_a_frame_that_is_invisible_shows_nothing(reply, visible):
    style = {} if visible else {"visibility": "hidden"}
    line = (0, 0, 60, 17)
    text = (1, None, "some text", line, {}, ((0, 9, line),))
    whole = [(-1, "#document", None, (0, 0, 800, 600), {}, ()), (0, "HTML", None, (0, 0, 800, 600), {}, ())]
    inner = [(-1, "#document", None, (0, 0, 300, 80), {}, ()), (0, "HTML", None, (0, 0, 300, 80), {}, ())]
    frame = (1, "IFRAME", None, (0, 30, 300, 80), style, ())
    built = reply().document([*whole, frame, text], frames=[(2, 1)]).document([*inner, text])
    inside, outside = (Hidden.VISIBLE if visible else Hidden.VISIBILITY), Hidden.VISIBLE
    assert built.page(placements={1: (0, 30, 1, 1)}).hidden.tolist() == [inside, outside]


def test_text_written_as_points_draws_nothing(layout):
    masked = {"-webkit-text-security": "disc"}
    assert reasons(layout, (1, "P", BOX, masked), (2, "secret", masked), (2, "open")) == [
        Hidden.GLYPHS,
        Hidden.VISIBLE,
    ]


def test_a_line_without_area(layout):
    for line in ((10, 10, 0, 17), (10, 10, 100, 0)):
        assert reasons(layout, (1, "P", BOX), (2, "some text", line)) == [Hidden.ZERO_AREA]


def test_geometry_reasons_definitions(layout):
    clips = layout(
        (1, "SVG", BOX),  # 1
        (2, "DEFS", BOX),  # 2
        (3, "TEXT", BOX, {}, {"id": "lent"}),
        (4, "used"),
        (3, "TEXT", BOX, {}, {"id": "kept"}),  # 5
        (4, "unused"),
        (2, "USE", BOX, {}, {"href": "#lent"}),  # 7
        (2, "G", BOX, {}, {"id": "lent"}),  # 8
        (3, "painted"),
        (1, "MARKER", BOX),  # 10: no part of a drawing
        (2, "plain"),
    ).clips()
    assert rows_of(clips.unpainted.used_definitions) == [3, 4]
    assert [Hidden(why) for why in geometry_reasons(clips)] == [
        Hidden.DISPLAY,
        Hidden.DISPLAY,
        Hidden.VISIBLE,
        Hidden.VISIBLE,
    ]


@pytest.mark.parametrize(
    ("use", "lent"),
    [
        ((2, "USE", BOX, {}, {"href": "#part"}), True),
        ((2, "USE", BOX, {}, {"xlink:href": "#part"}), True),
        ((2, "A", BOX, {}, {"href": "#part"}), False),
        ((2, "RECT", BOX, {}, {"fill": "url(#part)"}), True),
        ((2, "RECT", BOX, {"clip-path": 'url("#part")'}), True),
        ((2, "RECT", BOX, {"mask-image": 'url("#part")'}), True),
        ((2, "USE", BOX, {}, {"href": "#other"}), False),
        ((2, "USE", BOX), False),
    ],
    ids=["use", "older use", "link", "attribute", "clip path", "mask", "another part", "nothing"],
)
def test_used_definitions(layout, use, lent):
    clips = layout((1, "SVG", BOX), (2, "PATTERN", BOX, {}, {"id": "part"}), (3, "TEXT", BOX), (4, "used"), use).clips()
    assert rows_of(clips.unpainted.used_definitions) == ([2, 3, 4] if lent else [])
