"""Models as plain numbers, and the choice of a page's content."""

import json

import blocksight as bs
import numpy as np
import pytest
from blocksight import ModelMismatch
from blocksight.classify.model.choice import Calibration, choose, expected_f1, filled
from blocksight.classify.model.model import load_model, shipped_model
from blocksight.classify.model.svm import LinearSvm, standardise
from blocksight.features.rows import rows_of
from blocksight.features.table import column_names
from sklearn.svm import LinearSVC


def counts_of(html):
    page = bs.parse(html)
    return rows_of(page, bs.text_blocks(page))


def test_the_decision_is_scikit_learns():
    random = np.random.default_rng(0)
    matrix = random.normal(size=(200, 4))
    labels = matrix @ [1.0, -2.0, 0.5, 0.0] > 0.3
    mean, deviation = matrix.mean(axis=0), matrix.std(axis=0)
    svc = LinearSVC(dual=False).fit(standardise(matrix, mean, deviation), labels)
    ours = LinearSvm(
        columns=("a", "b", "c", "d"),
        mean=mean,
        deviation=deviation,
        weight=svc.coef_[0],
        bias=float(svc.intercept_[0]),
    )
    theirs = svc.decision_function(standardise(matrix, mean, deviation))
    np.testing.assert_allclose(ours.decision(matrix), theirs)


def test_missing_values_count_as_the_mean_and_extremes_are_cut_off():
    machine = LinearSvm(
        columns=("a",), mean=np.array([5.0]), deviation=np.array([2.0]), weight=np.array([1.0]), bias=0.5
    )
    assert machine.decision(np.array([[np.nan], [7.0], [1e9], [-np.inf]])).tolist() == [0.5, 1.5, 6.5, -5.5]


def test_expected_f1_by_hand():
    # One sure word in, one half-sure word out: 2·1 / (1 + 1.5).
    rows, weight, probability = np.array([True, False]), np.array([1.0, 1.0]), np.array([1.0, 0.5])
    assert expected_f1(rows, weight, probability) == pytest.approx(0.8)
    assert expected_f1(~rows & rows, weight, probability * 0) == 0


def test_the_choice_has_the_largest_expected_f1():
    counts = counts_of("<p>" + "word " * 30 + "</p><p>" + "word " * 30 + "</p><p>menu</p>")
    scores = np.array([1.5, 1.2, -2.0])
    choice = choose(counts, scores, Calibration(slope=3.0, offset=-0.2))
    assert choice.rows.tolist() == [True, True, False]
    assert 0.9 < choice.expected_f1 <= 1


def test_where_all_is_doubtful_a_shift_of_the_page_takes_rather_more():
    counts = counts_of("".join(f"<p>{'word ' * 30}</p>" for _ in range(10)))
    scores = np.array([0.1] + [-0.6] * 9)
    alone = choose(counts, scores, Calibration(slope=5.0, offset=0.0))
    together = choose(counts, scores, Calibration(slope=5.0, offset=0.0, spread=1.0))
    assert alone.rows.sum() == 1
    assert together.rows.all()
    clear = np.array([1.5] * 5 + [-1.5] * 5)
    for spread in (0.0, 0.5):
        choice = choose(counts, clear, Calibration(slope=5.0, offset=0.0, spread=spread))
        assert choice.rows.tolist() == (clear > 0).tolist()


def test_what_nobody_sees_is_not_chosen():
    counts = counts_of("<p>" + "word " * 30 + "</p><p>" + "word " * 30 + "</p>")
    unseen = np.array([False, True])
    choice = choose(counts, np.array([1.0, 1.0]), Calibration(slope=3.0, offset=0.0, spread=0.5), unseen)
    assert choice.rows.tolist() == [True, False]


def test_nothing_to_choose_from():
    counts = counts_of("<p>")
    assert choose(counts, np.zeros(0), Calibration(slope=3.0, offset=-0.2)).expected_f1 == 0


def test_a_table_between_content_belongs_to_it():
    html = "<div><p>one two three</p><table><tr><td>a<td>b</table><p>four five six</p><table><tr><td>c</table></div>"
    counts = counts_of(html)
    chosen = np.array([True, False, False, True, False])
    assert filled(counts, chosen).tolist() == [True, True, True, True, False]


def test_a_list_of_links_between_content_does_not():
    html = "<div><p>one two three</p><ul><li><a href=/>a</a></li></ul><p>four five six</p></div>"
    assert filled(counts_of(html), np.array([True, False, True])).tolist() == [True, False, True]


@pytest.mark.parametrize("visual", [True, False])
def test_shipped_models_say_what_they_were_trained_on(visual, tmp_path):
    model = shipped_model(visual=visual)
    assert model.visual == visual
    assert model.about["split"] == "train"
    assert sum(model.about["corpora"].values()) > 3000
    model.save(tmp_path / "again.npz")
    again = load_model(tmp_path / "again.npz")
    np.testing.assert_array_equal(again.second.weight, model.second.weight)
    assert again.about == model.about


def test_files_that_are_no_models(tmp_path):
    (tmp_path / "a.npz").write_bytes(b"nothing")
    with pytest.raises(ModelMismatch, match="no model"):
        load_model(tmp_path / "a.npz")
    np.savez(tmp_path / "b.npz", other=np.zeros(3))
    with pytest.raises(ModelMismatch, match="no model"):
        load_model(tmp_path / "b.npz")
    with pytest.raises(ModelMismatch):
        load_model(tmp_path / "none.npz")


def test_a_model_for_other_features_is_refused(tmp_path, monkeypatch):
    shipped_model(visual=False).save(tmp_path / "m.npz")
    monkeypatch.setattr("blocksight.classify.model.model.column_names", lambda *_: column_names()[1:])
    with pytest.raises(ModelMismatch, match="not known: words_log"):
        load_model(tmp_path / "m.npz")


def test_calibrations_of_earlier_models_and_damaged_ones(tmp_path):
    model = shipped_model(visual=False)
    model.save(tmp_path / "m.npz")
    with np.load(tmp_path / "m.npz") as arrays:
        numbers = dict(arrays)
    head = json.loads(bytes(numbers.pop("head")))

    def written(head):
        np.savez(tmp_path / "n.npz", head=np.frombuffer(json.dumps(head).encode(), dtype=np.uint8), **numbers)
        return tmp_path / "n.npz"

    old = {key: value for key, value in head.items() if key != "calibration"}
    assert load_model(written(old | {"slope": 2.0, "offset": 0.5})).calibration == Calibration(slope=2.0, offset=0.5)
    for damaged in (old, head | {"calibration": {"slope": 1.0}}, head | {"calibration": [1]}):
        with pytest.raises(ModelMismatch, match="calibration is damaged"):
            load_model(written(damaged))
