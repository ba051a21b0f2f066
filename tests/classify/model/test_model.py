"""Models in their files."""

import json
from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight import ModelMismatch
from blocksight.classify.model.calibration import Calibration
from blocksight.classify.model.model import Model, load_model, shipped_model
from blocksight.classify.model.role_model import role_columns
from blocksight.classify.model.second_stage import COLUMNS, TREE_COLUMNS
from blocksight.classify.model.svm import LinearSvm
from blocksight.classify.systems.blocksight import BlocksightDom
from blocksight.features.block_table import column_names
from blocksight.page.role_names import ROLES

FEATURES = column_names("text")


def linear(columns):
    ones = np.ones(len(columns))
    return LinearSvm(columns=columns, mean=ones, deviation=ones * 2, weight=ones / 3, bias=0.25)


def model(**parts):
    calibration = Calibration(slope=2.0, offset=0.5, spread=0.7)
    return Model(**({"first": linear(FEATURES), "calibration": calibration, "about": {"input": "raw HTML"}} | parts))


@pytest.mark.parametrize("visual", [True, False])
def test_shipped_models_say_what_they_were_trained_on(visual, tmp_path):
    shipped, likely = shipped_model(visual=visual), role_columns(ROLES)
    assert shipped.visual == visual
    assert shipped.about["split"] == "train"
    assert sum(shipped.about["corpora"].values()) > 1500
    assert shipped.second_columns == ((*COLUMNS, *likely) if visual else (*TREE_COLUMNS, *likely))
    shipped.save(tmp_path / "again.npz")
    again = load_model(tmp_path / "again.npz")
    np.testing.assert_array_equal(again.second.weight, shipped.second.weight)
    assert again.about == shipped.about


def test_both_stages_are_saved_and_loaded(tmp_path):
    there = model(second=linear((*FEATURES, "first_rank", "first_score")), seen_only=True, method="targets")
    there.save(tmp_path / "m.npz")
    back = load_model(tmp_path / "m.npz")
    assert back.second_columns == ("first_rank", "first_score")
    assert (back.calibration, back.seen_only, back.method, back.about) == (
        there.calibration, True, "targets", there.about,
    )  # fmt: skip
    matrix = np.linspace(-3, 3, 4 * (len(FEATURES) + 2)).reshape(4, -1)
    assert back.second.decision(matrix).tolist() == there.second.decision(matrix).tolist()


def test_the_second_stage_selects_its_columns_by_name():
    page = bs.parse("<p>one two three</p><p>four</p>")
    plain = model()
    table = plain.measure(page)
    nothing = linear((*FEATURES, "first_score"))
    second = replace(nothing, mean=nothing.mean * 0, deviation=nothing.deviation * 0 + 1, weight=nothing.weight * 0)
    second.weight[-1] = 1.0
    judged = model(second=second)
    assert judged.scores(table).tolist() == pytest.approx(np.clip(plain.scores(table), -2.5, 2.5) + 0.25)


def test_a_model_of_rendered_pages_needs_rendered_pages():
    visual = model(first=linear(column_names("visual")), about={})
    with pytest.raises(ModelMismatch, match="rendered pages"):
        BlocksightDom(model=visual).mark(bs.parse("<p>text"))


def damaged(path, **changes):
    with np.load(path) as arrays:
        numbers = {name: arrays[name] for name in arrays.files}
    head = json.loads(bytes(numbers["head"]))
    for name, value in changes.items():
        if name not in head:
            numbers[name] = value
        elif value is None:
            del head[name]
        else:
            head[name] = value
    numbers["head"] = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    with path.open("wb") as out:
        np.savez(out, **numbers)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"schema": "0" * 16}, "another definition"),
        ({"schema": None}, "damaged"),
        ({"columns": ["smell"]}, "unknown features: smell"),
        ({"columns": ["\ud800"]}, r"unknown features: \\ud800"),
        ({"columns": 5}, "damaged"),
        ({"second_columns": ["first_smell"]}, "unknown features: first_smell"),
        ({"second_columns": ["first_rank"]}, "second_mean does not fit"),
        ({"method": "knife"}, "unknown segmentation: knife"),
        ({"version": 99}, "another version"),
        ({"first_mean": np.zeros(2)}, "first_mean does not fit"),
        ({"first_weight": np.full(len(FEATURES), "x")}, "damaged"),
        ({"first_bias": np.asarray(np.nan)}, "first_bias has values that are not finite"),
        ({"first_weight": np.full(len(FEATURES), 1e300)}, "first_weight has values that are not finite or too large"),
        ({"calibration": None}, "damaged"),
        ({"calibration": {"slope": 1.0}}, "calibration is damaged"),
        ({"calibration": [1]}, "calibration is damaged"),
        ({"calibration": {"slope": float("nan"), "offset": 0.0}}, "calibration is damaged"),
        ({"calibration": {"slope": 1.0, "offset": 0.0, "spread": float("inf")}}, "calibration is damaged"),
        ({"second_columns": ["likely_title"]}, "unknown features: likely_title"),
        ({"about": 3}, "damaged"),
    ],
)
def test_models_for_something_else_are_refused(tmp_path, changes, why):
    model().save(tmp_path / "m.npz")
    damaged(tmp_path / "m.npz", **changes)
    with pytest.raises(ModelMismatch, match=rf"m\.npz: .*{why}"):
        load_model(tmp_path / "m.npz")


def test_a_model_for_features_that_are_gone_is_refused(tmp_path, monkeypatch):
    model().save(tmp_path / "m.npz")
    monkeypatch.setattr("blocksight.classify.model.model.column_names", lambda *_: column_names()[1:])
    with pytest.raises(ModelMismatch, match="unknown features: words_log"):
        load_model(tmp_path / "m.npz")


@pytest.mark.parametrize("deviation", [0.0, 1e-320])
def test_what_cannot_be_divided_by_is_damage(tmp_path, deviation):
    flat = replace(linear(FEATURES), deviation=np.full(len(FEATURES), deviation))
    model(first=flat).save(tmp_path / "m.npz")
    with pytest.raises(ModelMismatch, match="first_deviation is too small"):
        load_model(tmp_path / "m.npz")
