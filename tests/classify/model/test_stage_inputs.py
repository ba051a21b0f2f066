"""Inputs of a stage, assembled in parts."""

import tracemalloc

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.model import stage_inputs
from blocksight.classify.model.model import shipped_model
from blocksight.classify.model.stage_inputs import StageInputs, named_columns
from blocksight.features.block_table import measure

PAGE = "<h1>Tea</h1>" + "".join(f"<li class=c{n % 3}><a href=/{n}>Pot {n}</a> of tea, warm" for n in range(50))


def test_stage_inputs_columns_next_to_each_other():
    table = measure(bs.parse(PAGE), groups=("text",))
    names = tuple(table.columns)[:3]
    more = np.arange(51.0)[:, None]
    inputs = StageInputs(len(table), named_columns(table.columns, names)).joined(more.__getitem__)
    assert len(inputs) == 51
    assert inputs[:].shape == (51, 4)
    for rows in (slice(3, 7), np.arange(51) % 5 == 0, np.asarray([4, 1])):
        np.testing.assert_array_equal(inputs[rows], inputs[:][rows])
        np.testing.assert_array_equal(inputs[rows][:, 1], table.columns[names[1]][rows])


@pytest.mark.parametrize(("rows", "sizes"), [(10, [4, 4, 2]), (4, [4]), (0, [0])])
def test_apply_to_a_few_rows_at_a_time(monkeypatch, rows, sizes):
    monkeypatch.setattr(stage_inputs, "ROWS_AT_ONCE", 4)
    found = []

    def decide(part):
        found.append(len(part))
        return part.sum(axis=1)

    inputs = StageInputs(rows, np.arange(2.0 * rows).reshape(rows, 2).__getitem__)
    assert inputs.apply(decide).tolist() == [1.0 + 4 * row for row in range(rows)]
    assert found == sizes


@pytest.mark.parametrize("html", [PAGE, "<p>One.", ""])
def test_predict_does_not_depend_on_parts(monkeypatch, html):
    model = shipped_model(visual=False)
    table = model.measure(bs.parse(html))
    whole = model.predict(table)
    monkeypatch.setattr(stage_inputs, "ROWS_AT_ONCE", 7)
    parts = model.predict(table)
    np.testing.assert_allclose(parts.scores, whole.scores, atol=1e-12)
    np.testing.assert_allclose(parts.roles, whole.roles, atol=1e-12)
    np.testing.assert_allclose(parts.role_inputs[3:12], whole.role_inputs[3:12], atol=1e-12)
    np.testing.assert_allclose(whole.scores, model.second.decision(whole.inputs[:]), atol=1e-12)
    np.testing.assert_allclose(whole.roles, model.roles.second.probability(whole.role_inputs[:]), atol=1e-12)


def test_predict_takes_less_memory_than_the_inputs_of_one_stage():
    """There are four stages; their whole inputs were half of the memory of a page of 60,000 items."""
    model = shipped_model(visual=False)
    table = model.measure(bs.parse("".join(f"<li>pot number {n} of the shelf" for n in range(9000))))
    model.predict(table)  # what is kept is computed before
    tracemalloc.start()
    model.predict(table)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < len(table) * len(model.second.columns) * np.dtype(np.float64).itemsize
