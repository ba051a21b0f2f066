"""Watching a run: the rate."""

import re

from blocksight.batch.run import Run


def test_the_rate(quick, plain, tmp_path):
    (tmp_path / "tea.html").write_text("<p>Tea")
    with Run(tmp_path / "out", plain) as run:
        list(run.rows([tmp_path / "tea.html", tmp_path / "bad.html"]))
        assert re.fullmatch(r"\d+\.\d pages/s", run.summary.pace())
