"""What lies behind and over lines; rows count from the root, which is 0.

Of a line from 10 to 30 the letters are from 13 to 27.
"""

from dataclasses import replace

import numpy as np
import pytest

BLACK = {"background-color": "rgb(0, 0, 0)"}
FIXED, STICKY = {"position": "fixed"}, {"position": "sticky"}
SCROLLED = {"overflow-x": "auto", "overflow-y": "auto"}
WHOLE = (0, 0, 800, 600)
LINE = (0, 10, 100, 20)


def dark(grounds, line=0):
    """Whether a line is on black."""
    return grounds.color[line].tolist() == [0, 0, 0]


def covered(grounds, line=0):
    """Whether most of a line is covered."""
    return bool(grounds.cover[line] >= 0)


@pytest.mark.parametrize(
    ("box", "is_ground", "touched", "cover"),
    [
        (WHOLE, True, True, True),
        # Half of the line, and less than half of it.
        ((0, 0, 50, 600), None, True, True),
        ((0, 0, 48, 600), None, True, False),
        ((0, 0, 3, 600), None, True, False),
        ((100, 0, 50, 600), False, False, False),
        # Between any two points, and in any row.
        ((70, 12, 6, 9), None, True, False),
        ((0, 13, 100, 14), True, True, True),
        ((0, 14, 100, 13), None, True, True),
        ((0, 19, 100, 2), None, True, False),
        ((0, 27, 100, 5), False, False, False),
        ((0, 0, 100, 13), False, False, False),
    ],
)
def test_a_box_behind_and_over_a_line(layout, box, is_ground, touched, cover):
    behind = layout((1, "DIV", box, BLACK), (1, "some text", LINE)).grounds()
    expected = {True: [0, 0, 0], False: [255, 255, 255], None: [np.nan] * 3}[is_ground]
    assert np.array_equal(behind.color[0], expected, equal_nan=True)
    assert not behind.touched[0]
    over = layout((1, "some text", LINE), (1, "DIV", box, BLACK)).grounds()
    assert (bool(over.touched[0]), covered(over)) == (touched, cover)
    assert over.color[0].tolist() == [255, 255, 255]


def test_colors_are_mixed_as_they_are_painted(layout):
    # A fifth of black over white leaves 255 * 0.8 = 204, over that a fifth of red 204 * 0.8 and 51 more of red.
    veils = [(1, "DIV", WHOLE, {"background-color": f"rgba({red}, 0, 0, 0.2)"}) for red in (0, 255)]
    found = layout(*veils, (1, "some text", LINE)).grounds()
    assert np.allclose(found.color[0], [214.2, 163.2, 163.2])


def test_only_an_opaque_color_over_an_image_is_known(layout):
    for alpha, known in ((0.2, False), (1, True)):
        veil = (1, "DIV", WHOLE, {"background-color": f"rgba(0, 0, 0, {alpha})"})
        found = layout((1, "IMG", WHOLE), veil, (1, "some text", LINE)).grounds()
        assert np.isfinite(found.color[0]).all() == known


@pytest.mark.parametrize(("opacity", "thick"), [("0.24", False), ("0.25", True)])
def test_a_quarter_of_opacity_is_a_ground_and_a_cover(layout, opacity, thick):
    veil = (1, "DIV", WHOLE, BLACK | {"opacity": opacity})
    assert layout(veil, (1, "some text", LINE)).grounds().row.tolist() == [1 if thick else -1]
    assert covered(layout((1, "some text", LINE), veil).grounds()) == thick


def test_a_thin_veil_touches(layout):
    found = layout((1, "some text", LINE), (1, "DIV", WHOLE, BLACK | {"opacity": "0.2"})).grounds()
    assert (bool(found.touched[0]), covered(found)) == (True, False)


def test_covers_side_by_side_cover_together(layout):
    covers = [(1, "DIV", (30 * number, 0, 30, 60), BLACK) for number in range(2)]
    assert covered(layout((1, "some text", LINE), *covers).grounds())
    assert not covered(layout((1, "some text", LINE), covers[0]).grounds())


def test_what_is_in_the_hole_of_a_frame_is_not_touched(layout):
    border = {"border-width": "10px", "border-color": "rgb(0, 0, 0)"}
    for box, touched in (((-20, -20, 200, 90), False), ((-5, -20, 200, 90), True)):
        assert bool(layout((1, "some text", LINE), (1, "DIV", box, border)).grounds().touched[0]) == touched
        behind = layout((1, "DIV", box, border), (2, "some text", LINE)).grounds()
        assert np.isnan(behind.color[0]).any() == touched


@pytest.mark.parametrize(
    ("box", "behind"),
    [((0, 240, 800, 360), True), ((0, 0, 800, 360), True), ((0, 241, 800, 359), False), ((0, 300, 800, 300), False)],
)
def test_a_large_fixed_layer_is_behind_the_whole_page(layout, box, behind):
    page = layout((1, "DIV", box, BLACK | FIXED), (1, "some text", (0, 2500, 100, 20)), size=(800, 3000))
    assert dark(page.grounds()) == behind


