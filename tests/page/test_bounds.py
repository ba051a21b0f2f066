"""Documents that grow when they are read: refused or cut down, and never read in more than linear time."""

import importlib
import re
import time
from unittest.mock import patch

import blocksight as bs
import numpy as np
import pytest
from blocksight.page import arrays, bounds
from blocksight.page.bounds import limit_elements
from conftest import equal_pages
from hypothesis import given
from hypothesis import strategies as st

parsing = importlib.import_module("blocksight.page.parse")
#: Characters, at least, of a document in each of these shapes.
LARGE = 400_000
BOMBS = {
    "attributes": lambda n: "<p " + " ".join(f"a{i}=x" for i in range(n)) + ">text",
    "one attribute again": lambda n: "<p " + "a=x " * n + ">text",
    "levels": lambda n: "<div>" * n + "text",
    "levels of spans": lambda n: "<span>" * n + "text",
    "levels of lists": lambda n: "<ul><li>" * n + "text",
    "levels of tables": lambda n: "<table><tr><td>" * n + "text",
    "levels of SVG": lambda n: "<svg><foreignObject>" * n + "text",
    "levels of templates": lambda n: "<template>" * n + "</template>" * n + "text",
    "end tags that close nothing": lambda n: "<div>" * n + "</p></x></b>" * n + "text",
    "unclosed formatting": lambda n: "".join(f"<b id={i}>x<p>" for i in range(n)) + "text",
    "adoption": lambda n: "<a><div>" * n + "text" + "</a>" * n,
    "formatting and blocks": lambda n: "<b><i><u><font><p>" * n + "text",
    "fostered text": lambda n: "<table>" + "x<b>y" * n + "text",
    "body tags": lambda n: "".join(f"<body a{i}=1>" for i in range(n)) + "text",
    "html tags": lambda n: "<p>" + "".join(f"<html a{i}=1>" for i in range(n)) + "text",
    "tag names": lambda n: "".join(f"<x{i}>" for i in range(n)) + "text",
    "line breaks": lambda n: "<br>" * n + "text",
    "comments": lambda n: "<!--x-->" * n + "text",
    "open comments": lambda n: "text<!--" * n,
    "character references": lambda n: "&amp" * n + " text",
    "null characters": lambda n: "\0" * n + "text",
    "one long tag": lambda n: "text<" + "x" * n,
}


@pytest.mark.parametrize("shape", BOMBS)
def test_large_documents_are_read_in_seconds_and_keep_their_text(shape):
    size = 1000
    while len(BOMBS[shape](size)) < LARGE:
        size *= 2
    begun = time.process_time()
    page = bs.parse(BOMBS[shape](size))
    assert time.process_time() - begun < 10
    assert any("text" in text for text in page.leaf_texts)
    assert page.depth.max() <= 513


def test_limit_elements_usual_document():
    html = "<html><body>" + "<p><b class=x>a</b> <font color='red'>b</font></p>" * 1000
    assert limit_elements(html, "x") is html


def test_limit_elements_removes_attributes():
    html = "".join(f"<font color={number}>x<p>" for number in range(20_000))
    assert limit_elements(html, "x") == "<font>x<p>" * 20_000
    page = bs.parse(html)
    # In each paragraph three of a kind are opened, and its own; with the paragraph and its text that makes six rows.
    assert len(page) < 6 * 20_000 + 10
    assert page.leaf_texts == ("x",) * 20_000


def test_limit_elements_refuses():
    # A quotation mark within an unquoted value: where such a tag ends only a parser can tell.
    html = "".join(f"<font color={number}'>x<p>" for number in range(20_000))
    with pytest.raises(bs.PageFailed, match="formatting elements that are never closed"):
        bs.parse(html, url="bomb")


def test_limit_elements_body_tags():
    page = bs.parse("".join(f"<body a{number}=1>" for number in range(100)) + "text")
    assert len(page.attribute_name) == 16
    assert page.leaf_texts == ("text",)


@given(
    st.lists(
        st.sampled_from(
            [
                "x", "<p>", "</p>", "<b>", "<b id=1>", "<b id='2>'>", "<b id=3\">", "<B/>", "</b>", "<i class=\"<b>\">",
                "<object>", "</object>", "<table>", "<td>", "</table>", "<div>", "</div>", "<!--", "-->", "<font a=>",
                "<a>", "<nobr>", "<button>", "<svg>", "<template>", "</template>", "<u a\"='>1' c=\">", "<em\n>",
                "<li>",
            ]
        ),
        max_size=60,
    )
)  # fmt: skip
def test_max_elements_is_an_upper_bound(pieces):
    html = "<p>" + "".join(pieces)
    elements = int((bs.parse(html).text < 0).sum())
    # Few tags need no look at what they are.
    with patch.object(bounds, "MAX_ELEMENTS", 0):
        assert elements <= bounds._max_elements(html) + 10


compiled = pytest.mark.skipif(arrays.compiled is None, reason="the package was installed without a compiler")
_PIECES = ["<", "<", "</", "html", "BODY", "template", "b", "Big", "strong", "tt", "u", "div", "h1", "x", "\u0131", "K"]
_SIGNS = [" ", "/", ">", "\n", "\x1c", "é", "\u2003", "1"]
_WRITTEN = st.lists(st.sampled_from([*_PIECES, *_SIGNS]), max_size=40).map("".join)


@compiled
@given(_WRITTEN)
def test_count_tags_like_patterns(text):
    arrays.compiled.count_tags(
        text.encode(), bounds._COUNTED_NAMES, bounds._COUNTED_KINDS, counts := np.empty(4, dtype=np.int64)
    )
    patterns = (re.compile("<"), bounds._ROOT, re.compile(r"(?i:<template)[\s/>]"), bounds._FORMATTING)
    expected = [len(pattern.findall(text)) for pattern in patterns]
    assert all(count >= least for count, least in zip(counts.tolist(), expected, strict=True))
    assert not text.isascii() or counts.tolist() == expected


@compiled
@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("", True),
        ("<p>x", True),
        ("<p>" * 100_000, True),
        ("<template shadowrootmode=open>x", False),
        ("<body>" * 16, True),
        ("<body>" * 17, False),
        # 512 of 7812 tags are reopened at each: hardly less than four million elements.
        ("<b>" * 7812, True),
        ("<b>" * 7813, False),
        ("<b>" * 39 + "<p>" * (100_000 - 39), True),
        ("<b>" * 40 + "<p>" * (100_000 - 40), False),
    ],
)
def test_is_plain(written, plain):
    assert bounds.is_plain(written.encode()) is plain
    if plain:
        assert limit_elements(written, "") == written


@given(_WRITTEN)
def test_is_plain_parses_the_same(text):
    with patch.object(parsing, "is_plain", return_value=False):
        expected = bs.parse(text.encode())
    assert equal_pages(bs.parse(text.encode()), expected)


@compiled
def test_count_tags_malformed_names():
    kinds, counts = np.ones(1, dtype=np.int32), np.empty(2, dtype=np.int64)
    arrays.compiled.count_tags(b"<B>", b"b ", kinds, counts)
    assert counts.tolist() == [1, 1]
    for names, kind in ((b"b", kinds), (b"b i ", kinds), (b"b ", kinds + 1), (b"b ", kinds - 1), (b"b " * 33, kinds)):
        with pytest.raises(ValueError, match=r"name|column"):
            arrays.compiled.count_tags(b"<b>", names, kind, counts)
