"""Pages of any depth and any markup: every marked character comes out once, in order."""

import pickle
import re
from dataclasses import replace

import numpy as np
import pytest
from blocksight.document.content.plain_text import plain_text
from blocksight.document.document import document
from blocksight.document.extract import extract
from blocksight.page.parse import parse
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

URL = "https://example.org/a/page.html"


def solid(text):
    return "".join(text.split())


def _deep(tag, levels):
    """A chain of elements with a text and a paragraph at its end; no parser reads so many levels."""
    template = parse("<p>x</p>")
    names, nodes = ("#text", tag, "p", "href"), levels + 3
    return replace(
        template,
        names=names,
        strings=("x", "y", "https://e.org/"),
        parent=np.array([*range(-1, levels - 1), levels - 1, levels - 1, levels + 1], dtype=np.int32),
        tag=np.array([1] * levels + [0, 2, 0], dtype=np.int32),
        text=np.array([-1] * levels + [0, -1, 1], dtype=np.int32),
        attribute_node=np.arange(nodes, dtype=np.int32)[:levels],
        attribute_name=np.full(levels, 3, dtype=np.int32),
        attribute_value=np.full(levels, 2, dtype=np.int32),
    )


@pytest.mark.parametrize("tag", "div b a ul li blockquote table td pre h2 dl dd figure code".split())
def test_document_of_deep_page(tag):
    page = _deep(tag, 10_000)
    found = document(page, np.ones(2, dtype=bool))
    assert solid(plain_text(found.content.root, marks=False)) == "xy"
    assert re.sub(r"[^a-z]", "", found.markdown.replace("https://e.org/", "")) == "xy"


def test_document_without_control_characters():
    page = parse("<p>a b</p>")
    strings = tuple(text.replace("a b", "a\x0b\x01b\ufffe") for text in page.strings)
    assert document(replace(page, strings=strings), np.ones(1, dtype=bool)).html == "<p>ab</p>"


@pytest.mark.parametrize("sign", ["\ufffe", "\uffff"])
@pytest.mark.parametrize(
    "html",
    {
        "a title": "<title>One # title</title>WORDS",
        "a picture": "WORDS<p>words <img src='a#' alt='some # words' title='#x'> more WORDS",
        "a formula": "WORDS<p>so <math alttext='x#'><mi>x#</mi><mo>+</mo><mi>y</mi></math> it is WORDS",
        "a film": "WORDS<iframe title='t#' src='https://www.youtube.com/embed/abcdefg#'></iframe>WORDS",
        "a note": "WORDS<sup><a href='#n' id='r#'>1#</a></sup>WORDS<ol><li id='n'>A note #",
    }.items(),
    ids=lambda pair: pair[0],
)
def test_document_without_noncharacters(html, sign):
    words = "<p>Some words that stand in a row and say that this is the text of a page.</p>" * 3
    found = extract(parse(html[1].replace("WORDS", words).replace("#", sign), url=URL), system="everything")
    assert sign not in found.markdown + found.html
    assert "stand in a row" in found.markdown


TAGS = (
    "div span p h2 ul ol li dl dt dd table tr td th caption pre code blockquote b a em sup br hr figure figcaption font"
).split()
# No letter is the name of a programming language, which a block of code takes as its own.
TEXTS = st.text(alphabet="ab x\n*_`#-|<&[]()>1.中\xa0", min_size=1, max_size=8)


def _element(children):
    return st.tuples(st.sampled_from(TAGS), st.lists(children, max_size=4))


TREES = st.lists(st.recursive(TEXTS, _element, max_leaves=25), min_size=1, max_size=5)


def _build(parent, tree):
    for node in tree:
        if isinstance(node, str):
            last = parent[-1] if len(parent) else None
            if last is None:
                parent.text = (parent.text or "") + node
            else:
                last.tail = (last.tail or "") + node
        else:
            child = etree.SubElement(parent, node[0])
            if node[0] == "a":
                child.set("href", "/x")
            _build(child, [] if node[0] in {"br", "hr"} else node[1])


def _is_within(text, longer):
    """Return whether a text comes out of a longer one in order."""
    rest = iter(longer)
    return all(character in rest for character in text)


@settings(deadline=None, max_examples=300)
@given(TREES, st.randoms(use_true_random=False))
def test_document_has_each_marked_character_once(tree, random):
    root = etree.Element("div")
    _build(root, tree)
    page = parse(etree.tostring(root, encoding="unicode", method="html"), url=URL)
    marks = np.array([random.random() < 0.7 for _ in page.leaves], dtype=bool)
    # Captions come along with pictures only: there are none.
    found = document(page, marks, headline=False)
    expected = solid("".join(text for text, mark in zip(page.leaf_texts, marks, strict=True) if mark))
    assert solid(plain_text(found.content.root, marks=False)) == expected
    assert _is_within(expected, found.text)
    assert pickle.loads(pickle.dumps(found)) == found  # noqa: S301
    assert solid("".join(block.text for block in found.blocks)) == expected
    if found.html:
        assert solid("".join(etree.fromstring(found.html, etree.HTMLParser()).itertext())) == expected
    assert found.text == found.text.strip("\n")
    assert not re.search(r"\A[ \t]|[ \t]\n|[ \t]\Z", found.text) or "<pre>" in found.html
    assert not re.search(r"[ \t]\n", found.markdown)
    assert not re.search(r"\n\n\n", found.markdown) or "<pre>" in found.html


def test_a_rule_is_not_the_end_of_a_document():
    page = parse("<p>Some words.</p><hr><p>More words.</p><hr>")
    doc = document(page, np.ones(len(page.leaves), dtype=bool))
    assert doc.markdown == "Some words.\n\n---\n\nMore words.\n"


def test_an_address_is_no_alternative_text():
    page = parse("<p>Some words.</p><img src=https://a.example/p.jpg alt=https://a.example/p><p>More words.</p>")
    doc = document(page, np.ones(len(page.leaves), dtype=bool))
    assert "![](https://a.example/p.jpg)" in doc.markdown


def test_document_of_a_number():
    page = parse("<p>42</p>")
    assert document(page, np.ones(1, dtype=bool)).text == "42"
