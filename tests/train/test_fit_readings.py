"""The reading model learns from pages of two readings, one of which is right."""

import numpy as np
import pytest
from blocksight.classify.model.reading_columns import COLUMNS
from blocksight.classify.model.reading_model import load_readings
from blocksight.errors import ModelMismatch, ModelMissing
from blocksight.train.fit_readings import START, PageChoice, cross_validated, fit_readings


def choice(right, **columns):
    """A page with a reading of F1 1 at ``right``; ``columns`` have a value for each of the two readings."""
    matrix = np.zeros((2, len(COLUMNS)), dtype=np.float32)
    for name, values in columns.items():
        matrix[:, COLUMNS.index(name)] = values
    return PageChoice(columns=matrix, f1=np.eye(2)[right], overlaps=np.eye(2))


def pages(count=20):
    # The expected F1 prefers the reading with the comments, which is wrong on each page.
    return [
        choice(n % 2, expected_f1=(0.4, 0.3) if n % 2 else (0.3, 0.4), below_comment=(0.5, 0) if n % 2 else (0, 0.5))
        for n in range(count)
    ]


def test_what_is_wrong_with_the_expected_f1_is_learned():
    learned = fit_readings(pages())
    for page in pages(2):
        assert page.f1[learned.best(page.columns.astype(float), page.overlaps)] == 1
    assert learned.weight[COLUMNS.index("below_comment")] < 0


def test_without_evidence_the_expected_f1_decides():
    learned = fit_readings([choice(n % 2, words_log=(1, 1)) for n in range(20)])
    assert learned.weight[COLUMNS.index("expected_f1")] == START
    assert np.delete(learned.weight, COLUMNS.index("expected_f1")).tolist() == [0.0] * (len(COLUMNS) - 1)


def test_a_page_counts_by_the_doubt_of_its_blocks():
    # The label of comments speaks for the first reading on sure pages, and for the second on unsure ones.
    sure = [choice(0, expected_f1=(0.99, 0.99), below_comment=(0.5, 0)) for _ in range(10)]
    unsure = [choice(1, expected_f1=(0.5, 0.5), below_comment=(0.5, 0)) for _ in range(10)]
    assert fit_readings(sure + unsure).weight[COLUMNS.index("below_comment")] < 0
    assert fit_readings(40 * sure + unsure).weight[COLUMNS.index("below_comment")] > 0


def test_the_target_is_softened():
    # Both readings are equally good: neither is learned.
    both = [choice(n % 2, below_comment=(0.5, 0)) for n in range(20)]
    same = [PageChoice(columns=page.columns, f1=np.ones(2), overlaps=np.eye(2)) for page in both]
    assert abs(fit_readings(same).weight[COLUMNS.index("below_comment")]) < 1e-6


def test_a_page_is_judged_by_models_of_other_folds():
    folds = np.arange(20) // 10
    assert cross_validated(pages(), folds).tolist() == [1.0] * 20
    # Pages of one fold on which the opposite is right mislead the other one.
    odd = [
        *pages(10),
        *(PageChoice(columns=page.columns, f1=1 - page.f1, overlaps=np.eye(2)) for page in pages(10)),
    ]
    assert cross_validated(odd, folds).tolist() == [0.0] * 20


def test_no_pages_are_refused():
    with pytest.raises(ValueError, match="no page has readings"):
        fit_readings([])


def test_a_saved_model_is_the_same(tmp_path):
    learned, path = fit_readings(pages()), tmp_path / "readings.npz"
    learned.save(path, {"pages": 20})
    again = load_readings(path)
    for page in pages(2):
        np.testing.assert_allclose(
            again.probability(page.columns.astype(float)),
            learned.probability(page.columns.astype(float)),
            rtol=1e-4,
            atol=1e-5,
        )
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(ModelMismatch):
        load_readings(path)
    with pytest.raises(ModelMissing):
        load_readings(tmp_path / "none.npz")
