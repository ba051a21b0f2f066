"""Roles from plain numbers."""

import json

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import Model, load_model, shipped_model
from blocksight.classify.model.role_model import OneVsRestSvm, context_columns, decide_roles, role_context
from blocksight.errors import ModelMismatch
from blocksight.features.rows import rows_of
from blocksight.page.role_names import ROLE, ROLES
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
    svms = OneVsRestSvm(mean=zero, deviation=one, weight=np.eye(2), bias=zero, slope=one * 2, offset=zero)
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
    found = decide_roles(rows(), likely("title", "title", "body", "body", "title"), ROLES)
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
    assert own.predict(own.measure(bs.parse(PAGE))).roles is None


def changed(path, *, head=None, **arrays):
    """Write the shipped model with another head and other numbers; None takes a name away."""
    shipped_model(visual=False).save(path)
    with np.load(path) as found:
        numbers = {name: found[name] for name in found.files}
    told = json.loads(bytes(numbers.pop("head"))) | (head or {})
    numbers |= {name: np.asarray(change(numbers[name])) for name, change in arrays.items()}
    told = {name: value for name, value in told.items() if value is not None}
    with path.open("wb") as out:
        np.savez(out, head=np.frombuffer(json.dumps(told).encode(), dtype=np.uint8), **numbers)
    return path


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ({"roles": None}, "unknown features: likely_author"),
        ({"roles": ["title"]}, "its roles, or their columns"),
        ({"roles": 5}, "damaged"),
        ({"role_columns": [{}]}, "damaged"),
        ({"role_columns": ["smell"]}, "its roles, or their columns"),
        ({"surroundings": []}, "roles_first_mean does not fit"),
        ({"surroundings": None}, "damaged"),
    ],
)
def test_roles_of_another_program_are_refused(tmp_path, head, why):
    with pytest.raises(ModelMismatch, match=rf"m\.npz: .*{why}"):
        load_model(changed(tmp_path / "m.npz", head=head))


@pytest.mark.parametrize("name", ["roles_first_weight", "roles_second_slope", "roles_second_bias"])
@pytest.mark.parametrize(
    "change",
    [
        lambda old: old[:-1],
        lambda old: old * np.nan,
        lambda old: np.full(old.shape, 1e300),
        lambda old: old.astype(int),
    ],
)
def test_damaged_numbers_of_roles_are_refused(tmp_path, name, change):
    with pytest.raises(ModelMismatch, match=name):
        load_model(changed(tmp_path / "m.npz", **{name: change}))


def test_roles_that_look_at_visual_blocks_need_a_rendered_page(tmp_path):
    around = shipped_model(visual=False).roles.surroundings
    path = changed(tmp_path / "m.npz", head={"surroundings": ["first_vips5_mean", *around[1:]]})
    with pytest.raises(ModelMismatch, match="rendered pages"):
        load_model(path).measure(bs.parse(PAGE))
