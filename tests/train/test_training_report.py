"""What training found, for people."""

import json

import pytest
from blocksight.train.training_report import model_card, numbers_json, report
from lxml import etree


def test_the_report_and_the_card(own):
    page = etree.HTML(report(own, "Training <of> m"))
    assert page.findtext(".//h1") == "Training <of> m"
    headings = [heading.text for heading in page.iter("h2")]
    assert headings == [
        "Data", "Scores on unseen sites", "Confusion matrix", "Precision over recall", "Calibration",
        "Settings tried", "Groups of features",
    ]  # fmt: skip
    assert not [node for node in page.iter() if node.get("src") or node.get("href")]
    assert len(list(page.iter("svg"))) == 4
    assert len(list(page.iter("polyline"))) == 2
    numbers = json.loads(numbers_json(own))
    for row in numbers["confusion"]:
        assert sum(row) == pytest.approx(1)
    assert set(numbers["groups"]) == set(own.groups)
    text = model_card(own, "m.npz")
    assert "| sites | 7 |" in text
    assert f"| f1 | {own.best.score.f1:.4f} |" in text
