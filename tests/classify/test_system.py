"""A system of one's own: what it needs, what it may have, and what is wrong with its answer."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify import systems
from blocksight.classify.system import Judge, marks_of
from blocksight.classify.systems import ORACLES, PEERS, SYSTEMS, as_system, system_named
from blocksight.classify.systems.blocksight import Blocksight

PAGE = bs.parse("<p>one two</p><p>three</p>")


class Mine:
    card = bs.Card(name="mine")

    def __init__(self, answer):
        self.answer = answer

    def mark(self, page):
        return self.answer


class Sure(Mine):
    def judge(self, page):
        return bs.Judgement(marks=self.answer, probability=np.array([0.75, 0.5]), expected_f1=0.87654)


def test_a_card_needs_a_name_only():
    card = bs.Card(name="mine")
    assert (card.title, card.paper, card.year, card.visual, card.trained) == ("", "", None, False, False)
    found = bs.extract(PAGE, system=Mine(np.array([True, False])))
    assert (found.system, found.text, found.confidence) == ("mine", "one two", None)
    assert found.blocks[0].score is None


def test_a_system_may_judge_too():
    found = bs.extract(PAGE, system=Sure(np.array([True, False])))
    assert (found.text, found.confidence) == ("one two", 0.8765)
    assert found.blocks[0].score == 0.75
    judges = [system.card.name for system in SYSTEMS if isinstance(system, Judge)]
    assert judges == ["blocksight", "blocksight-dom"]


@pytest.mark.parametrize("answer", [[True, False], [1, 0], np.array([1.0, 0.0])])
def test_marks_may_be_any_sequence_of_yes_and_no(answer):
    marks = marks_of(Mine(answer), PAGE)
    assert (marks.dtype, marks.tolist()) == (bool, [True, False])


@pytest.mark.parametrize(
    ("answer", "returned"),
    [
        (None, "None"),
        ([True], r"an array of shape \(1,\)"),
        (np.ones((2, 1), dtype=bool), r"an array of shape \(2, 1\)"),
        ("one two", r"an array of shape \(\)"),
        ([0.9, 0.2], r"other values \(float64\)"),
        (["yes", "no"], r"other values \(<U3\)"),
    ],
)
@pytest.mark.parametrize("kind", [Mine, Sure])
def test_other_answers_are_named(kind, answer, returned):
    why = f"system 'mine' returned {returned}: it must return one True or False for each of the 2 text leaves"
    with pytest.raises(ValueError, match=why):
        bs.extract(PAGE, system=kind(answer))


def test_each_system_is_listed_by_its_name():
    for name in systems._HOMES:
        assert system_named(name).card.name == name
    assert tuple(map(system_named, systems._HOMES)) == SYSTEMS
    assert system_named(PEERS[0].card.name) is PEERS[0]
    assert [make("").card.name for make in ORACLES.values()] == list(ORACLES)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        systems.nonsense  # noqa: B018


def test_invalid_systems_are_refused():
    with pytest.raises(TypeError, match=r"Mine is a class: pass an instance, Mine\(\)"):
        as_system(Mine)
    stranger = Mine([])
    stranger.card = "mine"
    with pytest.raises(TypeError, match=r"a blocksight.Card \(only the name is required\), not 'mine'"):
        bs.extract(PAGE, system=stranger)
    with pytest.raises(TypeError, match="5 is neither"):
        as_system(5)


@pytest.mark.parametrize("given", ["<p>hi</p>", b"<p>hi</p>", None, ["<p>"]])
def test_extract_wants_a_page(given):
    why = r'a Page, not a value of type \w+: extract\(parse\(html\)\), .*, extract\(source, browser="auto"\)'
    with pytest.raises(TypeError, match=why):
        bs.extract(given)


@pytest.mark.parametrize("model", ["mine.npz", {"slope": 1}])
def test_a_model_is_no_path(model):
    with pytest.raises(TypeError, match=r"model must be a Model, .*: pass load_model\(path\)"):
        Blocksight(model=model)
