"""What lies behind and over the points of a line; rows count from the root, which is 0.

A line from 0 to 100 is looked at in 2, 14, 26, 38, 50, 62, 74, 86 and 98.
"""

from dataclasses import replace

import numpy as np
import pytest

BLACK = {"background-color": "rgb(0, 0, 0)"}
FIXED, STICKY = {"position": "fixed"}, {"position": "sticky"}
SCROLLED = {"overflow-x": "auto", "overflow-y": "auto"}
WHOLE = (0, 0, 800, 600)
LINE = (0, 10, 100, 20)


def dark(occlusion, line=0):
    """The points of a line behind which everything is black."""
    return np.flatnonzero(occlusion.high[line].max(axis=1) == 0).tolist()


def covered(occlusion, line=0):
    """The points of a line that something lies over."""
    return np.flatnonzero(occlusion.over[line] >= 0).tolist()


ALL = list(range(9))


@pytest.mark.parametrize(
    ("box", "points"),
    [
        (WHOLE, ALL),
        ((14, 0, 36, 600), [1, 2, 3]),
        ((13, 0, 38, 600), [1, 2, 3, 4]),
        # The middle of the line is at 20.
        ((0, 20, 100, 5), ALL),
        ((0, 20.5, 100, 5), []),
        ((0, 10, 100, 10), []),
        ((0, 10, 100, 10.5), ALL),
    ],
)
def test_a_box_is_behind_and_over_its_points(layout, box, points):
    assert dark(layout((1, "DIV", box, BLACK), (1, "some text", LINE)).occlusion()) == points
    assert covered(layout((1, "some text", LINE), (1, "DIV", box, BLACK)).occlusion()) == points


@pytest.mark.parametrize(("box", "row"), [((0, 0, 51, 60), 1), ((0, 0, 50, 60), 0), ((50, 0, 50, 60), 1)])
def test_what_is_behind_the_middle(layout, box, row):
    page = layout((1, "DIV", box, BLACK), (1, "some text", LINE), html={"background-color": "rgb(9, 9, 9)"})
    assert page.occlusion().behind.tolist() == [row]


def test_colors_are_mixed_as_they_are_painted(layout):
    # A fifth of black over white leaves 255 * 0.8 = 204, over that a fifth of red 204 * 0.8 and 51 more of red.
    veils = [(1, "DIV", WHOLE, {"background-color": f"rgba({red}, 0, 0, 0.2)"}) for red in (0, 255)]
    found = layout(*veils, (1, "some text", LINE)).occlusion()
    assert np.allclose(found.low[0], [214.2, 163.2, 163.2])
    assert np.allclose(found.high[0], found.low[0])


def test_an_image_may_have_every_color(layout):
    found = layout((1, "IMG", (0, 0, 50, 60)), (1, "some text", LINE)).occlusion()
    assert found.low[0, :, 0].tolist() == [0, 0, 0, 0, 255, 255, 255, 255, 255]
    assert found.high[0].min() == found.high[0].max() == 255
    # A fifth of black over it: what may be white is 204 at most.
    veil = (1, "DIV", WHOLE, {"background-color": "rgba(0, 0, 0, 0.2)"})
    found = layout((1, "IMG", WHOLE), veil, (1, "some text", LINE)).occlusion()
    assert (found.low[0].max(), found.high[0].min()) == (0, 204)


@pytest.mark.parametrize(("opacity", "thick"), [("0.24", False), ("0.25", True)])
def test_a_quarter_of_opacity_is_a_ground_and_a_cover(layout, opacity, thick):
    veil = (1, "DIV", WHOLE, BLACK | {"opacity": opacity})
    assert layout(veil, (1, "some text", LINE)).occlusion().behind.tolist() == [1 if thick else -1]
    assert covered(layout((1, "some text", LINE), veil).occlusion()) == (ALL if thick else [])


def test_two_thin_veils_cover_as_one_thick_one(layout):
    veils = [(1, "DIV", box, BLACK | {"opacity": "0.2"}) for box in (WHOLE, (0, 0, 50, 60))]
    # 1 - 0.8 * 0.8 = 0.36, the later of both is reported.
    found = layout((1, "some text", LINE), *veils).occlusion()
    assert found.over[0].tolist() == [3, 3, 3, 3, -1, -1, -1, -1, -1]


@pytest.mark.parametrize(
    ("box", "behind"),
    [((0, 240, 800, 360), True), ((0, 0, 800, 360), True), ((0, 241, 800, 359), False), ((0, 300, 800, 300), False)],
)
def test_a_large_fixed_layer_is_behind_the_whole_page(layout, box, behind):
    page = layout((1, "DIV", box, BLACK | FIXED), (1, "some text", (0, 2500, 100, 20)), size=(800, 3000))
    assert dark(page.occlusion()) == (ALL if behind else [])


def test_most_of_a_window_that_begins_farther_down(layout):
    # From 100 to 700 it is 600 high; 60 % are 360.
    page = layout((1, "DIV", (0, 100, 800, 400), BLACK | FIXED), (1, "some text", (0, 2500, 100, 20)), size=(800, 3000))
    page = replace(page, frames=(replace(page.frames[0], window=(0, 100, 800, 700)),))
    assert dark(page.occlusion()) == ALL


