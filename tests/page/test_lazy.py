"""What is made when it is first read, and what it is made of."""

import copy
import gc
import pickle
import weakref
from functools import partial

from blocksight import extract, parse
from blocksight.page.lazy import Lazy
from blocksight.page.metadata import page_metadata
from blocksight.page.metadata.page_metadata import read_raw_metadata

HTML = (
    "<title>Tea</title><meta name=author content='Ann Lee'><h1>Tea</h1><p>Boil fresh water and wait for three "
    "minutes, then pour it over the leaves in the pot, slowly, and let it stand.</p>"
)


def test_it_is_made_once_and_late():
    made = []
    word = Lazy(lambda: made.append(1) or "tide")
    assert made == []
    assert [word.value, word.value] == ["tide", "tide"]
    assert made == [1]


def test_copies_and_pickles_hold_the_value():
    word = Lazy(["tide"].copy)
    assert pickle.loads(pickle.dumps(word)).value == ["tide"]  # noqa: S301
    assert copy.deepcopy(word).value == ["tide"]


def test_what_it_is_made_of_is_held_no_longer_than_that():
    page = parse(HTML)
    gone = weakref.ref(page)
    title = Lazy(partial(str.title, page.title)), Lazy(lambda page=page: page.title)
    del page
    gc.collect()
    assert gone() is not None
    assert [one.value for one in title] == ["Tea", "Tea"]
    gc.collect()
    assert gone() is None


def test_metadata_are_made_late(monkeypatch):
    read = []
    monkeypatch.setattr(page_metadata, "read_raw_metadata", lambda *given: read.append(1) or read_raw_metadata(*given))
    document = extract(parse(HTML))
    assert "Boil fresh water" in document.text
    assert read == []
    assert document.metadata.authors == ("Ann Lee",)
    assert read == [1]


def test_a_pickled_document_holds_no_page():
    document = pickle.loads(pickle.dumps(extract(parse(HTML))))  # noqa: S301
    assert document == extract(parse(HTML))
    assert document.metadata.authors == ("Ann Lee",)
