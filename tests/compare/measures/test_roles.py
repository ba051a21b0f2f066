"""The measure of roles: only systems that tell them are measured by it."""

from pathlib import Path

import numpy as np
import pytest
from blocksight.classify.system import Card
from blocksight.compare.measures.measures import measure_named
from blocksight.compare.outputs import system_output, with_details
from blocksight.gold.pages import GoldPage, GoldRoles
from blocksight.page.parse import parse
from blocksight.page.role_names import ROLE

TEXT = "Six words stand in this paragraph, and some more so that it is long enough to be one."
PAGE = parse(f"<title>Tide</title><h1>Tide times</h1><p>By Ada Leaf</p><p>{TEXT}</p>")
GOLD = GoldPage(corpus="c", id="1", path=Path(), texts=(TEXT,), roles=GoldRoles(title="Tide times", author="Ada Leaf"))
MEASURE = measure_named("roles")


class Teller:
    card = Card(name="teller")

    def mark(self, page):
        return np.ones(len(page.leaves), dtype=bool)

    def roles(self, page):
        return np.asarray([ROLE["title"], ROLE["author"], ROLE["title"]], dtype=np.int8)


class Silent:
    card = Card(name="silent")

    def mark(self, page):
        return np.ones(len(page.leaves), dtype=bool)


class Broken(Teller):
    def roles(self, page):
        raise ValueError("no roles today")


def scores(system):
    found, error = with_details(system, system_output(PAGE, system.mark(PAGE)), {"roles"})
    return MEASURE.score(found, GOLD, None), error


def test_right_and_wrong_roles_are_counted():
    found, error = scores(Teller())
    assert error == ""
    assert tuple(found) == MEASURE.columns
    # The paragraph is no title: one right, one wrong. The by-line is right.
    assert (found["role_title_right"], found["role_title_wrong"], found["role_author_right"]) == (1, 1, 1)
    assert found["role_f1"] == pytest.approx((2 / 3 + 1) / 2)
    pages = np.asarray([[[found[name] for name in MEASURE.figures]] * 2], dtype=float)
    assert MEASURE.summary(pages)[0] == pytest.approx(found["role_f1"])


def test_systems_without_roles_have_no_score():
    assert scores(Silent()) == ({}, "")


def test_a_system_that_fails_has_missed_all():
    found, error = scores(Broken())
    assert error == "ValueError: no roles today"
    assert (found["role_title_missed"], found["role_f1"]) == (1, 0)
