"""Headings, links and emphasis."""

import pytest


def test_headings_by_role(html_of):
    assert html_of("<div role=heading aria-level=3>a</div><div role=heading>b</div>") == "<h3>a</h3>\n<h2>b</h2>"


def test_headings_with_structure_or_long_text(html_of):
    assert html_of("<h3>a<ul><li>b</ul></h3>") == "<p>a</p>\n<ul><li>b</li></ul>"
    assert html_of(f"<h3>{'word ' * 80}</h3>").startswith("<p>word")


def test_links_around_blocks(written):
    found = written("<a href=/x><h2>Head</h2><p>text</p></a>")
    link = "https://example.org/x"
    assert found.html == f'<h2><a href="{link}">Head</a></h2>\n<p><a href="{link}">text</a></p>'
    assert found.markdown == f"## [Head]({link})\n\n[text]({link})\n"


@pytest.mark.parametrize("href", ["javascript:x()", "#part", "mailto:a@b.c", "http://[", "data:text/plain,x", ""])
def test_links_without_address(href, html_of):
    expected = "<p>a</p>" if href else '<p><a href="https://example.org/a/page.html">a</a></p>'
    assert html_of(f'<p><a href="{href}">a</a></p>') == expected


def test_links_follow_the_base_and_the_frame(html_of):
    assert 'href="https://b.example/d/x"' in html_of("<base href=https://b.example/d/><p><a href=x>a</a>")


@pytest.mark.parametrize(
    ("href", "url"),
    [("b\\c", "https://example.org/a/b/c"), ("https:\\\\b.example\\c?q=\\d", r"https://b.example/c?q=\d")],
)
def test_links_with_backslashes(href, url, html_of):
    assert f'href="{url}"' in html_of(f"<p><a href='{href}'>a</a></p>")


def test_links_keep_their_brackets_in_order(markdown_of):
    assert markdown_of("<p><a href='/a_(b) c'>x [y]</a></p>") == "[x \\[y\\]](https://example.org/a_%28b%29%20c)\n"


def test_nested_and_adjacent_emphasis(html_of):
    assert html_of("<p><b>a<b>b</b></b><b>c</b></p>") == "<p><b>abc</b></p>"


def test_unclosed_emphasis(html_of):
    assert "<b>" not in html_of("<b>" + "<p>a</p>" * 12)


def test_bold_in_headings(html_of):
    assert html_of("<h2><b>a</b> <i>b</i></h2>") == "<h2>a <i>b</i></h2>"


def test_superscripts_stay_superscripts(markdown_of):
    assert markdown_of("<p>10<sup>6</sup></p>") == "10<sup>6</sup>\n"


def test_readings_do_not_run_into_words(written):
    found = written("<p>湾<ruby>漁師<rp>(</rp><rt>りょうし</rt><rp>)</rp></ruby>が</p>")
    assert found.text == found.markdown.strip() == "湾漁師が"
