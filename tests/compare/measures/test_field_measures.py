"""F1 of counts; what is said of a page, exact or not."""

from pathlib import Path

import numpy as np
import pytest
from blocksight.classify.system import SystemMetadata
from blocksight.compare.measures.measures import f1, has_reference, is_exact
from blocksight.gold.pages import GoldMetadata, GoldPage

GOLD = GoldPage(
    corpus="c",
    id="1",
    path=Path("page.html"),
    metadata=GoldMetadata(title="Eels", authors=("Ada Current and Bo Strand",), date="5 March 2021"),
    language="en",
)


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
    assert has_reference(GOLD, "date")
    bare = GoldPage(corpus="c", id="2", path=Path("page.html"), texts=("Eels",))
    assert not has_reference(bare, "title")
