"""The verdict on pages of every kind, and on near misses, raw and rendered."""

import tomllib
from collections import Counter
from pathlib import Path

import blocksight as bs
import pytest
from blocksight.classify.verdict.verdict import VERDICTS

PAGES = tomllib.loads((Path(__file__).parents[3] / "fixtures" / "verdicts.toml").read_text(encoding="utf-8"))["page"]
BY_NAME = {page["name"]: page for page in PAGES}


def with_status(page, entry):
    status = {"status": str(entry["status"])} if "status" in entry else {}
    return page.replace(environment=dict(page.environment) | status)


@pytest.mark.parametrize("name", BY_NAME)
def test_raw_page(name):
    entry = BY_NAME[name]
    document = bs.extract(with_status(bs.parse(entry["html"], url="https://harbour.example/a"), entry))
    assert document.verdict == entry["verdict"], document.evidence
    assert document.evidence
    assert all(str(fact.value) and fact.where for fact in document.evidence)


@pytest.mark.browser
@pytest.mark.parametrize("name", BY_NAME)
def test_rendered_page(name, browser):
    entry = BY_NAME[name]
    page = browser.open(entry["html"].encode(), url=None)
    document = bs.extract(with_status(page, entry))
    assert document.verdict == entry.get("rendered", entry["verdict"]), document.evidence


def test_every_verdict_has_three_pages_and_there_are_near_misses():
    counts = Counter(page["verdict"] for page in PAGES)
    assert set(counts) == set(VERDICTS)
    assert min(counts.values()) >= 3
    assert sum(page["verdict"] == "content" and "about" in page for page in PAGES) >= 10
