"""A model of one's own, from a small data set."""

import subprocess
import sys
import zipfile

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model.model import load_model
from blocksight.classify.systems.blocksight import BlocksightDom
from blocksight.train.custom import score_rows, train_custom
from blocksight.train.examples import NoExamples

UNSEEN = (
    "<title>Day 99</title><ul><li><a href=/1>Item 1</a><li><a href=/2>Item 2</a></ul><div>"
    "<p>The 99th day brought rain, and with it news from the upper valley that nobody wanted to hear.</p></div>"
)


def test_a_model_is_learned(own):
    about = own.about
    assert list(about["by C"]) == ["0.01", "0.1"]
    assert about["on unseen sites"]["f1"] > 0.95
    assert (about["dataset"], about["pages"], about["sites"]) == ("made", 24, 7)
    assert not own.visual


def test_learning_repeats_itself(examples, own):
    again = train_custom(examples, [own.about["C"]], folds=3)
    matrix = examples.matrix
    np.testing.assert_array_equal(again.first.decision(matrix), own.first.decision(matrix))
    with pytest.raises(ValueError, match="no values"):
        train_custom(examples, [])


def test_models_are_plain_numbers_and_come_back(examples, own, tmp_path):
    model = own
    path = tmp_path / "m.npz"
    model.save(path)
    again = load_model(path)
    np.testing.assert_array_equal(again.first.decision(examples.matrix), model.first.decision(examples.matrix))
    assert (again.calibration, again.method, again.about) == (model.calibration, model.method, model.about)
    assert all(name.endswith(".npy") for name in zipfile.ZipFile(path).namelist())
    with np.load(path, allow_pickle=False) as arrays:
        assert {arrays[name].dtype.kind for name in arrays.files} <= {"f", "u"}
    page = bs.parse(UNSEEN)
    marks = BlocksightDom(model=again).mark(page)
    assert [text[:8] for text, mark in zip(page.leaf_texts, marks, strict=True) if mark] == ["The 99th"]


def test_models_are_used_without_scikit_learn(own, tmp_path):
    own.save(tmp_path / "m.npz")
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


def test_scores_by_hand(rows):
    some = rows([1, 1, 0, 0], [1, 1, 1, 1], [0, 0, 1, 1], [0, 0, 1, 1])
    found = score_rows(some, np.array([1.0, -1.0, 2.0, -2.0]))
    assert (found.precision, found.recall, found.f1) == pytest.approx((0.5, 0.5, 0.5))


def test_two_sites_are_needed_and_both_labels_in_each_fold(rows):
    one_site = rows([1, 0], [5, 5], [0, 1], [0, 0])
    with pytest.raises(NoExamples, match="two sites"):
        train_custom(one_site, [1.0])
    one_label = rows([1, 1, 0, 0], [5] * 4, [0, 1, 2, 3], [0, 0, 1, 1])
    with pytest.raises(NoExamples, match="one label only"):
        train_custom(one_label, [1.0])
