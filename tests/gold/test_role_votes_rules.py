"""The combination of votes to one role per row, each rule on both sides of its limit."""

from pathlib import Path

import numpy as np
import pytest
from blocksight.gold.labeling_functions.label_context import SOURCES, Vote, label_context
from blocksight.gold.leaf_labels import label_rows, page_rows
from blocksight.gold.pages import GoldPage, GoldRoles
from blocksight.gold.role_votes import _combine, _contradictory, _contradicts_gold, _excluded, label_roles
from blocksight.page.parse import parse
from blocksight.page.role_names import ROLE, ROLES


def context(*texts, share=None, **roles):
    rows = page_rows(parse("".join(f"<p>{text}</p>" for text in texts)))
    gold = GoldPage(corpus="own", id="one", path=Path("one.html"), roles=GoldRoles(**roles))
    return label_context(rows, gold, np.asarray([np.nan] * len(texts) if share is None else share, dtype=float))


def vote(source, role, *rows, number=3):
    marks = np.zeros(number, dtype=bool)
    marks[list(rows)] = True
    return Vote(source=source, role=role, rows=marks)


def decided(*votes):
    """Return role and source of three rows."""
    role, source = _combine(3, list(votes))
    assert ((role == -1) | (role >= 0)).all()
    assert ((role < 0) == (source == -1)).all()
    return [
        (ROLES[one], SOURCES[who]) if one >= 0 else None
        for one, who in zip(role.tolist(), source.tolist(), strict=True)
    ]


# -- one role of several votes -----------------------------------------------------------------------------------


def test_combine_without_votes():
    assert decided() == [None, None, None]
    assert decided(vote("tag", "caption")) == [None, None, None]


def test_combine_most_trusted_source():
    lower, higher = vote("class", "caption", 0, 1), vote("gold field", "title", 1, 2)
    wanted = [("caption", "class"), ("title", "gold field"), ("title", "gold field")]
    assert decided(lower, higher) == decided(higher, lower) == wanted


def test_combine_equal_trust_agreeing():
    assert decided(vote("meta", "title", 0), vote("json-ld", "title", 0, 1)) == [
        ("title", "json-ld"),
        ("title", "json-ld"),
        None,
    ]


def test_combine_equal_trust_contradicting():
    both = vote("json-ld", "title", 0, 1), vote("meta", "caption", 1, 2)
    assert decided(*both) == [("title", "json-ld"), None, ("caption", "meta")]
    # Nor is one who is trusted less believed there.
    assert decided(*both, vote("class", "footer", 0, 1, 2)) == decided(*both)


def test_combine_contradiction_of_less_trusted():
    assert decided(
        vote("construction", "promotion", 0), vote("class", "caption", 0, 1), vote("class", "footer", 0, 1)
    ) == [("promotion", "construction"), None, None]


def test_combine_veto():
    assert decided(vote("gold field", "", 0), vote("class", "title", 0, 1)) == [None, ("title", "class"), None]


@pytest.mark.parametrize(
    ("votes", "rows"),
    [
        ([], []),
        # A name and a date in a row are a by-line.
        ([("author", 0, 1), ("date", 1, 2)], []),
        ([("author", 0, 1), ("date", 1, 2), ("title", 1)], [1]),
        ([("date", 0), ("title", 0)], [0]),
        ([("author", 0), ("title", 0)], [0]),
        ([("author", 0), ("date", 1), ("title", 1)], [1]),
        ([("", 0), ("title", 0, 1)], [0]),
        ([("", 0, 1)], []),
        ([("title", 0), ("title", 1), ("caption", 0, 1)], [0, 1]),
        ([("title", 0, 1), ("caption", 1), ("footer", 1, 2)], [1]),
    ],
)
def test_contradictory_rows(votes, rows):
    made = [vote("meta", role, *where) for role, *where in votes]
    assert np.flatnonzero(_contradictory(3, made)).tolist() == rows


