"""Gains by rendering and by vision: worked out by hand on six pages."""

import numpy as np
import pandas as pd
import pytest
from blocksight.compare.measures.measures import measure_named
from blocksight.compare.measures.significance import grouped_difference
from blocksight.compare.report.gains import gains, styled_pages

BAG = measure_named("word-bag")
#: Page, site, styled, and the F1 of blocksight rendered, blocksight-dom rendered, blocksight-dom raw.
PAGES = (
    ("a1", "a", True, 0.9, 0.7, 0.7),
    ("a2", "a", True, 0.8, 0.8, 0.7),
    ("b1", "b", True, 0.5, 0.6, 0.8),
    ("c1", "c", False, 0.6, 0.6, 0.6),
    ("c2", "c", False, 0.4, 0.5, 0.6),
    ("d1", "d", False, 1.0, 0.9, 0.9),
)


def table(pages=PAGES):
    rows = []
    for page, site, styled, *scores in pages:
        inputs = (("blocksight", "rendered"), ("blocksight-dom", "rendered"), ("blocksight-dom", "raw"))
        for (system, source), score in zip(inputs, scores, strict=True):
            rows.append({"page": page, "site": site, "styled": styled, "system": system, "input": source})
            rows[-1]["bag_f1"] = score
    return pd.DataFrame(rows)


def test_gains_over_all_pages_and_by_style():
    found = {(gain.name, gain.pages): gain for gain in gains(table(), BAG)}
    assert len(found) == 9
    vision = found["vision", "all"]
    # .2, 0, -.1, 0, -.1, .1
    assert vision.difference.value == pytest.approx(0.1 / 6)
    assert (vision.number, vision.counts.better, vision.counts.tie, vision.counts.worse) == (6, 2, 2, 2)
    assert (vision.best, vision.worst) == (("a1", "d1"), ("c2", "b1"))
    assert found["vision", "styled"].difference.value == pytest.approx(0.1 / 3)
    assert found["rendering", "all"].difference.value == pytest.approx(-0.2 / 6)
    assert found["both", "plain"].difference.value == pytest.approx(-0.1 / 3)


def test_the_largest_loss_comes_first():
    pages = [*PAGES, ("e1", "e", True, 0.1, 0.9, 0.9)]
    assert next(iter(gains(table(pages), BAG))).worst[0] == "e1"


def test_gains_need_both_sides():
    raw = table()[lambda rows: rows["input"] == "raw"]
    assert gains(raw, BAG) == []
    assert styled_pages(raw) is None


def test_pages_of_one_style_are_one_group():
    assert [gain.pages for gain in gains(table(PAGES[:3]), BAG)] == ["all"] * 3


def test_styled_pages():
    assert styled_pages(table()) == (3, 6)


def test_pages_of_a_site_are_drawn_together():
    # Two sites of two pages: each resample has the gap of site a twice, of b twice, or of both.
    first, second = np.asarray([[1.0], [1.0], [0.0], [0.0]]), np.zeros((4, 1))
    found = grouped_difference(first, second, ["a", "a", "b", "b"])
    assert (found.value, found.low, found.high) == (0.5, 0.0, 1.0)
    one = grouped_difference(first, second, ["a"] * 4)
    assert (one.value, one.low, one.high) == (0.5, 0.5, 0.5)
