"""Right, wrong and missed roles, counted by hand."""

import numpy as np
import pytest
from blocksight.gold.leaf_labels import page_rows
from blocksight.gold.role_scores import MEASURED, macro_f1, role_counts, role_f1, row_roles
from blocksight.gold.role_votes import RoleLabels
from blocksight.page.parse import parse
from blocksight.page.role_names import ROLE, ROLES


def labels(*names, unknown_excludes=()):
    role = np.asarray([ROLE.get(name, -1) for name in names], dtype=np.int8)
    excluded = np.repeat((role >= 0)[:, None], len(ROLES), axis=1)
    excluded[role >= 0, role[role >= 0]] = False
    for name in unknown_excludes:
        excluded[role < 0, ROLE[name]] = True
    return RoleLabels(role=role, source=role, excluded=excluded)


def predicted(*names):
    return np.asarray([ROLE.get(name, -1) for name in names], dtype=np.int8)


def test_counts_by_hand():
    gold = labels("title", "author", "body", "", "", unknown_excludes=("title",))
    counts = role_counts(predicted("title", "body", "author", "title", "date"), gold)
    found = dict(zip(MEASURED, counts.tolist(), strict=True))
    assert found["title"] == [1, 1, 0]
    assert found["author"] == [0, 1, 1]
    assert found["date"] == [0, 0, 0]
    f1 = dict(zip(MEASURED, role_f1(counts).tolist(), strict=True))
    assert f1["title"] == pytest.approx(2 / 3)
    assert f1["author"] == 0
    assert np.isnan(f1["date"])
    assert macro_f1(counts) == pytest.approx(1 / 3)


def test_pages_are_summed_before_the_mean():
    one = role_counts(predicted("title"), labels("title"))
    other = role_counts(predicted(""), labels("title"))
    assert macro_f1(np.stack([one, other]).sum(axis=0)) == pytest.approx(2 / 3)
    assert macro_f1(np.stack([one, other])).tolist() == [1.0, 0.0]
    assert np.isnan(macro_f1(role_counts(predicted(""), labels(""))))


def test_other_rows_are_refused():
    with pytest.raises(ValueError, match="2 roles for 1 rows"):
        role_counts(predicted("title", "title"), labels("title"))


def test_a_row_has_the_role_of_most_of_its_text():
    page = parse("<p>By <b>Ada Leaf the second</b></p><p>nothing</p>")
    leaf_roles = np.asarray([ROLE["body"], ROLE["author"], -1], dtype=np.int8)
    assert row_roles(page_rows(page), leaf_roles).tolist() == [ROLE["author"], -1]
