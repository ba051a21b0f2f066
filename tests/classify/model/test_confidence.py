"""The confidence: its columns by hand, its map, and its place in model files."""

from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.confidence import COLUMNS, Confidence, page_columns
from blocksight.classify.model.model import load_model, shipped_model
from blocksight.classify.systems.blocksight import Blocksight
from blocksight.errors import ModelMismatch
from blocksight.gold.leaf_labels import page_rows
from blocksight.page.role_names import ROLES

TEN = " ".join(["word"] * 10)


def rows_of_three(tag="p"):
    return page_rows(bs.parse(f"<{tag}>{TEN}</{tag}><div>{TEN}</div><section>{TEN}</section>"))


def columns(rows, probability, selected, expected=0.7, roles=None):
    values = page_columns(rows, np.asarray(probability), np.asarray(selected), expected, roles)
    return dict(zip(COLUMNS, values.tolist(), strict=True))


def test_columns_of_three_blocks_of_ten_words():
    found = columns(rows_of_three(), [0.9, 0.5, 0.1], [True, False, False])
    assert found["expected_f1"] == 0.7
    assert found["expected_precision"] == pytest.approx(0.9)
    assert found["expected_recall"] == pytest.approx(9 / 15)
    # Of the sets by probability: one block 2 · 9 / (10 + 15), two 2 · 14 / (20 + 15), three 2 · 15 / (30 + 15).
    assert found["gain_of_best"] == pytest.approx(28 / 35 - 18 / 25)
    assert found["share"] == pytest.approx(1 / 3)
    assert found["unsure"] == pytest.approx(1 / 3)
    assert found["unsure_selected"] == 0
    assert found["unsure_left_out"] == pytest.approx(1)
    assert found["largest_block"] == found["longest_stretch"] == 1
    assert found["gaps"] == found["links"] == 0
    assert found["highest"] == 0.9


def test_a_gap_in_the_selection_is_counted_by_its_words():
    found = columns(rows_of_three(), [0.9, 0.5, 0.9], [True, False, True])
    assert found["gaps"] == pytest.approx(10 / 20)
    assert found["stretches_log"] == pytest.approx(np.log(3))


def test_an_empty_selection_has_finite_columns():
    found = columns(rows_of_three(), [0.1, 0.1, 0.1], [False, False, False], expected=0.0)
    assert np.isfinite(list(found.values())).all()
    assert found["share"] == found["expected_precision"] == 0


def test_a_series_is_torn_or_left_out():
    items = "".join(f"<li class=card>{TEN}</li>" for _ in range(4))
    rows = page_rows(bs.parse(f"<p>{TEN}</p><ul>{items}</ul>"))
    left_out = columns(rows, [0.9, *[0.1] * 4], [True, *[False] * 4])
    torn = columns(rows, [0.9, *[0.5] * 4], [True, True, False, False, False])
    assert left_out["series_left_out"] == pytest.approx(np.log1p(40 / 10))
    assert left_out["series_torn"] == 0
    assert torn["series_left_out"] == 0
    assert torn["series_torn"] == pytest.approx(30 / 20)


def test_three_of_the_same_make_are_no_series():
    items = "".join(f"<li class=card>{TEN}</li>" for _ in range(3))
    rows = page_rows(bs.parse(f"<p>{TEN}</p><ul>{items}</ul>"))
    assert columns(rows, [0.9, *[0.1] * 3], [True, *[False] * 3])["series_left_out"] == 0


def test_roles_of_the_selection_and_of_the_page():
    roles = np.zeros((3, len(ROLES)))
    roles[:, ROLES.index("body")] = [0.8, 0.2, 0.0]
    roles[:, ROLES.index("related")] = [0.2, 0.8, 1.0]
    found = columns(rows_of_three(), [0.9, 0.5, 0.1], [True, False, False], roles=roles)
    assert found["selected_body"] == pytest.approx(0.8)
    assert found["page_related"] == pytest.approx(2 / 3)
    assert found["role_certainty"] == pytest.approx(0.8)


def confidence(**changes):
    width = len(COLUMNS)
    parts = {
        "mean": np.zeros(width),
        "deviation": np.ones(width),
        "quantiles": np.linspace(np.zeros(width), np.ones(width), 5).T.copy(),
        "weight": np.zeros(2 * width),
        "bias": 0.0,
        "knots": np.asarray([[0.0, 0.5, 1.0], [0.0, 0.8, 1.0]]),
    }
    return Confidence(**(parts | changes))


def test_the_map_is_linear_between_its_knots():
    values = np.zeros((1, len(COLUMNS)))
    assert confidence().of(values).tolist() == [pytest.approx(0.8)]  # 1 / (1 + e^0) = .5
    assert confidence(bias=100.0).of(values)[0] == pytest.approx(1.0)


def test_values_and_ranks_are_weighed():
    weight = np.zeros(2 * len(COLUMNS))
    weight[0], weight[len(COLUMNS)] = 2.0, 1.0
    values = np.zeros((2, len(COLUMNS)))
    values[1, 0] = 1.0
    # .3 · 2 · 1 + 1 · .5 for the largest value, and -.5 for the smallest.
    expected = 1 / (1 + np.exp([0.5, -1.1]))
    assert confidence(weight=weight).raw(values) == pytest.approx(expected)


ARTICLE = bs.parse(f"<title>Tides</title><h1>Tides</h1><p>{TEN} {TEN} {TEN}.</p><p>{TEN} {TEN} {TEN}.</p>")


def test_a_model_with_confidence_gives_it_to_the_document(tmp_path):
    sure = replace(shipped_model(visual=False), confidence=confidence())
    sure.save(tmp_path / "model.npz")
    again = load_model(tmp_path / "model.npz")
    assert bs.extract(ARTICLE, system=Blocksight(model=again)).confidence == pytest.approx(0.8)
    assert again.confidence.quantiles.tolist() == confidence().quantiles.tolist()


def test_no_content_has_no_confidence():
    sure = replace(shipped_model(visual=False), confidence=confidence())
    document = bs.extract(bs.parse("<p><a href=/>Home</a>"), system=Blocksight(model=sure))
    assert (document.text, document.confidence) == ("", 0.0)


@pytest.mark.parametrize(
    "damage",
    [
        {"knots": np.asarray([[0.0, 1.0], [0.8, 0.2]])},
        {"knots": np.asarray([[0.0, 1.0], [0.0, 1.5]])},
        {"mean": np.zeros(2)},
        {"quantiles": np.zeros((2, 5))},
        {"deviation": np.zeros(len(COLUMNS))},
        {"weight": np.full(2 * len(COLUMNS), np.nan)},
    ],
)
def test_a_damaged_confidence_is_refused(tmp_path, damage):
    replace(shipped_model(visual=False), confidence=confidence(**damage)).save(tmp_path / "model.npz")
    with pytest.raises(ModelMismatch):
        load_model(tmp_path / "model.npz")
