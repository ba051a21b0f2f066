"""The report: its content, that it needs no other file, and that it fits narrow and wide windows."""

import re

import blocksight as bs
import pytest
from blocksight.classify.systems import system_named
from blocksight.compare.evaluate import EvaluationConfig, evaluate
from blocksight.compare.measures.measures import MEASURES
from blocksight.compare.report.report import report_html, write_report

SYSTEMS = tuple(map(system_named, ("blocksight", "blocksight-dom", "bte", "longest-div")))


@pytest.fixture(scope="module")
def evaluated(corpus, tmp_path_factory):
    wanted = EvaluationConfig(corpus=corpus, out=tmp_path_factory.mktemp("report"), systems=SYSTEMS)
    return wanted, evaluate(wanted)


def test_report_html_sections(evaluated):
    config, table = evaluated
    html = report_html(table, MEASURES)
    for part in ("Leaderboard", "Differences", "Failures"):
        assert f"<h2>{part}</h2>" in html
    assert "8 pages, ranked by" in html
    for name in ("blocksight-dom", "bte", "longest-div", "everything"):
        assert f'<th scope="row">{name} <span' in html
    assert "there is no file missing.html" in html
    assert write_report(config, table).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_the_report_asks_for_nothing(evaluated):
    _, table = evaluated
    html = report_html(table, MEASURES)
    assert not re.search(r"<script|<link|@import|url\(|src=\"(?!data:)", html)
    assert not re.search(r"href=\"(?!#)", html)


def test_names_are_escaped(evaluated):
    _, table = evaluated
    html = report_html(table.assign(corpus="<b>x", system="a<i>"), MEASURES)
    assert "Evaluation on &lt;b&gt;x" in html
    assert "<i>" not in html.replace("<i>raw", "")


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1600])
def test_the_report_does_not_overflow(evaluated, browser, width):
    html = report_html(evaluated[1], MEASURES)
    page = browser.open(html.encode(), options=bs.RenderOptions(viewport=(width, 900), timeout=20.0))
    assert page.geometry.size[0] <= width
