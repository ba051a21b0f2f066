"""A document as a value: its fields, how it is written, and its copies."""

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from blocksight.document import document as module
from blocksight.document.document import LeafPrediction, document
from blocksight.document.formats import format_named
from blocksight.page.metadata import page_metadata
from blocksight.page.overlays import Overlay
from blocksight.page.parse import parse

URL = "https://example.org/a/page.html"
RICH = (
    "<html lang=en><title>Tea</title><h1>Tea</h1><p>Boil <a href='/w?a=1&amp;b=%0A2'>fresh &amp; <b>clean</b></a> water"
    "<br>\u2028now.</p><ol start=3><li>one<li>two</ol><table><tr><th>a<th colspan=2>b<tr><td>c<td>d<td></table>"
    "<pre><code class=language-python>if a &lt; b:\r\n\treturn ']]>'</code></pre><hr><p>]]&gt; \x85 é 世界 \U0001f600"
)


def rich(confidence=None, **more):
    page = parse(RICH, url=URL)
    predicted = LeafPrediction(scores=np.linspace(0, 1, len(page.leaves)), confidence=confidence)
    return document(page, np.ones(len(page.leaves), dtype=bool), predicted, **more)


def test_json_is_plain_and_complete():
    page = parse("<html lang=en><title>Tea</title><h1>Tea</h1><p>a<b>bc</b></p>", url=URL)
    found = document(
        page, np.ones(3, dtype=bool), LeafPrediction(system="s", scores=np.array([1.0, 0.25, 1.0]))
    ).to_dict()
    assert json.loads(json.dumps(found)) == found
    assert found["blocks"] == [
        {"box": None, "score": 1.0, "kind": "heading", "role": None, "role_probability": None, "text": "Tea"},
        {"box": None, "score": 0.75, "kind": "paragraph", "role": None, "role_probability": None, "text": "abc"},
    ]
    names = (
        "schema url title language system confidence text markdown html blocks links images metadata page_type records "
        "route verdict evidence coverage dropped partial partial_reason base overlays"
    )
    assert list(found) == names.split()
    assert (found["url"], found["title"], found["language"], found["system"]) == (URL, "Tea", "en", "s")
    assert (found["partial"], found["overlays"], found["confidence"]) == (False, [], None)


def test_nothing_is_written_that_is_not_asked_for(monkeypatch):
    asked = []
    monkeypatch.setattr(module, "format_named", lambda name: asked.append(name) or format_named(name))
    found = rich()
    assert asked == []
    assert (found.markdown, found.markdown) == (found.markdown, found.markdown)
    assert asked == ["markdown"]
    assert found.text
    assert asked == ["markdown", "text"]
    found.to_dict()
    assert asked == ["markdown", "text", "html"]
    assert found.blocks is found.blocks


def test_a_document_does_not_change():
    found = rich()
    for name in ("url", "text", "blocks"):
        with pytest.raises(FrozenInstanceError):
            setattr(found, name, "")


def test_equal_by_value():
    one, other = rich(), rich()
    assert one.markdown  # written or not
    assert one == other
    assert hash(one) == hash(other)
    assert one != rich(title="Coffee")
    assert one != rich(confidence=0.5)
    page = parse(RICH, url=URL)
    assert one != document(page, np.ones(len(page.leaves), dtype=bool))  # no scores
    some = np.arange(len(page.leaves)) < 3
    assert document(page, some) != document(page, ~some)
    assert one != "Tea"


@pytest.mark.parametrize("again", [lambda one: pickle.loads(pickle.dumps(one)), copy.copy, copy.deepcopy])  # noqa: S301
@pytest.mark.parametrize("read_before", [True, False])
def test_pickled_and_copied(again, read_before):
    found = rich()
    if read_before:
        found.to_dict()
    same = again(found)
    assert same == found
    assert same.to_dict() == rich().to_dict()
    assert same.markdown == rich().markdown


def test_plain_text_asks_for_nothing_else(monkeypatch):
    asked = []
    for place, name in ((module, "title_of"), (module, "paragraph_columns"), (page_metadata, "read_raw_metadata")):
        made = getattr(place, name)
        monkeypatch.setattr(place, name, lambda *given, name=name, made=made: asked.append(name) or made(*given))
    found = rich()
    assert found.text
    assert asked == []
    assert (found.title, len(found.blocks)) == ("Tea", len(found.content.paragraphs))
    assert asked == ["title_of", "paragraph_columns"]


def test_a_changed_copy():
    found = rich()
    assert found.text
    bar = Overlay(node=1, kind="bar", box=(0, 0, 1, 1), share=0.1, text="x")
    other = replace(found, title="Coffee", overlays=(bar,))
    assert (other.title, other.text, other.to_dict()["overlays"][0]["kind"]) == ("Coffee", found.text, "bar")


def test_what_is_kept_is_small():
    html = "<p>the content</p>" + "<div><a href=/x>menu</a></div>" * 5000
    page = parse(html)
    marks = np.arange(len(page.leaves)) == 0
    assert len(pickle.dumps(document(page, marks))) < len(html) / 2


def test_columns_of_the_wrong_length_are_refused():
    page = parse("<p>a</p>")
    with pytest.raises(ValueError, match="marks"):
        document(page, np.ones(2, dtype=bool))
    with pytest.raises(ValueError, match="scores"):
        document(page, np.ones(1, dtype=bool), LeafPrediction(scores=np.ones(3)))
