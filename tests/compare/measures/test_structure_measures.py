"""Facts that are right, wrong and missed; what is said of a page, exact or not."""

from pathlib import Path

import numpy as np
import pytest
from blocksight.classify.system import SystemMetadata
from blocksight.compare.measures.structure_measures import f1, has_reference, is_exact, structure_matches
from blocksight.gold.pages import GoldMetadata, GoldPage, GoldStructure

GOLD = GoldPage(
    corpus="c",
    id="1",
    path=Path("page.html"),
    structure=GoldStructure(markdown="# Eels\n\n## Food\n\n## Rivers\n\n- worms\n- snails\n"),
    metadata=GoldMetadata(title="Eels", authors=("Ada Current and Bo Strand",), date="5 March 2021"),
    language="en",
)


def test_matches_by_hand():
    # The heading that says the title counts on neither side.
    assert structure_matches("## Food\n\n## Share\n", GOLD, "headings") == (1, 1, 1)
    assert structure_matches("# Eels\n\n## Food\n\n## Rivers\n", GOLD, "headings") == (2, 0, 0)
    assert structure_matches("- worms\n  - snails\n", GOLD, "lists") == (1, 1, 1)
    assert structure_matches("", GOLD, "links") == (0, 0, 0)


def test_f1_is_of_all_facts():
    assert f1(np.array([[1.0, 1, 1], [3, 0, 0]])) == pytest.approx(8 / 10)
    assert f1(np.zeros((2, 3))) == 1.0


def test_exact():
    stated = SystemMetadata("eels ", ("Bo Strand", "ADA CURRENT"), "2021-03-05T10:00:00")
    assert [is_exact(stated, GOLD, field) for field in ("title", "author", "date")] == [True, True, True]
    assert not any(
        is_exact(SystemMetadata("Eel", ("Bo Strand",), "2021-03-06"), GOLD, f) for f in ("title", "author", "date")
    )


def test_what_a_corpus_states():
    assert has_reference(GOLD, "headings")
    assert has_reference(GOLD, "date")
    bare = GoldPage(corpus="c", id="2", path=Path("page.html"), texts=("Eels",))
    assert not has_reference(bare, "headings")
    assert not has_reference(bare, "title")