# -- against the gold ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("role", "source", "share", "doubted"),
    [
        # A region by tag or class that the gold holds.
        ("navigation", "tag", 0.5, True),
        ("promotion", "class", 1, True),
        ("promotion", "class", 0.49, False),
        ("promotion", "class", np.nan, False),
        ("promotion", "construction", 1, False),
        ("caption", "class", 1, False),
        # A body that it leaves out, unless somebody typed it.
        ("body", "gold text", 0.49, True),
        ("body", "gold text", 0.5, False),
        ("body", "gold text", np.nan, False),
        ("post", "post", 0.49, True),
        ("body", "typed block", 0, False),
        ("caption", "tag", 0, False),
        ("navigation", "tag", 0, False),
    ],
)
def test_contradicts_gold(role, source, share, doubted):
    found = _contradicts_gold(
        context("a", share=[share]), np.array([ROLE[role]], dtype=np.int8), np.array([SOURCES.index(source)])
    )
    assert found.tolist() == [doubted]


TEN = "one two three four five six seven eight nine ten"


def labels(html, *, texts=(), kind="", **roles):
    rows = page_rows(parse(html))
    gold = GoldPage(corpus="own", id="one", path=Path("one.html"), texts=texts, kind=kind, roles=GoldRoles(**roles))
    found = label_roles(rows, gold, label_rows(rows.texts, gold).share)
    return [
        (ROLES[role], SOURCES[source]) if role >= 0 or source >= 0 else (role, source)
        for role, source in zip(found.role.tolist(), found.source.tolist(), strict=True)
    ]


HELD = f"<p>{TEN}</p><nav><p>home start</p></nav><p>{TEN} and more</p>"
TEXTS = (f"{TEN}\nhome start\n{TEN} and more",)


def test_label_roles_menu_in_gold():
    body = ("body", "gold text")
    assert labels(HELD, texts=TEXTS) == [body, (-1, -1), body]
    # Of a made text all of it is body.
    assert labels(HELD, texts=TEXTS, generated=True) == [body, body, body]


def test_label_roles_forum_posts():
    post = ("post", "gold text")
    assert labels(f"<p>{TEN}</p><nav><p>home</p></nav>", texts=(TEN,), kind="forum") == [
        post,
        ("navigation", "tag"),
    ]
    # What the text does not hold is none.
    comment = "<div class=comment-body><p>what a wall this is</p></div>"
    found = labels(f"<p>{TEN} {TEN}</p>{comment}", texts=(f"{TEN} {TEN}",), kind="forum")
    assert found == [post, ("comment", "class")]


# -- roles that a row does not have -------------------------------------------------------------------------------


def excluded(found, *roles):
    """Return the names of the roles that each row certainly does not have."""
    known = np.asarray([ROLE[role] if role else -1 for role in roles], dtype=np.int8)
    return [{ROLES[number] for number in np.flatnonzero(row)} for row in _excluded(found, known)]


OUTSIDE = {"related", "navigation", "promotion", "notice", "form", "footer"}
FOUR, THREE = "one two three four", "one two three"


def test_excluded_known_role():
    (first, second) = excluded(context("a", "b", share=[0, 1]), "other", "caption")
    assert first == set(ROLES) - {"other"}
    assert second == set(ROLES) - {"caption"}


@pytest.mark.parametrize(
    ("share", "not_these"),
    [
        (0, {"body", "post"}),
        (0.19, {"body", "post"}),
        (0.2, set()),
        (0.49, set()),
        (0.5, OUTSIDE),
        (1, OUTSIDE),
        (np.nan, set()),
    ],
)
def test_excluded_by_gold(share, not_these):
    assert excluded(context("a", share=[share]), "") == [not_these]


def test_excluded_title():
    found = context("Fish", "Fish", "Boats", title="Fish")
    title = set(ROLES) - {"title"}
    assert excluded(found, "title", "", "") == [title, set(), {"title"}]
    assert excluded(found, "", "", "") == [set(), set(), set()]
    assert excluded(found, "caption", "", "") == [set(ROLES) - {"caption"}, set(), set()]


def test_excluded_comment():
    found = context(FOUR, THREE, "a", comments="x")
    assert excluded(found, "", "", "") == [{"comment"}, set(), set()]
    assert excluded(found, "comment", "comment", "") == [set(ROLES) - {"comment"}] * 2 + [set()]
    assert excluded(context(FOUR, THREE, "a"), "", "", "") == [set(), set(), set()]
