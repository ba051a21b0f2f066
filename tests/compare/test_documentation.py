"""What docs/evaluation.md and the reference say of measures is what there is."""

import re
from pathlib import Path

import pytest
from blocksight.app.cli import main
from blocksight.compare.evaluate import ABOUT
from blocksight.compare.measures.measures import MEASURES

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "evaluation.md").read_text(encoding="utf-8")
FORMULAS = (DOCS / "reference" / "measures.md").read_text(encoding="utf-8")
COLUMNS = (DOCS / "reference" / "scores.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.name)
def test_every_measure_is_described(measure):
    assert re.search(rf"^\| (?:`\w+`, )*`{measure.name}`(?:, `\w+`)* \|", FORMULAS, re.MULTILINE)
    assert f"`{measure.name}`" in TEXT
    assert all(f"`{column}`" in COLUMNS for column in measure.columns)


def test_every_column_is_described():
    described = {
        name for row in re.findall(r"^\| (`.*?) \|", COLUMNS, re.MULTILINE) for name in re.findall("`(.*?)`", row)
    }
    assert described == {*ABOUT, *(column for measure in MEASURES for column in measure.columns)}


def test_every_option_is_described():
    section = TEXT.split("## Evaluating on a corpus")[1].split("## ")[0]
    for option in main.get_command(None, "evaluate").params:
        names = [name for name in option.opts if name.startswith("-")]
        assert not names or any(f"`{name}" in section for name in names), names
