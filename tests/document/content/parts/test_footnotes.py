"""Footnotes: marks, and the notes that they lead to."""

import numpy as np
import pytest
from blocksight.document.document import document

TEXT = "<p id=t>A word<sup id=r1><a href='#n1'>{sign}</a></sup> and more of them.</p>"
NOTE = "<ol><li id=n1>The note. <a href='#r1'>↩</a></li></ol>"


def test_find_footnotes_formats(written):
    found = written(TEXT.format(sign=1) + NOTE)
    assert found.markdown == "A word[^1] and more of them.\n\n[^1]: The note.\n"
    assert found.text == "A word[1] and more of them.\n\n[1] The note."
    assert found.html == (
        '<p>A word<a class="footnote" href="#fn-1"><sup>1</sup></a> and more of them.</p>\n'
        '<aside class="footnote" id="fn-1" title="1">The note.</aside>'
    )
    assert [block.kind for block in found.blocks] == ["paragraph", "footnote"]


def test_find_footnotes_unmarked_note(markdown_of):
    assert markdown_of(TEXT.format(sign=1) + NOTE, lambda text: "note" not in text).endswith("\n\n[^1]: The note.\n")


@pytest.mark.parametrize(
    ("mark", "note"),
    [
        ("<a href='#n' id=r>[1]</a>", "<p><a href='#r' name=n>[1]</a> A note.</p>"),
        ("<a role=doc-noteref href='#n'>1</a>", "<p id=n>A note.</p>"),
        ("<sup class=reference id=cite_ref-1><a href='#cite_note-1'><span>[</span>1<span>]</span></a></sup>",
         "<ol><li id=cite_note-1><span><b><a href='#cite_ref-1'>^</a></b></span> <span>A note.</span></li></ol>"),
        ("<a href='https://example.org/a/page.html#n' id=r><sup>1</sup></a>",
         "<div id=n>A note. <a href='#r'>back</a></div>"),
        ("<sup><a href='/a/page.html#n' id=r>1</a></sup>", "<p id=n>A note. <a href='page.html#r'>back</a></p>"),
        ("<sup><a href='#fn:1'>1</a></sup>", "<ul><li id='fn:1'><p>A note.</p></li></ul>"),
    ],
)  # fmt: skip
def test_find_footnotes_markup_of_tools(mark, note, markdown_of):
    assert markdown_of(f"<p>A word{mark}, and more.</p><p>Another one.</p>{note}") == (
        "A word[^1], and more.\n\nAnother one.\n\n[^1]: A note.\n"
    )


def test_find_footnotes_symbols(markdown_of):
    assert markdown_of(TEXT.format(sign="*") + NOTE).startswith("A word[^1] and")


def test_notes_of_several_paragraphs(markdown_of):
    note = "<div id=n1><p>One.</p><p>Two. <a href='#r1'>↩</a></p></div>"
    assert markdown_of(TEXT.format(sign="a") + note).endswith("\n\n[^a]: One.\n\n    Two.\n")


@pytest.mark.parametrize(
    "html",
    [
        "<p>See <a href='#s2'>2</a>.</p><h2 id=s2>Part two</h2><p>Its text.</p>",
        "<p>Page <a href='#p2'>2</a></p><div id=p2><p>Text.</p></div>",
        "<p>10<sup>6</sup> is a number</p>",
        "<p>A word<sup><a href='#gone'>1</a></sup></p>",
        "<p id=x>A word<sup><a href='#x'>1</a></sup></p>",
    ],
)
def test_find_footnotes_other_links(html, markdown_of):
    assert "[^" not in markdown_of(html)


def test_find_footnotes_two_references(written):
    html = "<p>a<sup id=r><a href='#fn1'>1</a></sup> b<sup><a href='#fn1'>1</a></sup></p><p id=fn1>Note</p>"
    assert written(html).markdown == "a[^1] b[^1]\n\n[^1]: Note\n"


SIGN = "<label for=m class='margin-toggle sidenote-number'></label><input type=checkbox id=m>"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        (f"<p>A word{SIGN}<span class=sidenote>The <i>note</i>.</span>, and more.</p>",
         "A word[^1], and more.\n\n[^1]: The *note*.\n"),
        (f"<p>A<span>{SIGN}<span class=sidenote>One.</span></span> b{SIGN}"
         "<span class=sidenote>Two.</span> c</p><p>D</p>",
         "A[^1] b[^2] c\n\n[^1]: One.\n\n[^2]: Two.\n\nD\n"),
        ("<p>A word<label for=m>⊕</label> <input id=m type=checkbox>"
         "<span class='x margin-note'>It.</span> goes on.</p>",
         "A word[^1] goes on.\n\n[^1]: It.\n"),
        ("<ul><li>A word <aside class=marginnote>The note.</aside>and more.<li>B</ul>",
         "- A word and more.\n\n  The note.\n- B\n"),
        (f"<h2>Head{SIGN}<span class=sidenote>Of a heading.</span></h2>", "## Head Of a heading.\n"),
        ("<p><span class=sidenote>All of it.</span></p><p>B</p>", "All of it.\n\nB\n"),
        (TEXT.format(sign=1) + f"<p>B{SIGN}<span class=sidenote>Beside.</span> c</p>" + NOTE,
         "A word[^1] and more of them.\n\nB[^2] c\n\n[^2]: Beside.\n\n[^1]: The note.\n"),
    ],
)  # fmt: skip
def test_notes_in_the_margin_come_behind_their_paragraph(html, markdown, markdown_of):
    assert markdown_of(html) == markdown


@pytest.mark.browser
@pytest.mark.parametrize(
    ("style", "markdown"),
    [
        ("float:right;width:9em", "A word, and more.\n\nBeside it.\n\nB\n"),
        ("position:absolute;left:60em", "A word, and more.\n\nBeside it.\n\nB\n"),
        ("display:block", "A word\n\nBeside it.\n\n, and more.\n\nB\n"),
        ("display:inline-block", "A wordBeside it., and more.\n\nB\n"),
    ],
)
def test_what_floats_does_not_break_its_sentence(style, markdown, browser):
    html = f"<!doctype html><p>A word<span style='{style}'>Beside it.</span>, and more.</p><p>B</p>"
    page = browser.open(html.encode())
    assert document(page, np.ones(len(page.leaves), dtype=bool), headline=False).markdown == markdown
