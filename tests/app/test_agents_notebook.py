"""The notebook of the guide for agents runs, and its outputs are those of today."""

import contextlib
import io
import json

import pytest


@pytest.mark.browser
def test_the_notebook_runs(fixtures):
    notebook = json.loads((fixtures.parent / "docs" / "agents.ipynb").read_text(encoding="utf-8"))
    names = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5
    for cell in cells:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile("".join(cell["source"]), "agents.ipynb", "exec"), names)
        stored = "".join(line for output in cell["outputs"] for line in output["text"])
        # Boxes depend on the fonts that are installed.
        assert [line.split(",")[0] for line in printed.getvalue().splitlines()] == [
            line.split(",")[0] for line in stored.splitlines()
        ]
