"""The guide says what the rows hold, and its example runs."""

import re
import shlex
from pathlib import Path

import blocksight as bs
import pytest
from blocksight import errors
from blocksight.app.commands.batch import batch
from blocksight.batch import row_schema
from blocksight.batch.output.output import Output
from blocksight.batch.row_schema import COLUMNS, FAILURES, SCHEMA_VERSION

DOCS = Path(bs.__file__).parent / "docs"


@pytest.fixture(scope="module")
def reference():
    return (DOCS / "reference" / "rows.md").read_text(encoding="utf-8")


def table(text, heading):
    """The cells of a table's rows, by the text of the first cell."""
    part = text.partition(heading)[2].partition("---")[2]
    return dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", part.partition("\n\n")[0], re.MULTILINE))


def test_every_column_is_explained(reference):
    kinds = {"text": "text", "number": "number", "count": "whole number", "truth": "true or false"}
    kinds["hashes"] = "128 whole numbers"
    assert table(reference, "## The columns") == {one.name: f"{kinds[one.kind]} | {one.about}" for one in COLUMNS}
    assert f"Version {SCHEMA_VERSION} (`schema`)" in reference


def test_every_kind_of_failure_is_explained(reference):
    assert table(reference, "Kinds of failure") == FAILURES
    own = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.BlocksightError)]
    kinds = {one.kind for one in own} | {row_schema.ROBOTS, row_schema.DIED, row_schema.SOURCE, row_schema.FAULT}
    assert kinds == set(FAILURES)


def test_the_example_runs(pages, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(
        r"^```python\n(.*?)^```", (DOCS / "batch.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    exec(compile(example, "batch.md", "exec"), {})
    assert "Tea 3 None" in capsys.readouterr().out
    output = Output(tmp_path / "corpus", format="jsonl", shard_rows=9)
    assert output.ledger.counts() == (7, 0, {})
    output.close()


def test_the_commands_of_the_guides_are_those_of_the_program():
    found = 0
    for name in ("ray.md", "batch.md"):
        text = (DOCS / name).read_text(encoding="utf-8").replace("\\\n", " ")
        for line in re.findall(r"^blocksight batch (.*)$", text, re.MULTILINE):
            batch.make_context("batch", shlex.split(line, comments=True))
            found += 1
    assert found > 5
