"""Agreement of systems on a page, worked out by hand."""

import blocksight as bs
import numpy as np
import pytest
from blocksight.classify.system import Card
from blocksight.compare.agreement import compare_systems


class Fixed:
    """A system whose answer is given."""

    def __init__(self, name, *marks):
        self.card = Card(name=name, title="", paper="", year=2026, visual=False, trained=False)
        self.marks = marks

    def mark(self, page):
        return np.array(self.marks, dtype=bool)


@pytest.fixture
def page():
    return bs.parse("<p>four words are here <b>two more</b></p><p>three short words</p><p hidden>never seen</p>")


def test_what_each_keeps(page):
    found = compare_systems(page, [Fixed("one", 1, 1, 0, 1), Fixed("two", 0, 1, 1, 0)])
    assert found.words.tolist() == [4, 2, 3, 0]
    assert found.kept_words.tolist() == [6, 5]
    # Alike on the two words in bold only.
    assert found.agreement.tolist() == [[1, pytest.approx(2 / 9)], [pytest.approx(2 / 9), 1]]
    assert found.disputed == pytest.approx(7 / 9)


def test_paragraphs_side_by_side(page):
    found = compare_systems(page, [Fixed("one", 1, 1, 0, 1), Fixed("two", 0, 1, 1, 0)])
    shares = found.block_shares()
    assert shares[:, :2].tolist() == [[1, 0], [pytest.approx(1 / 3), 1]]
    assert np.isnan(shares[:, 2]).all()
    blocks = found.to_dict()["blocks"]
    assert [(block["text"], block["kept_by"]) for block in blocks] == [
        ("four words are here two more", ["one"]), ("three short words", ["two"]),
    ]  # fmt: skip


def test_systems_are_given_as_to_extract(page):
    found = compare_systems(page, [Fixed("one", 1, 1, 0, 1), "everything", lambda html: "three short words"])
    assert found.names == ("one", "everything", "<lambda>")
    assert found.kept_words.tolist() == [6, 9, 3]


@pytest.mark.parametrize(
    ("systems", "why"),
    [
        ("everything", r"a list of systems: \['everything', ...\]"),
        ([7], "a system has a card and mark"),
        ([Fixed], r"Fixed is a class: pass an instance, Fixed\(\)"),
    ],
)
def test_invalid_systems_are_refused(page, systems, why):
    with pytest.raises(TypeError, match=why):
        compare_systems(page, systems)
    with pytest.raises(ValueError, match="did you mean 'everything'"):
        compare_systems(page, ["everythin"])


def test_a_system_that_fails_keeps_nothing(page):
    found = compare_systems(page, [Fixed("one", 1, 1, 0, 1), Fixed("two", 1)])
    assert list(found.errors) == ["two"]
    assert found.errors["two"].startswith("ValueError: the system 'two' returned an array of shape (1,)")
    assert found.kept_words.tolist() == [6, 0]


def test_a_page_without_text():
    found = compare_systems(bs.parse("<p><img src=a.png></p>"), [Fixed("one"), Fixed("two")])
    assert found.agreement.tolist() == [[1, 1], [1, 1]]
    assert found.disputed == 0.0


def test_names_must_differ(page):
    with pytest.raises(ValueError, match="must be unique"):
        compare_systems(page, [Fixed("one", 1, 1, 0, 1)] * 2)
    with pytest.raises(ValueError, match="at least one system"):
        compare_systems(page, [])
