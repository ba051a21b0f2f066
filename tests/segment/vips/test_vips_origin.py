"""Where blocks come from: the rule that decided each, and what a separator's weight is made of."""

import blocksight as bs
import pytest
from blocksight.segment.blocks import PARTS
from blocksight.segment.vips.rules import RULE_NAMES
from blocksight.segment.vips.separators import Weights
from generators.boxed_nodes import body, line, outer_rows

#: Whole numbers, which the fitted ones are not.
PLAIN = Weights(distance=0.5, rule=3, background=3, font=1, smaller_above=1)


def rules_of(blocks):
    return [RULE_NAMES.get(rule) for rule in blocks.rule.tolist()]


def test_vips_rule_of_each_block(boxed):
    picture = ("img", (0, 300, 400, 200), [])
    page = boxed(body(("h1", (0, 0, 400, 20), [line("a", 0)]), ("p", (0, 60, 400, 20), [line("b", 60)]), picture))
    blocks = bs.vips(page, pdoc=10)
    assert rules_of(blocks)[0] == "R3"
    leaves = outer_rows(blocks)
    assert [rules_of(blocks)[row] for row in leaves.tolist()] == ["R4", "R4", "leaf"]


def test_vips_no_rule_between_separators(boxed):
    pair = [("p", (0, y, 400, 20), [line("text", y)]) for y in (0, 40)]
    far = [("h2", (0, y, 400, 20), [line("text", y, size=30)]) for y in (300, 340)]
    blocks = bs.vips(boxed(body(*pair, *far)), pdoc=10)
    assert rules_of(blocks).count(None) == 2


@pytest.mark.parametrize(
    ("below", "parts"),
    [
        ({}, (2.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0)),
        ({"size": 30}, (2.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0)),
        ({"weight": 700}, (2.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_vips_parts_of_a_weight(boxed, below, parts):
    # Lines are 20 pixels high, and half a line of white space weighs 1.
    page = boxed(body(("p", (0, 0, 400, 20), [line("a", 0)]), ("p", (0, 40, 400, 20), [line("b", 40, **below)])))
    (found,) = bs.vips(page, pdoc=10, weights=PLAIN).separators.parts.tolist()
    assert dict(zip(PARTS, found, strict=True)) == dict(zip(PARTS, parts, strict=True))


def test_vips_parts_add_up(boxed):
    lines = [("p", (0, y, 400, 20), [line("text", y, size=16 + y % 7)]) for y in (0, 31, 70, 140, 290)]
    rule = ("hr", (0, 250, 400, 1), [])
    columns = [("div", (x, 400, 300, 20), [(str(x), (x, 400, 300, 20))]) for x in (0, 400)]
    separators = bs.vips(boxed(body(*lines, rule, *columns)), pdoc=10, weights=PLAIN).separators
    assert len(separators) > 2
    assert separators.parts.sum(axis=1) == pytest.approx(separators.weight)
    assert separators.parts[:, PARTS.index("rule")].max() == 3
    assert separators.parts[:, PARTS.index("heading")].min() < 0
    assert separators.parts[:, PARTS.index("columns")].max() == 1
