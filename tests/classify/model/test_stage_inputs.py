"""Inputs of a stage, assembled in parts."""

import tracemalloc
from dataclasses import replace

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model import stage_inputs
from blocksight.classify.model.model import shipped_model
from blocksight.classify.model.stage_inputs import MatrixColumns, NamedColumns, StageInputs, scaled_rows
from blocksight.features.block_table import measure

PAGE = "<h1>Tea</h1>" + "".join(f"<li class=c{n % 3}><a href=/{n}>Pot {n}</a> of tea, warm" for n in range(50))


def test_columns_of_sources_are_next_to_each_other():
    table = measure(bs.parse(PAGE), groups=("text",))
    names = tuple(table.columns)[:3]
    inputs = StageInputs(len(table), NamedColumns(table.columns, names)).joined(MatrixColumns(np.arange(51.0)[:, None]))
    assert len(inputs) == 51
    assert inputs[:].shape == (51, 4)
    for rows in (slice(3, 7), np.arange(51) % 5 == 0, np.asarray([4, 1])):
        np.testing.assert_array_equal(inputs[rows], inputs[:][rows])
        np.testing.assert_array_equal(inputs[rows][:, 1], table.columns[names[1]][rows])


def test_a_function_of_rows_gets_a_few_at_a_time(monkeypatch):
    monkeypatch.setattr(stage_inputs, "ROWS_AT_ONCE", 4)
    sizes = []

    def decide(part):
        sizes.append(len(part))
        return part.sum(axis=1)

    inputs = StageInputs(10, MatrixColumns(np.arange(20.0).reshape(10, 2)))
    assert inputs.apply(decide).tolist() == [1.0 + 4 * row for row in range(10)]
    assert sizes == [4, 4, 2]


@pytest.mark.parametrize("html", [PAGE, "<p>One.", ""])
def test_a_prediction_does_not_depend_on_the_parts(monkeypatch, html):
    model = shipped_model(visual=False)
    table = model.measure(bs.parse(html))
    whole = model.predict(table)
    monkeypatch.setattr(stage_inputs, "ROWS_AT_ONCE", 7)
    parts = model.predict(table)
    np.testing.assert_allclose(parts.scores, whole.scores, atol=1e-12)
    np.testing.assert_allclose(parts.roles, whole.roles, atol=1e-12)
    np.testing.assert_allclose(parts.role_inputs[3:12], whole.role_inputs[3:12], atol=1e-12)


def test_a_prediction_takes_less_memory_than_the_inputs_of_one_stage():
    """There are four stages; their whole inputs were half of the memory of a page of 60,000 items."""
    model = shipped_model(visual=False)
    table = model.measure(bs.parse("".join(f"<li>pot number {n} of the shelf" for n in range(9000))))
    table.rows.chain, table.rows.words, model.predict(table)  # what is kept is computed before
    tracemalloc.start()
    model.predict(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(table) == 9000
    assert peak < len(table) * len(model.second.columns) * np.dtype(np.float64).itemsize


@pytest.mark.parametrize("moved", [None, 0, 353, 415])
def test_stages_share_only_what_they_scale_equally(moved):
    """The second stage scales the features as the first, unless one of them, here the ``moved``, has another mean."""
    model = shipped_model(visual=False)
    if moved is not None:
        mean = model.second.mean.copy()
        mean[moved] += 1.0
        model = replace(model, second=replace(model.second, mean=mean))
    found = model.predict(model.measure(bs.parse(PAGE)))
    np.testing.assert_allclose(found.scores, model.second.decision(found.inputs[:]), atol=1e-12)
    np.testing.assert_allclose(found.roles, model.roles.second.probability(found.role_inputs[:]), atol=1e-12)


def test_predictions_do_not_depend_on_those_before():
    model = shipped_model(visual=False)
    large, small = (model.measure(bs.parse(html)) for html in (PAGE, "<h1>Tea</h1><p>One.<p>Two of a kind."))
    first = model.predict(small).scores
    model.predict(large)
    assert model.predict(small).scores.tolist() == first.tolist()
    mean, deviation = np.zeros(2), np.ones(2)
    one, other = (MatrixColumns(np.full((3, 1), value)) for value in (1.0, 2.0))
    with scaled_rows(3, 2) as stages:
        assert stages.of((one, other), mean, deviation).tolist() == [[1.0, 2.0]] * 3
        assert stages.of((other, one), mean, deviation).tolist() == [[2.0, 1.0]] * 3
        assert stages.of((other, one), mean, 2 * deviation).tolist() == [[1.0, 0.5]] * 3


def test_memory_is_kept_for_the_next_page_also_after_an_error():
    mean, deviation, values = np.zeros(2), np.ones(2), MatrixColumns(np.ones((3, 2)))
    with pytest.raises(ValueError, match="wrong"), scaled_rows(3, 2) as stages:  # noqa: PT012
        first = stages.of((values,), mean, deviation)
        raise ValueError("wrong")
    with scaled_rows(3, 2) as later, scaled_rows(3, 2) as inner:
        assert np.shares_memory(first, later.of((values,), mean, deviation))
        assert not np.shares_memory(first, inner.of((values,), mean, deviation))
