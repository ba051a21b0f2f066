"""Roles from plain numbers."""

import json

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import Model, load_model, shipped_model
from blocksight.classify.model.role_model import (
    OneVsRestSvm,
    RoleModel,
    context_columns,
    decide_roles,
    normalised_probability,
)
from blocksight.classify.model.role_model import role_context as context_source
from blocksight.classify.model.stage_inputs import StageInputs
from blocksight.errors import ModelMismatch
from blocksight.features.rows import rows_of
from blocksight.page.role_names import ROLE, ROLES
from blocksight.segment.blocks import text_blocks

PAGE = "<h1>Eels</h1><p>By Ada</p><div><p>one two</p><p>three four</p></div><p>Eels</p>"


def role_context(rows, probability, roles):
    return context_source(rows, probability, roles)(slice(None))


def rows():
    page = bs.parse(PAGE)
    return rows_of(page, text_blocks(page))


def likely(*names):
    found = np.full((len(names), len(ROLES)), 0.01)
    for row, name in enumerate(names):
        found[row, ROLE[name]] = 0.8
    return found


def test_decide_roles_one_title_or_same_text():
    found = decide_roles(rows(), likely("title", "title", "body", "body", "title"), ROLES)
    assert [ROLES[number] for number in found[[0, 2, 4]]] == ["title", "body", "title"]
    assert ROLES[found[1]] != "title"


def test_load_model_roles(tmp_path):
    shipped = shipped_model(visual=False)
    assert shipped.roles.roles == ROLES
    shipped.save(tmp_path / "again.npz")
    assert (tmp_path / "again.npz").stat().st_size < 1_000_000
    again = load_model(tmp_path / "again.npz")
    np.testing.assert_array_equal(again.roles.second.weight, shipped.roles.second.weight)


def test_predict_without_roles():
    shipped = shipped_model(visual=False)
    own = Model(first=shipped.first, calibration=shipped.calibration, about=shipped.about)
    assert own.predict(own.measure(bs.parse(PAGE))).roles is None


def changed(path, *, head=None, **arrays):
    """Write the shipped model with another head and other numbers; None takes a name away."""
    shipped_model(visual=False).save(path)
    with np.load(path) as found:
        numbers = {name: found[name] for name in found.files}
    fields = json.loads(bytes(numbers.pop("head"))) | (head or {})
    numbers |= {name: np.asarray(change(numbers[name])) for name, change in arrays.items()}
    fields = {name: value for name, value in fields.items() if value is not None}
    with path.open("wb") as out:
        np.savez(out, head=np.frombuffer(json.dumps(fields).encode(), dtype=np.uint8), **numbers)
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
def test_load_model_roles_unknown(tmp_path, head, why):
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
def test_load_model_roles_damaged(tmp_path, name, change):
    with pytest.raises(ModelMismatch, match=name):
        load_model(changed(tmp_path / "m.npz", **{name: change}))


def test_roles_with_vips_columns_need_a_rendered_page(tmp_path):
    around = shipped_model(visual=False).roles.surroundings
    path = changed(tmp_path / "m.npz", head={"surroundings": ["first_vips5_mean", *around[1:]]})
    with pytest.raises(ModelMismatch, match="rendered pages"):
        load_model(path).measure(bs.parse(PAGE))


def test_decision_by_hand():
    svms = OneVsRestSvm(
        mean=np.asarray([1.0, 2.0]), deviation=np.asarray([2.0, 4.0]), weight=np.asarray([[1.0, 0.0], [2.0, 3.0]]),
        bias=np.asarray([0.5, -1.0]), slope=np.asarray([1.0, 2.0]), offset=np.asarray([0.0, 1.0]),
    )  # fmt: skip
    # (3 - 1) / 2 = 1 and (6 - 2) / 4 = 1: 1 + 0.5, and 2 + 3 - 1.
    np.testing.assert_allclose(svms.decision(np.asarray([[3.0, 6.0]])), [[1.5, 4.0]])


def test_normalised_probability_by_hand():
    # 1 / (1 + exp(-(2 * 1 + 1))) = 0.952574, and with no offset 1 / (1 + exp(-1)) = 0.731059.
    found = normalised_probability(np.asarray([[1.0, 1.0]]), np.asarray([2.0, 1.0]), np.asarray([1.0, 0.0]))
    np.testing.assert_allclose(found, [[0.952574 / 1.683633, 0.731059 / 1.683633]], atol=1e-6)
    # What is certain is cut at 30: 1 to exp(-30).
    found = normalised_probability(np.asarray([[99.0, -99.0]]), np.ones(2), np.zeros(2))
    np.testing.assert_allclose(found[0, 1], np.exp(-30.0), rtol=1e-6)
    # Beyond it, all are as unlikely.
    found = normalised_probability(np.asarray([[-99.0, -30.0, -29.0]]), np.ones(3), np.zeros(3))
    np.testing.assert_allclose(found[0, 0], 1 / (2 + np.e), rtol=1e-6)
    np.testing.assert_allclose(
        normalised_probability(np.asarray([[99.0, 99.0], [0.0, 0.0]]), np.ones(2), np.zeros(2)), 0.5
    )


