"""Budget of the project: lines a room, functions with many branches, words outside of the lexicon, rules of the choice.

A budget is a sum, not a size of parts: a module may have as many lines as its idea needs. Who adds to a room removes
elsewhere, or says in the commit why the budget grows (docs/CONTRIBUTING.md).
"""

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from blocksight.classify.choose import RULES

ROOT = Path(__file__).parent.parent
#: Most lines of Python of each room, and of the tests and benchmarks.
LINES = {
    "root": 250,
    "files": 580,
    "processes": 420,
    "lexicon": 230,
    "page": 4_970,
    "render": 10_550,
    "segment": 4_070,
    "features": 3_850,
    "records": 3_690,
    "classify": 7_660,
    "document": 9_130,
    "gold": 2_550,
    "train": 2_050,
    "compare": 1_170,
    "batch": 2_740,
    "inspector": 1_230,
    "app": 3_960,
    "tests": 45_510,
    "benchmarks": 3_500,
}
#: Most lines of all rooms, of C, and bytes of the changelog.
PRODUCT, C_LINES, CHANGELOG = 59_030, 1_200, 8_192
#: Most functions of the product with so many branches: if, loop, handler, comprehension, conditional, operand.
BRANCHY, BRANCHES = 7, 15
#: Most patterns with words of natural language outside of lexicon/, and alternatives from which on one is a list.
PATTERNS, WORDS = 27, 8


@cache
def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()]


def room_of(path):
    return path.parts[0] if len(path.parts) > 1 else "root"


def sources():
    """Return the modules of the product by room."""
    rooms = {}
    for path in tracked():
        if path.suffix == ".py" and path.parts[0] not in ("fixtures", "docs"):
            rooms.setdefault(room_of(path), []).append(ROOT / path)
    return rooms


def count(paths):
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def product():
    return [path for room, paths in sources().items() if room not in ("tests", "benchmarks") for path in paths]


@pytest.mark.parametrize("room", LINES)
def test_a_room_has_no_more_lines_than_its_budget(room):
    assert count(sources()[room]) <= LINES[room]


def test_each_room_has_a_budget():
    assert set(sources()) == set(LINES)


def test_the_product_has_no_more_lines_than_its_budget():
    assert count(product()) <= PRODUCT
    assert count(ROOT / path for path in tracked() if path.suffix in (".c", ".h")) <= C_LINES
    assert (ROOT / "CHANGELOG.md").stat().st_size <= CHANGELOG


def branches(function):
    counted = (ast.If, ast.For, ast.While, ast.IfExp, ast.ExceptHandler, ast.comprehension)
    nodes = [*ast.walk(function)]
    operands = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return sum(isinstance(node, counted) for node in nodes) + operands


def test_few_functions_have_many_branches():
    branchy = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in product()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and branches(node) >= BRANCHES
    ]
    assert len(branchy) <= BRANCHY, branchy


def word_lists():
    """Yield the literals outside of lexicon/ with many alternatives that are words."""
    for path in product():
        if room_of(path.relative_to(ROOT)) == "lexicon":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("re.compile", "compile"):
                text = " ".join(
                    one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)
                )
                if len(re.findall(r"\|(?:\\b)?[a-z]{3,}", text)) >= WORDS:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}"


def test_few_patterns_of_words_are_outside_of_the_lexicon():
    assert len([*word_lists()]) <= PATTERNS, [*word_lists()]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_of_the_choice_pays_or_keeps_a_promise(rule):
    """Its interval on pages that did not choose it is above 0, or it says what it keeps that a mean cannot show."""
    assert rule.promise or (rule.gain is not None and rule.gain.low > 0)
    if rule.gain is not None:
        assert rule.gain.low <= rule.gain.mean <= rule.gain.high
        assert rule.gain.pages
        assert re.fullmatch(r"[0-9a-f]{7,}", rule.gain.commit)


def test_rules_of_the_choice_have_a_name_each():
    assert len({rule.name for rule in RULES}) == len(RULES)
