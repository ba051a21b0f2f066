"""Roles of text leaves, and which of them come out."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.document.roles import ALWAYS, KEPT, LeafRoles, kept_marks, role_texts, roles_to_keep
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
    assert kept_marks(marks, roles, roles_to_keep(None)).tolist() == marks.tolist()
    assert kept_marks(marks, roles, roles_to_keep("title,caption")).tolist() == [True, False, True, True, True, False]
    assert kept_marks(marks, roles, roles_to_keep("all")).tolist() == [True, True, True, True, True, True]


def test_the_role_of_several_leaves_is_that_of_most_of_their_text():
    roles = leaf_roles("author", "date", None)
    lengths = np.asarray([10, 3, 50])
    assert roles.of([0, 1, 2], lengths) == ("author", 0.9)
    assert roles.of([2], lengths) == (None, None)


def test_what_metadata_are_told():
    page = bs.parse("<h1>Eels <b>again</b></h1><p>By Ada Leaf</p><p>Text</p>")
    roles = leaf_roles("title", "title", "author", "body")
    assert role_texts(page, roles) == (("title", "Eels again"), ("author", "By Ada Leaf"))


def test_a_thread_is_as_old_as_its_first_post():
    page = bs.parse("<p>1 May 2020<p>Text</p><p>2 May 2020</p><i>x</i><p class=new>3 May 2020</p>")
    roles = leaf_roles("date", "body", "date", "body", "date")
    roles.probability[:] = [0.7, 0.9, 0.9, 0.9, 0.8]
    assert [text for _, text in role_texts(page, roles)] == ["1 May 2020", "2 May 2020", "3 May 2020"]


def test_systems_that_tell_no_roles_keep_none():
    with pytest.raises(ValueError, match="bte tells no roles"):
        bs.extract(bs.parse("<p>one two three"), system="bte", keep="title")