def test_fixed_layers_are_behind_fixed_text(layout):
    bar = (1, "DIV", (0, 0, 800, 60), BLACK | FIXED)
    assert dark(layout(bar, (2, "some text", LINE)).occlusion()) == ALL
    assert dark(layout(bar, (1, "some text", LINE)).occlusion()) == []
    note = (1, "DIV", (0, 0, 800, 60), FIXED)
    assert covered(layout(note, (2, "some text", LINE), bar).occlusion()) == ALL


def test_what_boxes_scroll_has_the_ground_behind_its_box(layout):
    # The second box is on black; what it scrolls is laid out 300 pixels below it.
    page = layout(
        (1, "DIV", (200, 100, 200, 50), BLACK),
        (1, "DIV", (0, 100, 200, 50), SCROLLED),
        (2, "on white", (10, 420, 100, 20)),
        (1, "DIV", (200, 100, 200, 50), SCROLLED),
        (2, "on black", (210, 420, 100, 20)),
        (1, "DIV", (400, 100, 200, 50), SCROLLED),
        (2, "on white", (410, 420, 100, 20)),
    )
    found = page.occlusion()
    assert [dark(found, line) for line in range(3)] == [[], ALL, []]
    assert found.behind.tolist() == [-1, 1, -1]


def test_a_cover_of_a_scroller_covers_its_content(layout):
    def over(wide):
        # The box goes from 0 to 100: points as those of the line.
        page = layout(
            (1, "DIV", (0, 100, 100, 50), SCROLLED), (2, "some text", (0, 420, 100, 20)),
            (1, "P", (0, 100, wide, 50), BLACK),
        )  # fmt: skip
        return covered(page.occlusion())

    assert over(51) == ALL  # 5 of 9 points
    assert over(50) == []


@pytest.mark.parametrize(
    ("box", "line", "points"),
    [
        # A page of one window: what is behind the bar stays there.
        ((0, 0, 800, 40), (0, 29, 100, 20), ALL),
        ((0, 0, 800, 40), (0, 30, 100, 20), []),
        ((14, 0, 36, 40), (0, 10, 100, 20), [1, 2, 3]),
        ((0, 540, 800, 60), (0, 530.2, 100, 20), ALL),
        ((0, 540, 800, 60), (0, 529.8, 100, 20), []),
    ],
)
def test_a_bar_covers_what_cannot_be_scrolled_out_of_it(layout, box, line, points):
    page = layout((1, "some text", line), (1, "DIV", box, BLACK | FIXED))
    assert covered(page.occlusion()) == points
    # What is painted later than the bar lies over it.
    assert covered(layout((1, "DIV", box, BLACK | FIXED), (1, "some text", line)).occlusion()) == []


@pytest.mark.parametrize(("middle", "over"), [(2950, True), (2930, False), (400, False)])
def test_the_end_of_a_page_stays_under_a_bar_at_the_bottom(layout, middle, over):
    # Scrolled to its end, 2400, the page has the line at 550 or at 530; the bar begins at 540.
    bar = (1, "DIV", (0, 540, 800, 60), BLACK | FIXED)
    page = layout((1, "some text", (0, middle - 10, 100, 20)), bar, size=(800, 3000))
    assert bool(covered(page.occlusion())) == over


def test_how_far_a_window_that_begins_farther_down_is_scrolled(layout):
    # 3000 - 600 = 2400: the line at 3050 comes to 650, under the bar from 640 on.
    bar = (1, "DIV", (0, 640, 800, 60), BLACK | FIXED)
    page = layout((1, "some text", (0, 3040, 100, 20)), bar, size=(800, 3000))
    page = replace(page, frames=(replace(page.frames[0], window=(0, 100, 800, 700)),))
    assert covered(page.occlusion()) == ALL


def test_a_window_that_cannot_be_scrolled_leaves_a_line_where_it_is(layout):
    bar = (1, "DIV", (0, 0, 800, 60), BLACK | FIXED)
    still = {"overflow-x": "hidden", "overflow-y": "hidden"}
    line = (1, "some text", (0, 20, 100, 20))
    assert covered(layout(line, bar, size=(800, 3000), html=still).occlusion()) == ALL
    low = (1, "some text", (0, 300, 100, 20))
    assert covered(layout(low, bar, size=(800, 3000), html=still).occlusion()) == []


@pytest.mark.parametrize(("high", "over"), [(600, True), (590, False), (350, False)])
def test_what_is_stuck_covers_all_if_it_fills_the_window(layout, high, over):
    # Stuck, it goes from 0 to its height; the lowest place of the line is at 590.
    page = layout(
        (1, "some text", (0, 2000, 100, 20)), (1, "DIV", (0, 1000, 800, high), BLACK | STICKY), size=(800, 3000)
    )
    assert bool(covered(page.occlusion())) == over


def test_a_transparent_sticky_layer_covers_nothing(layout):
    veil = STICKY | {"background-color": "rgba(0, 0, 0, 0.2)"}
    page = layout((1, "some text", (0, 2000, 100, 20)), (1, "DIV", (0, 1000, 800, 600), veil), size=(800, 3000))
    assert covered(page.occlusion()) == []
