"""Which texts are checked by pictures, and what their results decide; each text is one line."""

from types import SimpleNamespace

import numpy as np
import pytest
from blocksight.render.visibility.pixels.pixel_check import ENOUGH, LineVotes

COVER = 0


def votes_of(count):
    """Texts 1 to ``count`` under node 0, in one style."""
    lines = np.arange(count)
    visibility = SimpleNamespace(
        uncertain=np.ones(count, dtype=bool),
        reason=np.zeros(count, dtype=np.uint8),
        fallback=np.zeros(count, dtype=np.uint8),
        ground=np.full(count, -1),
        covered_by=np.full(count, COVER),
    )
    page = SimpleNamespace(
        visibility=visibility,
        geometry=SimpleNamespace(line_node=lines + 1),
        styles=SimpleNamespace(row=np.zeros(count + 1, dtype=int)),
        images=np.arange(count + 1) == COVER,
        drawings=np.zeros(count + 1, dtype=bool),
    )
    votes = LineVotes(page, visibility.uncertain)
    votes.open = votes.chosen()
    return votes


def check(votes, rows, is_visible=True):
    """Check texts in one window."""
    for row in rows:
        votes.visible[row - 1] = is_visible
        votes.open.pop(row, None)
    votes.drop_decided()


def checked(votes, most=99):
    """The texts that are checked one by one, until none is open."""
    rows = []
    while votes.open and len(rows) < most:
        rows.append(votes.next_text())
        check(votes, rows[-1:])
    return rows


def test_decided_kinds_many_equal():
    votes = votes_of(40)
    assert checked(votes) == list(range(1, ENOUGH + 1))
    votes.extend()
    assert votes.visible == dict.fromkeys(range(40), True)


@pytest.mark.parametrize("differs", ["hidden", "in part"])
def test_decided_kinds_one_differs(differs):
    votes = votes_of(40)
    if differs == "in part":
        votes.words[6] = {0: True, 3: False}
    check(votes, [7], is_visible=differs == "in part")
    assert len(checked(votes)) == 39
