"""Which texts are checked by pictures, and what their results decide; each text is one line of its own style."""

from types import SimpleNamespace

import numpy as np
from blocksight.render.visibility.pixels.line_votes import MANY, PLACES, LineVotes

COVER = 0


def votes_of(count, *, only_covered=True, group=-1, fixed=(COVER,)):
    """Texts 1 to ``count`` under node 0, in styles of their own."""
    lines = np.arange(count)
    visibility = SimpleNamespace(
        uncertain=np.ones(count, dtype=bool),
        reason=np.zeros(count, dtype=np.uint8),
        fallback=np.zeros(count, dtype=np.uint8),
        style_group=np.full(count, group),
        covered_by=np.full(count, COVER),
        only_covered=np.full(count, only_covered),
        fixed=np.isin(np.arange(count + 1), fixed),
    )
    page = SimpleNamespace(
        visibility=visibility,
        geometry=SimpleNamespace(line_node=lines + 1),
        styles=SimpleNamespace(row=np.arange(count + 1)),
        images=np.ones(count + 1, dtype=bool),
        drawings=np.zeros(count + 1, dtype=bool),
    )
    votes = LineVotes(page)
    votes.open = votes.chosen()
    return votes


def check(votes, rows, is_visible=True):
    """Check texts in one window."""
    for row in rows:
        votes.visible[row - 1] = is_visible
        votes.open.pop(row, None)
    votes.add_window({row - 1 for row in rows})
    votes.drop_decided()


def checked(votes, most=99):
    """The texts that are checked one by one, until none is open."""
    rows = []
    while votes.open and len(rows) < most:
        rows.append(votes.next_text())
        check(votes, rows[-1:])
    return rows


def test_texts_under_a_cover_are_taken_from_all_over_the_page():
    # Of 40, 39, ... open ones those at 0, 1, 1/2, 1/4 and 3/4 of the rest; then one more: six lines decide.
    assert checked(votes_of(40)) == [1, 40, 20, 11, 30, 2]
    assert (len(PLACES), MANY) == (5, 6)


def test_windows_with_many_lines_decide_when_there_are_five_of_them():
    votes = votes_of(40)
    for number, rows in enumerate(([1, 2, 3], [40, 39], [20], [10], [30])):
        assert len(votes.open) > 20, number
        check(votes, rows)
    assert not votes.open
    votes.extend()
    assert votes.visible == dict.fromkeys(range(40), True)


def test_a_single_line_that_differs_leaves_all_others_open():
    votes = votes_of(40)
    check(votes, [7], is_visible=False)
    assert len(checked(votes)) == 39


def test_a_line_that_is_visible_in_part_differs():
    votes = votes_of(40)
    votes.words[6] = {0: True, 3: False}
    check(votes, [7])
    assert len(checked(votes)) == 39


def test_lines_that_are_uncertain_for_other_reasons_too_are_checked_one_by_one():
    assert len(checked(votes_of(20, only_covered=False))) == 20


def test_lines_that_do_not_move_under_their_cover_are_checked_one_by_one():
    assert len(checked(votes_of(20, fixed=()))) == 20
    assert len(checked(votes_of(20, fixed=range(21)))) == 20
