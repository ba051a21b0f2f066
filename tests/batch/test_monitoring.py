"""Watching a run: a log of JSON lines, and the rate."""

import json
import logging
import re

import blocksight as bs
import pytest
from blocksight.app.json_log import json_log
from blocksight.batch.run import Run
from blocksight.batch.summary import OK


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "tea.html").write_text("<p>Tea")
    return [tmp_path / "tea.html", tmp_path / "bad.html"]


def test_a_line_of_json_for_each_page(quick, plain, sources, tmp_path):
    log = tmp_path / "log.jsonl"
    with json_log(log):
        list(bs.run_batch(sources, tmp_path / "out", options=plain))
        logging.getLogger("blocksight.batch").info("a host is %s", "busy")
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    pages = {line["source"]: line for line in lines if line["event"] == "page"}
    assert [pages[str(source)]["error_kind"] for source in sources] == [None, "failed"]
    assert pages[str(sources[1])]["error"] == "it is bad"
    assert lines[-1]["event"] == "a host is busy"
    assert all(re.match(r"2\d{3}-\d\d-\d\dT", line["time"]) for line in lines)
    logging.getLogger("blocksight.batch").info("later")
    assert len(log.read_text().splitlines()) == len(lines)


def test_the_rate_by_kind(quick, plain, sources, tmp_path):
    with Run(tmp_path / "out", plain) as run:
        list(run.rows(sources))
        rates = run.summary.rates()
        assert rates.keys() == {OK, "failed"}
        assert rates[OK] == rates["failed"] > 0
        assert re.search(r"pages/s \((ok|failed) [^)]+, (ok|failed) [^)]+\)", run.summary.pace())
