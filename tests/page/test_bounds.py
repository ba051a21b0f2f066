"""Documents that grow when they are read: refused or cut down, and never read in more than linear time."""

import time
from unittest.mock import patch

import blocksight as bs
import pytest
from blocksight.page import bounds
from blocksight.page.bounds import limit_elements
from hypothesis import given
from hypothesis import strategies as st

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


def test_hardly_any_document_is_changed():
    html = "<html><body>" + "<p><b class=x>a</b> <font color='red'>b</font></p>" * 1000
    assert limit_elements(html, "x") is html


def test_formatting_elements_lose_what_tells_them_apart():
    html = "".join(f"<font color={number}>x<p>" for number in range(20_000))
    assert limit_elements(html, "x") == "<font>x<p>" * 20_000
    page = bs.parse(html)
    # In each paragraph three of a kind are opened, and its own; with the paragraph and its text that makes six rows.
    assert len(page) < 6 * 20_000 + 10
    assert page.leaf_texts == ("x",) * 20_000


def test_documents_that_would_grow_all_the_same_are_refused():
    # A quotation mark within an unquoted value: where such a tag ends only a parser can tell.
    html = "".join(f"<font color={number}'>x<p>" for number in range(20_000))
    with pytest.raises(bs.PageFailed, match="formatting elements that are never closed"):
        bs.parse(html, url="bomb")


def test_of_many_body_tags_the_first_count():
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
def test_no_document_grows_beyond_what_is_said_of_it(pieces):
    html = "<p>" + "".join(pieces)
    elements = int((bs.parse(html).text < 0).sum())
    # Few tags need no look at what they are.
    with patch.object(bounds, "MAX_ELEMENTS", 0):
        assert elements <= bounds._max_elements(html) + 10
