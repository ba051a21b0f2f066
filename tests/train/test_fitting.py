"""Fitting machines to a data set, and the files of models."""

import json
import subprocess
import sys
import zipfile
from dataclasses import replace

import blocksight as bs
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from blocksight import ModelMismatch
from blocksight.classify.model.model import load_model
from blocksight.classify.model.svm import LinearSvm, RbfSvm, standardise
from blocksight.classify.systems.blocksight import BlocksightDom
from blocksight.features.table import column_names
from blocksight.train.examples import Examples, NoExamples, read_examples
from blocksight.train.fitting import drawn, fit, folds_by_site, platt, reliability, score
from blocksight.train.grid import Fitting, Setting, grid
from blocksight.train.learn import learn
from blocksight.train.report import card, machine_readable, report
from lxml import etree
from sklearn.svm import SVC

FITTING = Fitting(folds=3, blocks=500, search_blocks=200)
UNSEEN = (
    "<title>Day 99</title><ul><li><a href=/1>Item 1</a><li><a href=/2>Item 2</a></ul><div>"
    "<p>The 99th day brought rain, and with it news from the upper valley that nobody wanted to hear.</p></div>"
)


def made(label, words, page, site):
    count = len(label)
    return Examples(
        columns=("words_log",),
        matrix=np.asarray(words, dtype=np.float32)[:, None],
        label=np.asarray(label, dtype=bool),
        words=np.asarray(words, dtype=float),
        page=np.asarray(page),
        site=np.asarray(site),
        about={"count": str(count)},
    )


@pytest.fixture(scope="module")
def examples(small_dataset):
    return read_examples(small_dataset)


@pytest.fixture(scope="module")
def learned(examples):
    settings = grid(linear_c=(0.1,), rbf_c=(1.0,), gammas=(0.5,))
    return learn(examples, settings, FITTING)


def test_reading_a_data_set(examples, small_dataset):
    assert examples.groups == ("text", "link", "structure", "neighbour")
    assert len(np.unique(examples.site)) == 7
    assert len(np.unique(examples.page)) == 24
    assert examples.label.sum() == 48
    assert examples.about["input"] == "raw HTML"
    some = read_examples(small_dataset / "blocks.parquet", groups=("link",))
    assert some.columns == column_names("link")
    assert some.with_groups(("link",)).matrix.shape == some.matrix.shape


def test_what_is_no_data_set(small_dataset, tmp_path):
    with pytest.raises(NoExamples, match="no rows of the split dev"):
        read_examples(small_dataset, split="dev")
    with pytest.raises(ValueError, match="no features of the group visual; there are text"):
        read_examples(small_dataset, groups=("visual",))
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    with pytest.raises(ModelMismatch, match="no data set of blocksight"):
        read_examples(tmp_path / "a.parquet")
    with pytest.raises(ModelMismatch, match="no data set of blocksight"):
        read_examples(tmp_path)


def test_a_data_set_of_other_features_is_refused(small_dataset, monkeypatch):
    monkeypatch.setattr("blocksight.features.table.FEATURES_VERSION", 2)
    with pytest.raises(ModelMismatch, match="make the data set again"):
        read_examples(small_dataset)


def test_weights_by_hand():
    # A page with 100 words of content, one with 10 (which counts as one of 50).
    some = made([1, 0, 1, 0], [100, 10, 10, 5], [0, 0, 1, 1], [0, 0, 1, 1])
    raw = np.array([0.4, 0.1, 0.2, 0.1])  # 100/100, cut to 0.4; 10/100; 10/50; 5/50
    assert some.weights() == pytest.approx(raw / raw.mean())
    balanced = some.weights(balanced=True)
    assert balanced[[0, 2]].sum() == pytest.approx(balanced[[1, 3]].sum())
    assert balanced[0] / balanced[2] == pytest.approx(2)