def test_most_of_a_window_that_begins_farther_down(layout):
    # From 100 to 700 it is 600 high; 60 % are 360.
    page = layout((1, "DIV", (0, 100, 800, 400), BLACK | FIXED), (1, "some text", (0, 2500, 100, 20)), size=(800, 3000))
    page = replace(page, frames=(replace(page.frames[0], window=(0, 100, 800, 700)),))
    assert dark(page.grounds())


def test_fixed_layers_are_behind_fixed_text(layout):
    bar = (1, "DIV", (0, 0, 800, 60), BLACK | FIXED)
    assert dark(layout(bar, (2, "some text", LINE)).grounds())
    assert not dark(layout(bar, (1, "some text", LINE)).grounds())
    note = (1, "DIV", (0, 0, 800, 60), FIXED)
    assert covered(layout(note, (2, "some text", LINE), bar).grounds())


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
    found = page.grounds()
    assert [dark(found, line) for line in range(3)] == [False, True, False]
    assert found.row[:3].tolist() == [-1, 1, -1]


def test_a_cover_of_a_scroller_covers_its_content(layout):
    def over(wide):
        page = layout(
            (1, "DIV", (0, 100, 100, 50), SCROLLED), (2, "some text", (0, 420, 100, 20)),
            (1, "P", (0, 100, wide, 50), BLACK),
        )  # fmt: skip
        return covered(page.grounds())

    assert over(50)
    assert not over(40)


@pytest.mark.parametrize(
    ("box", "line", "over"),
    [
        # A page of one window: what is behind the bar stays there.
        ((0, 0, 800, 40), (0, 29, 100, 20), True),
        ((0, 0, 800, 40), (0, 37, 100, 20), False),
        ((14, 0, 36, 40), (0, 10, 100, 20), True),
        ((114, 0, 36, 40), (0, 10, 100, 20), False),
        ((0, 540, 800, 60), (0, 530.2, 100, 20), True),
        ((0, 540, 800, 60), (0, 523, 100, 20), False),
    ],
)
def test_a_bar_covers_what_cannot_be_scrolled_out_of_it(layout, box, line, over):
    page = layout((1, "some text", line), (1, "DIV", box, BLACK | FIXED))
    found = page.grounds()
    # Pictures show whether it can be scrolled out.
    assert (bool(found.touched[0]), covered(found)) == (over, False)
    # What is painted later than the bar lies over it.
    assert not layout((1, "DIV", box, BLACK | FIXED), (1, "some text", line)).grounds().touched[0]


@pytest.mark.parametrize(("middle", "over"), [(2950, True), (2930, False), (400, False)])
def test_the_end_of_a_page_stays_under_a_bar_at_the_bottom(layout, middle, over):
    # Scrolled to its end, 2400, the page has the line at 550 or at 530; the bar begins at 540.
    bar = (1, "DIV", (0, 540, 800, 60), BLACK | FIXED)
    page = layout((1, "some text", (0, middle - 10, 100, 20)), bar, size=(800, 3000))
    assert page.grounds().touched[0] == over


def test_how_far_a_window_that_begins_farther_down_is_scrolled(layout):
    # 3000 - 600 = 2400: the line at 3050 comes to 650, under the bar from 640 on.
    bar = (1, "DIV", (0, 640, 800, 60), BLACK | FIXED)
    page = layout((1, "some text", (0, 3040, 100, 20)), bar, size=(800, 3000))
    page = replace(page, frames=(replace(page.frames[0], window=(0, 100, 800, 700)),))
    assert page.grounds().touched[0]


def test_a_window_that_cannot_be_scrolled_leaves_a_line_where_it_is(layout):
    bar = (1, "DIV", (0, 0, 800, 60), BLACK | FIXED)
    still = {"overflow-x": "hidden", "overflow-y": "hidden"}
    line = (1, "some text", (0, 20, 100, 20))
    assert layout(line, bar, size=(800, 3000), html=still).grounds().touched[0]
    low = (1, "some text", (0, 300, 100, 20))
    assert not layout(low, bar, size=(800, 3000), html=still).grounds().touched[0]


@pytest.mark.parametrize(("high", "over"), [(600, True), (590, True), (350, False)])
def test_what_is_stuck_covers_all_if_it_fills_the_window(layout, high, over):
    page = layout(
        (1, "some text", (0, 2000, 100, 20)), (1, "DIV", (0, 1000, 800, high), BLACK | STICKY), size=(800, 3000)
    )
    assert covered(page.grounds()) == over


def test_a_transparent_sticky_layer_covers_nothing(layout):
    veil = STICKY | {"background-color": "rgba(0, 0, 0, 0.2)"}
    page = layout((1, "some text", (0, 2000, 100, 20)), (1, "DIV", (0, 1000, 800, 600), veil), size=(800, 3000))
    assert not covered(page.grounds())