def test_role_context_by_hand():
    found = np.arange(15, dtype=np.float64).reshape(5, 3) / 100
    names = ("title", "body", "other")
    around = dict(zip(context_columns(names), role_context(rows(), found, names).T, strict=True))
    assert around["role_body_own"].tolist() == [0.01, 0.04, 0.07, 0.1, 0.13]
    assert around["role_body_before"].tolist() == [0, 0.01, 0.04, 0.07, 0.1]
    assert around["role_body_after"].tolist() == [0.04, 0.07, 0.1, 0.13, 0]
    assert around["role_body_before2"].tolist() == [0, 0, 0.01, 0.04, 0.07]
    # By-line and last line stand right in the body, the two in the middle in a div: 0.04 and 0.13, 0.07 and 0.1.
    np.testing.assert_allclose(around["role_body_make"], [0.01, 0.085, 0.085, 0.085, 0.085])
    np.testing.assert_allclose(around["role_body_up1"], [0.07, 0.07, 0.085, 0.085, 0.07])
    np.testing.assert_allclose(around["role_body_up2"], [0.07] * 5)
    assert around["title_likely"].tolist() == [0.12] * 5
    np.testing.assert_allclose(around["title_far"], -np.log([5, 4, 3, 2, 1]))


def test_role_context_templates():
    page = bs.parse("<p>a</p><p>b</p><p class=x>c</p><div><p>d</p></div><h2>e</h2><p class=x>f</p>"
                    "<section><p>g</p></section>")  # fmt: skip
    found = np.asarray([[0.1], [0.3], [0.5], [0.7], [0.9], [0.6], [0.8]])
    around = role_context(rows_of(page, text_blocks(page)), found, ("title",))
    column = context_columns(("title",)).index("role_title_make")
    np.testing.assert_allclose(around[:, column], [0.2, 0.2, 0.55, 0.7, 0.9, 0.55, 0.8])


def test_role_context_ancestors():
    page = bs.parse("<div><div><p>a</p></div><p>b</p></div><p>c</p>")
    found = np.asarray([[0.1], [0.3], [0.8]])
    around = dict(zip(context_columns(("title",)), role_context(rows_of(page, text_blocks(page)), found, ("title",)).T,
                      strict=True))  # fmt: skip
    # The inner div holds a, the outer one a and b, the body all.
    np.testing.assert_allclose(around["role_title_up1"], [0.1, 0.2, 0.4])
    np.testing.assert_allclose(around["role_title_up2"], [0.2, 0.4, 0.4])


def test_role_context_most_distance():
    page = bs.parse("<p>x</p>" * 45)
    found = np.zeros((45, 1))
    found[22] = 0.5
    far = role_context(rows_of(page, text_blocks(page)), found, ("title",))[:, -2]
    np.testing.assert_allclose(far[[1, 2, 21, 22, 23, 42, 43]], np.log([1 / 21, 1 / 21, 1 / 2, 1, 2, 21, 21]))


def test_role_model_predict_inputs():
    names = ("title", "body")
    svms, second = (
        OneVsRestSvm(
            mean=np.zeros(columns), deviation=np.ones(columns), weight=np.eye(2, columns), bias=np.zeros(2),
            slope=np.ones(2), offset=np.zeros(2),
        )
        for columns in (2, 2 + 7 * 2 + 2)
    )  # fmt: skip
    model = RoleModel(roles=names, columns=("one",), surroundings=("other",), first=svms, second=second)
    features = np.arange(5.0)[:, None].__getitem__, (np.arange(5.0)[:, None] * 10).__getitem__
    seen = model.predict(rows(), StageInputs(5, *features))[1][:]
    assert seen[:, :2].tolist() == [[n, 10 * n] for n in range(5)]
    np.testing.assert_allclose(seen[:, 2:], role_context(rows(), svms.probability(seen[:, :2]), names))
    empty = bs.parse("")
    none = StageInputs(0, np.zeros((0, 1)).__getitem__, np.zeros((0, 1)).__getitem__)
    nothing = model.predict(rows_of(empty, text_blocks(empty)), none)[1][:]
    assert nothing.shape == (0, 2 + 7 * 2 + 2)
    assert decide_roles(rows_of(empty, text_blocks(empty)), np.zeros((0, 2)), names).tolist() == []


def test_decide_roles_several_titles():
    names = ("title", "body", "other")
    found = np.asarray([[0.5, 0.1, 0.4], [0.7, 0.2, 0.1], [0.1, 0.8, 0.1], [0.6, 0.3, 0.1], [0.2, 0.1, 0.7]])
    # "By Ada" is the title, "Eels" and "three four" are what they are next.
    assert decide_roles(rows(), found, names).tolist() == [2, 0, 1, 1, 2]
    found[0, 0] = 0.9
    assert decide_roles(rows(), found, names).tolist() == [0, 1, 1, 1, 2]