def test_drawing_by_weight_keeps_sums_on_average():
    weight = np.concatenate([np.full(50, 10.0), np.full(2000, 0.5)])
    rows, stands_for = drawn(np.arange(2050), weight, 300, seed=1)
    assert 250 < len(rows) < 350
    assert (rows[:50] == np.arange(50)).all()
    assert stands_for[:50].tolist() == [10.0] * 50
    assert stands_for.sum() == pytest.approx(weight.sum(), rel=0.1)
    same, all_of_it = drawn(np.arange(3), np.ones(3), 300, seed=1)
    assert (same.tolist(), all_of_it.tolist()) == ([0, 1, 2], [1, 1, 1])


def test_no_site_is_in_two_folds(examples):
    fold = folds_by_site(examples, 3)
    assert set(fold.tolist()) == {0, 1, 2}
    assert all(len(np.unique(fold[examples.site == site])) == 1 for site in np.unique(examples.site))
    with pytest.raises(NoExamples, match="two sites"):
        folds_by_site(replace(examples, site=np.zeros(len(examples), dtype=int)), 3)


def test_scores_by_hand():
    some = made([1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1])
    found = score(some, np.array([1.0, -1.0, 2.0, -2.0]))
    assert (found.precision, found.recall, found.f1, found.accuracy) == pytest.approx((0.5, 0.5, 0.5, 0.5))


def test_probabilities_are_calibrated():
    random = np.random.default_rng(0)
    decisions = random.normal(size=4000)
    label = random.random(4000) < 1 / (1 + np.exp(-(2 * decisions + 0.5)))
    some = made(label, np.ones(4000), np.arange(4000), np.arange(4000))
    calibration = platt(some, decisions)
    assert (calibration.slope, calibration.offset) == pytest.approx((2, 0.5), abs=0.15)
    for mean, share, weight in reliability(some, decisions, calibration):
        assert mean == pytest.approx(share, abs=0.08)
        assert weight > 0


def test_the_rbf_decision_is_scikit_learns():
    random = np.random.default_rng(0)
    matrix = random.normal(size=(300, 3)).astype(np.float32)
    label = (matrix**2).sum(axis=1) > 2
    some = replace(made(label, np.ones(300), np.arange(300), np.arange(300)), columns=("a", "b", "c"), matrix=matrix)
    rows = np.arange(300)
    machine = fit(some, Setting(kernel="rbf", c=10.0, gamma=1.5), some.weights(), rows, blocks=300, seed=0)
    assert isinstance(machine, RbfSvm)
    theirs = SVC(C=10.0 * 1000 / 300, gamma=0.5)
    scaled = standardise(matrix.astype(np.float64), machine.mean, machine.deviation)
    theirs.fit(scaled, label)
    np.testing.assert_allclose(machine.decision(matrix), theirs.decision_function(scaled), atol=1e-4)
    assert ((machine.decision(matrix) > 0) == label).mean() > 0.97
    # What is missing counts as the mean.
    missing = np.full((1, 3), np.nan)
    assert machine.decision(missing) == pytest.approx(machine.decision(machine.mean[None]))


def test_the_grid():
    assert len(grid(("linear",), linear_c=(1.0, 2.0))) == 2
    settings = grid(("rbf",), rbf_c=(1.0, 2.0), gammas=(0.5, 1.0))
    assert [(s.c, s.gamma) for s in settings] == [(1, 0.5), (1, 1), (2, 0.5), (2, 1)]
    with pytest.raises(ValueError, match="no such kernel"):
        grid(("cubic",))


def test_a_model_is_learned(learned):
    assert {trial.setting.kernel for trial in learned.trials} == {"linear", "rbf"}
    assert learned.best.score.f1 > 0.95
    assert set(learned.groups) == {"text", "link", "structure", "neighbour"}
    about = learned.model.about
    assert (about["dataset"], about["pages"], about["sites"]) == ("made", 24, 7)
    assert not learned.model.visual


