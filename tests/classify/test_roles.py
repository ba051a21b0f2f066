"""Roles of text leaves, and which of them come out."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.roles import ALWAYS, KEPT, LeafRoles, kept_marks, role_texts, roles_to_keep, title_text
from blocksight.page.role_names import ROLE, ROLES


def leaf_roles(*names, likely=0.9):
    codes = [ROLE[name] if name else -1 for name in names]
    return LeafRoles(role=np.asarray(codes, dtype=np.int8), probability=np.full(len(codes), likely))


def test_names_of_roles():
    assert roles_to_keep(None) == (*ALWAYS, *KEPT)
    assert roles_to_keep("title, Captions,comments") == (*ALWAYS, "title", "caption", "comment")
    assert roles_to_keep(["date"]) == (*ALWAYS, "date")
    assert roles_to_keep("") == ALWAYS
    assert roles_to_keep("all") == ROLES
    with pytest.raises(ValueError, match=r"titel.*title"):
        roles_to_keep("titel")
    with pytest.raises(TypeError, match="names of roles"):
        roles_to_keep(3)


def test_roles_come_in_and_stay_out():
    roles = leaf_roles("title", "standfirst", "body", "caption", None, "related")
    marks = np.asarray([False, True, True, False, True, False])
    assert kept_marks(marks, roles, roles_to_keep("title,caption")).tolist() == [True, False, True, True, True, False]
    assert kept_marks(marks, roles, roles_to_keep("all")).tolist() == [True, True, True, True, True, True]
    # Also those that the choice has left out.
    assert kept_marks(marks & False, roles, roles_to_keep("all")).tolist() == [True, True, True, True, False, True]
    assert kept_marks(marks & False, roles, roles_to_keep("standfirst")).nonzero()[0].tolist() == [1]


def test_the_role_of_several_leaves_is_that_of_most_of_their_text():
    roles = leaf_roles("author", "date", None)
    lengths = np.asarray([10, 3, 50])
    assert roles.of([0, 1, 2], lengths) == ("author", 0.9)
    assert roles.of([2], lengths) == (None, None)


def test_which_metadata_are_marked():
    page = bs.parse("<h1>Eels <b>again</b></h1><p>By Ada Leaf</p><p>Text</p>")
    roles = leaf_roles("title", "title", "author", "body")
    assert role_texts(page, roles) == (("title", "Eels again"), ("author", "By Ada Leaf"))


def test_a_thread_is_as_old_as_its_first_post():
    page = bs.parse("<p>1 May 2020<p>Text</p><p>2 May 2020</p><i>x</i><p class=new>3 May 2020</p>")
    roles = leaf_roles("date", "body", "date", "body", "date")
    roles.probability[:] = [0.7, 0.9, 0.9, 0.9, 0.8]
    assert [text for _, text in role_texts(page, roles)] == ["1 May 2020", "2 May 2020", "3 May 2020"]


def test_systems_that_tell_no_roles_keep_none():
    with pytest.raises(ValueError, match="bte has no roles"):
        bs.extract(bs.parse("<p>one two three"), system="bte", keep="title")


def test_the_role_of_leaves_is_as_likely_as_those_that_have_it():
    roles = leaf_roles("author", "author", "date", None)
    roles.probability[:] = [0.5, 0.9, 0.1, np.nan]
    # Of 40 characters 30 are as likely as 0.5 and 10 as 0.9: 15 and 9 make 24.
    assert roles.of([0, 1, 2, 3], np.asarray([30, 10, 39, 90])) == ("author", 0.6)
    assert roles.of([0, 1, 2, 3], np.asarray([30, 10, 41, 90])) == ("date", 0.1)
    roles.probability[:] = [1 / 3, 1 / 3, 0, 0]
    assert roles.of([0, 1], np.asarray([1, 1])) == ("author", 0.3333)


def test_leaves_without_a_character_have_a_role():
    roles = leaf_roles("author", "date", "date")
    assert roles.of([0, 1, 2], np.asarray([0, 0, 0])) == ("date", 0.9)
    # A single character is more than any number of leaves without one.
    assert roles.of([0, 1, 2], np.asarray([1, 0, 0])) == ("author", 0.9)


def test_the_first_of_all_roles_is_known():
    first = leaf_roles(ROLES[0], None)
    assert first.of([0, 1], np.asarray([5, 9])) == (ROLES[0], 0.9)


def test_the_likeliest_title_is_marked():
    page = bs.parse("<p>By Ada</p><h1>One</h1><h2>Two</h2>")
    roles = leaf_roles("author", "title", "title")
    roles.probability[:] = [0.9, 0.4, 0.5]
    assert title_text(page, roles) == "Two"
    assert title_text(page, leaf_roles("author", "body", "body")) == ""
    assert role_texts(page, roles) == (("author", "By Ada"), ("title", "Two"), ("title", "One"))


@pytest.mark.parametrize(("size", "known"), [(300, True), (301, False)])
def test_what_is_longer_than_300_characters_tells_nothing(size, known):
    page = bs.parse(f"<h1>{'x' * size}</h1>")
    assert bool(role_texts(page, leaf_roles("title"))) == known


def test_neighbours_in_one_block_of_one_role_are_one():
    page = bs.parse("<p>By Ada <b>3 May</b> <i>2024</i></p><p>By Bea</p>")
    assert role_texts(page, leaf_roles("author", "date", "date", "author")) == (
        ("author", "By Ada"), ("date", "3 May 2024"), ("author", "By Bea"),
    )  # fmt: skip
    assert role_texts(page, leaf_roles(None, None, None, None)) == ()


def test_only_dates_go_by_blocks_made_alike():
    page = bs.parse("<p>One</p><p>Two</p>")
    names = leaf_roles("author", "author")
    names.probability[:] = [0.2, 0.8]
    assert role_texts(page, names) == (("author", "Two"), ("author", "One"))
    dates = leaf_roles("date", "date")
    dates.probability[:] = [0.2, 0.8]
    assert role_texts(page, dates) == (("date", "One"), ("date", "Two"))
