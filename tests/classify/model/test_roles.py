"""Roles from plain numbers."""

import blocksight as bs
import numpy as np
from blocksight.classify.model.model import Model, load_model, shipped_model
from blocksight.classify.model.roles import OneAgainstRest, context_columns, decided, role_context
from blocksight.features.role_names import ROLE, ROLES
from blocksight.features.rows import rows_of
from blocksight.segment.blocks import text_blocks

PAGE = "<h1>Eels</h1><p>By Ada</p><div><p>one two</p><p>three four</p></div><p>Eels</p>"


def rows():
    page = bs.parse(PAGE)
    return rows_of(page, text_blocks(page))


def likely(*names):
    found = np.full((len(names), len(ROLES)), 0.01)
    for row, name in enumerate(names):
        found[row, ROLE[name]] = 0.8
    return found


def test_probabilities_of_a_row_add_up_to_one():
    one, zero = np.ones(2), np.zeros(2)
    svms = OneAgainstRest(mean=zero, deviation=one, weight=np.eye(2), bias=zero, slope=one * 2, offset=zero)
    found = svms.probability(np.asarray([[1.0, -1.0], [0.0, 0.0]]))
    np.testing.assert_allclose(found, [[0.880797, 0.119203], [0.5, 0.5]], atol=1e-6)


def test_what_the_blocks_around_were_taken_for():
    around = role_context(rows(), likely("title", "author", "body", "body", "other"), ROLES)
    columns = dict(zip(context_columns(ROLES), around.T, strict=True))
    assert around.shape == (5, len(context_columns(ROLES)))
    assert columns["role_title_before"].tolist() == [0, 0.8, 0.01, 0.01, 0.01]
    assert columns["role_body_after"].tolist() == [0.01, 0.8, 0.8, 0.01, 0]
    np.testing.assert_allclose(columns["role_body_up1"][2:4], 0.8)
    np.testing.assert_allclose(columns["title_far"], [0, np.log(2), np.log(3), np.log(4), np.log(5)])


def test_a_page_has_one_title_but_for_what_says_the_same():
    found = decided(rows(), likely("title", "title", "body", "body", "title"), ROLES)
    assert [ROLES[number] for number in found[[0, 2, 4]]] == ["title", "body", "title"]
    assert ROLES[found[1]] != "title"


def test_roles_come_back_from_a_file(tmp_path):
    shipped = shipped_model(visual=False)
    assert shipped.roles.roles == ROLES
    shipped.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").stat().st_size < 1_000_000
    again = load_model(tmp_path / "again.npz")
    np.testing.assert_array_equal(again.roles.second.weight, shipped.roles.second.weight)


def test_models_without_roles_tell_none():
    shipped = shipped_model(visual=False)
    own = Model(first=shipped.first, calibration=shipped.calibration, about=shipped.about)
    assert own.looked(own.measure(bs.parse(PAGE))).roles is None