def test_learning_repeats_itself(examples, learned):
    again = learn(examples, [learned.best.setting], FITTING, ablate=False)
    matrix = examples.matrix
    np.testing.assert_array_equal(again.model.first.decision(matrix), learned.model.first.decision(matrix))
    with pytest.raises(ValueError, match="no setting"):
        learn(examples, [], FITTING)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_models_are_plain_numbers_and_come_back(examples, kernel, tmp_path):
    setting = Setting(kernel=kernel, c=0.1 if kernel == "linear" else 1.0, gamma=0.5 * (kernel == "rbf"))
    model = learn(examples, [setting], FITTING, ablate=False).model
    path = tmp_path / "m.npz"
    model.save(path)
    again = load_model(path)
    assert isinstance(again.first, LinearSvm if kernel == "linear" else RbfSvm)
    np.testing.assert_array_equal(again.first.decision(examples.matrix), model.first.decision(examples.matrix))
    assert (again.calibration, again.method, again.about) == (model.calibration, model.method, model.about)
    assert all(name.endswith(".npy") for name in zipfile.ZipFile(path).namelist())
    with np.load(path, allow_pickle=False) as arrays:
        assert {arrays[name].dtype.kind for name in arrays.files} <= {"f", "u"}
    page = bs.parse(UNSEEN)
    marks = BlocksightDom(model=again).mark(page)
    assert [text[:8] for text, mark in zip(page.leaf_texts, marks, strict=True) if mark] == ["The 99th"]


def test_models_are_used_without_scikit_learn(learned, tmp_path):
    learned.model.save(tmp_path / "m.npz")
    (tmp_path / "page.html").write_text(UNSEEN)
    program = (
        "import sys\n"
        "sys.modules['sklearn'] = sys.modules['scipy'] = None\n"
        "from blocksight.app.cli import main\n"
        f"main(['extract', '--no-browser', '--model', {str(tmp_path / 'm.npz')!r}, {str(tmp_path / 'page.html')!r}])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "The 99th day brought rain" in done.stdout
    assert "Item 1" not in done.stdout


def damaged(path, **changes):
    with np.load(path) as arrays:
        numbers = {name: arrays[name] for name in arrays.files}
    head = json.loads(bytes(numbers["head"]))
    for name, value in changes.items():
        if name in head:
            head[name] = value
        else:
            numbers[name] = value
    numbers["head"] = np.frombuffer(json.dumps(head).encode(), dtype=np.uint8)
    with path.open("wb") as out:
        np.savez(out, **numbers)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"schema": "0" * 16}, "measured in another way"),
        ({"columns": ["smell"]}, "not known: smell"),
        ({"method": "knife"}, "blocks that are not known: knife"),
        ({"version": 99}, "another version"),
        ({"first_mean": np.zeros(2)}, "first_mean does not fit"),
        ({"first_bias": np.asarray(np.nan)}, "first_bias does not fit"),
    ],
)
def test_models_for_something_else_are_refused(learned, tmp_path, changes, why):
    learned.model.save(tmp_path / "m.npz")
    damaged(tmp_path / "m.npz", **changes)
    with pytest.raises(ModelMismatch, match=why):
        load_model(tmp_path / "m.npz")


def test_a_model_of_rendered_pages_needs_rendered_pages(learned):
    model = replace(learned.model, first=replace(learned.model.first, columns=column_names("visual")), about={})
    with pytest.raises(ModelMismatch, match="rendered pages"):
        BlocksightDom(model=model).mark(bs.parse(UNSEEN))


def test_the_report_and_the_card(learned):
    page = etree.HTML(report(learned, "Training <of> m"))
    assert page.findtext(".//h1") == "Training <of> m"
    headings = [heading.text for heading in page.iter("h2")]
    assert headings == [
        "Data", "On sites that it had not seen", "Right and wrong", "Precision over recall", "Calibration",
        "Settings tried", "Groups of features",
    ]  # fmt: skip
    assert not [node for node in page.iter() if node.get("src") or node.get("href")]
    assert len(list(page.iter("svg"))) == 4
    assert len(list(page.iter("polyline"))) == 2
    numbers = json.loads(machine_readable(learned))
    for row in numbers["confusion"]:
        assert sum(row) == pytest.approx(1)
    assert set(numbers["groups"]) == set(learned.groups)
    text = card(learned, "m.npz")
    assert "| sites | 7 |" in text
    assert f"| f1 | {learned.best.score.f1:.4f} |" in text
