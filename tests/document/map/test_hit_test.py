"""Hit tests on snapshots written by hand: boxes of 100 by 40 pixels in a window of 800 by 600."""

import pytest
from blocksight.document.map.hit_test import POINTS, HitTest

WINDOW = [0, 0, 800, 600]


@pytest.fixture
def hit(reply):
    """Hit test of the element with the number 3 (html, body, the element); others follow."""

    def test(box, *others, style=None, height=600, around=None):
        rows = [
            (-1, "#document", None, WINDOW, {}, []),
            (0, "HTML", None, WINDOW, {}, []),
            (1, "BODY", None, WINDOW, {}, []),
        ]
        if around is not None:
            rows.append((2, "DIV", None, *around, []))
        rows.append((len(rows) - 1, "BUTTON", None, box, style or {}, []))
        target = len(rows) - 2
        rows += [(2, "DIV", None, other, changes, []) for other, changes in others]
        built = reply().document(rows)
        built.documents[0]["contentHeight"] = height
        return HitTest(built.page()).of(target)

    return test


def test_a_free_element_is_hit_in_its_middle(hit):
    result = hit([10, 20, 100, 40])
    assert result.point == (60.0, 40.0)
    assert result.is_middle
    assert (result.free, result.cover, result.box) == (1.0, -1, (10.0, 20.0, 110.0, 60.0))


def test_a_transparent_box_over_it_takes_the_click(hit):
    result = hit([10, 20, 100, 40], ([0, 0, 300, 300], {"position": "absolute"}))
    assert (result.point, result.free, result.cover) == (None, 0.0, 3)


def test_a_box_that_ignores_the_pointer_takes_none(hit):
    result = hit([10, 20, 100, 40], ([0, 0, 300, 300], {"position": "absolute", "pointer-events": "none"}))
    assert result.point == (60.0, 40.0)


def test_an_element_that_ignores_the_pointer_cannot_be_clicked(hit):
    assert hit([10, 20, 100, 40], style={"pointer-events": "none"}).point is None


def test_an_invisible_box_covers_nothing(hit):
    assert hit([10, 20, 100, 40], ([0, 0, 300, 300], {"visibility": "hidden"})).free == 1.0


def test_a_box_below_covers_nothing(hit):
    result = hit([10, 20, 100, 40], ([0, 0, 300, 300], {"position": "absolute", "z-index": "-1"}))
    assert result.free == 1.0


def test_of_a_partly_covered_element_the_rest_is_hit(hit):
    # The cover ends at x = 80: of the shares .1, .3, .5, .7 and .9 of the width, .7 and .9 are free.
    result = hit([10, 20, 100, 40], ([0, 0, 80, 300], {"position": "absolute"}))
    assert result.free == pytest.approx(0.4)
    assert not result.is_middle
    assert result.point == (80.0, 40.0)
    assert len(POINTS) == 15


def test_a_fixed_bar_does_not_cover_what_scrolling_moves(hit):
    bar = ([0, 0, 800, 100], {"position": "fixed"})
    # At the top of a page that scrolls nothing moves it down, but in the middle there is room.
    assert hit([10, 20, 100, 40], bar, height=2000).point is None
    assert hit([10, 300, 100, 40], bar, height=2000).point == (60.0, 320.0)
    assert hit([10, 1500, 100, 40], bar, height=2000).free == 1.0


def test_a_fixed_layer_covers_all_that_scrolls(hit):
    result = hit([10, 1500, 100, 40], (WINDOW, {"position": "fixed"}), height=2000)
    assert (result.point, result.cover) == (None, 3)


def test_what_is_left_of_the_page_cannot_be_reached(hit):
    assert hit([-9999, 20, 100, 40]).point is None


def test_a_box_of_one_pixel_is_not_hit(hit):
    assert hit([10, 20, 1, 1]).point is None


def test_hidden_overflow_clips_but_programs_scroll_to_its_end(hit):
    around = ([0, 0, 200, 100], {"overflow-x": "hidden", "overflow-y": "hidden"})
    after = hit([300, 20, 100, 40], around=around)
    assert after.is_clipped
    assert after.point == (350.0, 40.0)
    before = hit([-300, 20, 100, 40], around=around)
    assert before.is_clipped
    assert before.point is None


def test_of_a_partly_clipped_element_the_visible_part_counts(hit):
    around = ([0, 0, 200, 100], {"overflow-x": "hidden", "overflow-y": "hidden"})
    result = hit([150, 20, 100, 40], around=around)
    assert result.box == (150.0, 20.0, 200.0, 60.0)
    assert result.point == (175.0, 40.0)


def test_a_closed_box_shows_nothing(hit):
    around = ([0, 0, 200, 0], {"overflow-x": "hidden", "overflow-y": "hidden"})
    assert hit([10, 20, 100, 40], around=around).point is None
