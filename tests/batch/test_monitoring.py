"""Watching a run: the rate."""

import re

import pytest
from blocksight.batch.run import Run
from blocksight.batch.summary import OK


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "tea.html").write_text("<p>Tea")
    return [tmp_path / "tea.html", tmp_path / "bad.html"]


def test_the_rate_by_kind(quick, plain, sources, tmp_path):
    with Run(tmp_path / "out", plain) as run:
        list(run.rows(sources))
        rates = run.summary.rates()
        assert rates.keys() == {OK, "failed"}
        assert rates[OK] == rates["failed"] > 0
        assert re.search(r"pages/s \((ok|failed) [^)]+, (ok|failed) [^)]+\)", run.summary.pace())
