"""Clip rectangles, on snapshots written by hand."""

import numpy as np
import pytest
from blocksight.page.hidden import Hidden
from blocksight.render.chromium.snapshot.capture import decode_snapshot

HTML = [(-1, "#document", None, (0, 0, 800, 600), {}, ()), (0, "HTML", None, (0, 0, 800, 600), {}, ())]


def text(parent, box, style=None):
    return (parent, None, "some text", box, style or {}, ((0, 9, box),))


@pytest.fixture
def reasons(reply):
    """Why the only text is not seen: below HTML, BODY and the elements given, each in the one before."""

    def made(*elements, line=(0, 0, 60, 17), html=None, body=None, size=(800, 600)):
        rows = [HTML[0], (0, "HTML", None, (0, 0, *size), html or {}, ())]
        rows.append((1, "BODY", None, (0, 0, *size), body or {}, ()))
        for number, (box, style) in enumerate(elements):
            rows.append((number + 2, "DIV", None, box, style, ()))
        rows.append(text(len(rows) - 1, line))
        built = reply().document(rows)
        built.documents[0] |= {"contentWidth": size[0], "contentHeight": size[1]}
        return [Hidden(why) for why in built.page().hidden.tolist()]

    return made


BOX = (0, 0, 200, 50)


@pytest.mark.parametrize(
    ("elements", "line", "why"),
    [
        ([(BOX, {"overflow-x": "hidden", "overflow-y": "hidden"})], (0, 60, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-x": "hidden", "overflow-y": "hidden"})], (0, 45, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-x": "hidden", "overflow-y": "hidden"})], (0, 40, 60, 17), Hidden.VISIBLE),
        ([(BOX, {"overflow-x": "auto", "overflow-y": "auto"})], (0, 5000, 60, 17), Hidden.VISIBLE),
        ([((0, 0, 2, 50), {"overflow-x": "auto", "overflow-y": "auto"})], (0, 0, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-x": "auto", "overflow-y": "auto"})], (-500, 0, 60, 17), Hidden.OFF_SCREEN),
        ([(BOX, {"overflow-x": "clip", "overflow-y": "clip"})], (0, 60, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-x": "clip", "overflow-y": "clip", "overflow-clip-margin": "40px"})], (0, 60, 60, 17),
         Hidden.VISIBLE),
        ([(BOX, {"contain": "strict"})], (0, 60, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-y": "hidden"}), (BOX, {"position": "absolute"})], (0, 60, 60, 17), Hidden.VISIBLE),
        ([(BOX, {"overflow-y": "hidden", "will-change": "transform"}), (BOX, {"position": "fixed"})], (0, 60, 60, 17),
         Hidden.CLIP),
        ([(BOX, {"overflow-y": "hidden", "filter": "drop-shadow(rgb(0, 0, 0) 0px 0px 1px)"}),
          (BOX, {"position": "absolute"})], (0, 60, 60, 17), Hidden.CLIP),
        ([(BOX, {"overflow-y": "hidden", "display": "inline"})], (0, 60, 60, 17), Hidden.VISIBLE),
        ([(BOX, {"position": "fixed"})], (0, 590, 60, 17), Hidden.VISIBLE),
        ([(BOX, {"position": "fixed"})], (0, 650, 60, 17), Hidden.OFF_SCREEN),
        ([(BOX, {"position": "fixed"})], (900, 0, 60, 17), Hidden.OFF_SCREEN),
    ],
)  # fmt: skip
def test_clips_and_scrollers(reasons, elements, line, why):
    assert reasons(*elements, line=line, size=(800, 3000)) == [why]


@pytest.mark.parametrize(
    ("box", "line", "why"),
    [
        # Of a line of 17 pixels 5.95 must be left, upright or not.
        ((0, 0, 200, 6), (0, 0, 60, 17), Hidden.VISIBLE),
        ((0, 0, 200, 5.9), (0, 0, 60, 17), Hidden.CLIP),
        ((0, 0, 6, 200), (0, 0, 17, 60), Hidden.VISIBLE),
        ((0, 0, 5.9, 200), (0, 0, 17, 60), Hidden.CLIP),
    ],
)
def test_a_box_that_scrolls_shows_a_part_of_the_height_of_a_line(reasons, box, line, why):
    assert reasons((box, {"overflow-x": "auto", "overflow-y": "auto"}), line=line) == [why]


@pytest.mark.parametrize(
    ("html", "body", "line", "why"),
    [
        ({}, {}, (0, 2000, 60, 17), Hidden.VISIBLE),
        ({}, {"overflow-x": "hidden", "overflow-y": "hidden"}, (0, 2000, 60, 17), Hidden.OFF_SCREEN),
        ({"overflow-y": "clip"}, {}, (0, 2000, 60, 17), Hidden.OFF_SCREEN),
        ({"overflow-y": "hidden"}, {"overflow-x": "auto", "overflow-y": "auto"}, (0, 2000, 60, 17), Hidden.VISIBLE),
        ({}, {"overflow-x": "hidden"}, (0, 2000, 60, 17), Hidden.VISIBLE),
        ({}, {"overflow-x": "hidden"}, (900, 0, 60, 17), Hidden.OFF_SCREEN),
        ({}, {}, (900, 0, 60, 17), Hidden.VISIBLE),
        ({"direction": "rtl"}, {}, (-150, 0, 60, 17), Hidden.VISIBLE),
        ({"direction": "rtl"}, {}, (900, 0, 60, 17), Hidden.OFF_SCREEN),
        ({"writing-mode": "vertical-rl"}, {}, (-150, 0, 60, 17), Hidden.VISIBLE),
    ],
)
def test_the_window_scrolls_as_root_and_body_say(reasons, html, body, line, why):
    assert reasons(line=line, html=html, body=body, size=(1000, 3000)) == [why]


def test_a_frame_is_a_window(reply):
    def page(frame, line, place, inner_html=None):
        outer = [*HTML, (1, "IFRAME", None, frame, {}, ())]
        inner = [
            (-1, "#document", None, (0, 0, *frame[2:]), {}, ()),
            (0, "HTML", None, (0, 0, *frame[2:]), inner_html or {}, ()),
            text(1, line),
        ]
        built = reply().document(outer, frames=[(2, 1)]).document(inner)
        built.documents[1] |= {"contentWidth": 300, "contentHeight": 900}
        return built.page(placements={1: place}).hidden.tolist()

    assert page((10, 10, 300, 80), (0, 0, 60, 17), (10, 10, 1, 1)) == [Hidden.VISIBLE]
    assert page((10, 10, 300, 80), (0, 500, 60, 17), (10, 10, 1, 1)) == [Hidden.VISIBLE]
    assert page((10, 10, 300, 80), (0, 500, 60, 17), (10, 10, 1, 1), {"overflow-y": "hidden"}) == [Hidden.OFF_SCREEN]
    assert page((10, 10, 1, 1), (0, 0, 60, 17), (10, 10, 1, 1)) == [Hidden.CLIP]
    assert page((-900, 10, 300, 80), (0, 0, 60, 17), (-900, 10, 1, 1)) == [Hidden.CLIP]


INF = np.inf
CUT = {"overflow-x": "hidden", "overflow-y": "hidden"}
SCROLLED = {"overflow-x": "auto", "overflow-y": "auto"}


@pytest.mark.parametrize(
    ("style", "low", "high"),
    [
        (CUT, [20, 30], [220, 80]),
        ({"overflow-x": "hidden"}, [20, -INF], [220, INF]),
        ({"overflow-y": "hidden"}, [-INF, 30], [INF, 80]),
        # Only what is clipped in space of its own has an edge; what scrolls has another surface.
        (SCROLLED, [-INF, -INF], [INF, INF]),
        ({"overflow-x": "hidden", "overflow-y": "auto"}, [20, -INF], [220, INF]),
        (SCROLLED | {"contain": "paint"}, [20, 30], [220, 80]),
    ],
)
def test_a_box_cuts_off_by_axes(layout, style, low, high):
    found = layout((1, "DIV", (20, 30, 200, 50), style), (2, "some text")).clips().rects
    window = found.index[2]
    assert found.index[1] == 1
    assert found.row[window] == 1
    assert (found.low[window].tolist(), found.high[window].tolist()) == (low, high)


def test_boxes_in_boxes_cut_off_what_both_cut_off(layout):
    found = (
        layout((1, "DIV", (0, 0, 200, 50), CUT), (2, "DIV", (100, 20, 300, 10), CUT), (3, "inner"), (2, "outer"))
        .clips()
        .rects
    )
    inner, outer = found.index[[3, 4]]
    assert (found.low[inner].tolist(), found.high[inner].tolist()) == ([100, 20], [200, 30])
    assert (found.low[outer].tolist(), found.high[outer].tolist()) == ([0, 0], [200, 50])


@pytest.mark.parametrize(("wide", "slit"), [(4, False), (3.9, True)])
def test_nothing_is_read_through_a_slit_of_less_than_four_pixels(layout, wide, slit):
    for box in ((0, 0, wide, 50), (0, 0, 200, wide), (-100, 0, 100 + wide, 50)):
        page = layout((1, "DIV", box, SCROLLED), (2, "DIV", BOX, CUT), (3, "some text", (10, 10, 20, 3)))
        assert (Hidden(page.reasons()[0]) == Hidden.CLIP) == slit
    # Partly behind the edge of a box around it.
    page = layout((1, "DIV", BOX, CUT), (2, "DIV", (200 - wide, 0, 90, 40), SCROLLED), (3, "text", (196, 10, 20, 3)))
    assert (Hidden(page.reasons()[0]) == Hidden.CLIP) == slit


def test_what_escapes_from_what_cuts_off(layout):
    def through(outer, inner):
        page = layout((1, "DIV", BOX, CUT | outer), (2, "P", BOX, inner), (3, "some text"))
        found = page.clips().rects
        return int(found.row[found.index[3]]), bool(found.fixed[found.index[3]])

    absolute, fixed = {"position": "absolute"}, {"position": "fixed"}
    held, placed = {"filter": "blur(1px)"}, {"position": "relative"}
    assert through({}, {}) == through({}, placed) == (1, False)
    assert through({}, absolute) == (0, False)
    assert through({}, fixed) == through(placed, fixed) == (0, True)
    assert through(placed, absolute) == through(held, absolute) == through(held, fixed) == (1, False)


@pytest.mark.parametrize(
    ("cut", "top", "lost"),
    [
        # Of the 300 pixels of the inner box the first 60 are visible: what is below them may come there, or not.
        ((0, 0, 200, 60), 10, False),
        ((0, 0, 200, 60), 59, False),
        ((0, 0, 200, 60), 500, True),
        # Its pixels from 50 to 110 are visible: nothing brings down what is above them.
        ((0, 50, 200, 60), 34, False),
        ((0, 50, 200, 60), 33, True),
        ((0, 0, 200, 300), 983, False),
    ],
)
def test_some_lines_stay_in_the_clipped_part_of_a_scroller(reply, cut, top, lost):
    rows = [
        *HTML,
        (1, "DIV", None, cut, CUT, ()),
        (2, "DIV", None, (0, 0, 200, 300), SCROLLED, ()),
        (3, "DIV", None, (0, 0, 200, 1000), {}, ()),
        text(4, (0, top, 60, 17)),
    ]
    built = reply().document(rows)
    snapshot = {"strings": built.strings, "documents": built.documents}
    found = decode_snapshot(snapshot, url="http://x/", viewport=(800.0, 600.0)).visibility
    assert (bool(found.uncertain[0]), Hidden(found.fallback[0]) == Hidden.OFF_SCREEN) == (lost, lost)
