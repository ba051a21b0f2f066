"""What has arrived of a page that was not captured."""

import asyncio

import pytest
from blocksight.render.chromium.page_session import Beginning
from blocksight.render.sources.sources import html_source


def page_of(beginning):
    return asyncio.run(beginning.page("late"))


def test_nothing_has_arrived():
    beginning = Beginning("https://example.org/")
    assert beginning.is_empty
    assert page_of(beginning) is None


def test_the_longest_html_is_parsed():
    beginning = Beginning("https://example.org/")
    beginning.keep("<p>one two", {"status": "200"})
    beginning.keep("<p>one", {})
    page = page_of(beginning)
    assert page.leaf_texts == ("one two",)
    assert page.url == "https://example.org/"
    assert page.partial
    assert page.environment == {"status": "200", "partial": "its HTML, without styles and scripts: late"}


def test_a_given_document_has_arrived():
    document = html_source(b"<p>given", name="x.html", url=None, encoding=None, folder=None, max_bytes=100)
    assert page_of(Beginning(document)).leaf_texts == ("given",)


@pytest.mark.parametrize("html", ["<script>document.write('x')</script>", "<p> </p>"])
def test_without_text_there_is_none(html):
    beginning = Beginning("https://example.org/")
    beginning.keep(html, {})
    assert page_of(beginning) is None


def test_of_a_large_document_the_first_nodes():
    beginning = Beginning("https://example.org/")
    beginning.keep("<p>word" * 100_000, {})
    assert 1_000 < len(page_of(beginning)) < 3_000


def test_style_sheets_that_cannot_be_truncated_are_not_applied():
    beginning = Beginning("https://example.org/")
    nested = "p{" + "&{" * 20 + "color:red" + "}" * 21
    beginning.keep(f"<style>{nested}</style><p>words", {})
    assert page_of(beginning).leaf_texts == ("words",)
