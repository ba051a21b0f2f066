"""What Markdown wants escaped."""

from dataclasses import replace

import numpy as np
import pytest
from blocksight.document.content.keep_elements import TEXT_FILE
from blocksight.document.document import document
from blocksight.page.parse import parse


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("snake_case and 2 * 3", "snake_case and 2 * 3"),
        ("_a_ *b*", "\\_a\\_ \\*b\\*"),
        ("# a", "\\# a"),
        ("- a", "\\- a"),
        ("1986. A year", "1986\\. A year"),
        ("C# and a > b", "C# and a > b"),
        ("&lt;b&gt; 1 &lt; 2 &amp;amp; R&amp;D", "\\<b> 1 < 2 \\&amp; R&D"),
        ("[a](b) [c]", "[a\\](b) [c]"),
        ("---", "\\---"),
    ],
)
def test_to_markdown_escapes(text, markdown, markdown_of):
    assert markdown_of(f"<p>{text}</p>") == f"{markdown}\n"


def test_to_markdown_text_files_are_no_code(markdown_of):
    written = f'<pre style="{TEXT_FILE}">Tea.\n\nMilk *and*\nsugar.</pre>'
    assert markdown_of(written) == "Tea.\\\nMilk \\*and\\*\\\nsugar.\n"
    assert markdown_of(written.replace("pre-wrap", "pre")).startswith("```")


def test_to_markdown_headings_and_cells(markdown_of):
    assert markdown_of("<h2>1. a</h2>") == "## 1. a\n"
    assert "| 1. | - |" in markdown_of("<table><tr><th>a<th>b<tr><td>1.<td>-</table>")


def test_to_markdown_items_with_headings(markdown_of):
    items = "<li><h3>Tea</h3><p>Green.</p></li><li># Coffee<h3>Black</h3></li><li>2. Milk<pre>a</pre></li>"
    markdown = markdown_of(f"<ol>{items}</ol>")
    assert markdown.startswith("1. ### Tea\n\n   Green.\n2. \\# Coffee\n\n   ### Black\n3. 2\\. Milk\n")


def test_to_markdown_emphasis_next_to_letters(markdown_of):
    assert markdown_of("<p><b>标题：</b>内容 <b>a.</b> b</p>") == "**标题**：内容 **a.** b\n"
    assert markdown_of("<p>中<em>（注）</em>文</p>") == "中<em>（注）</em>文\n"


def test_to_markdown_control_characters():
    page = parse("<p><a href='http://e.org/a b'>x</a></p><pre data-lang='p q'><code>y</code></pre>")
    strings = tuple(text.replace(" ", "\x01") for text in page.strings)
    found = document(replace(page, strings=strings), np.ones(2, dtype=bool))
    assert found.html == '<p><a href="http://e.org/ab">x</a></p>\n<pre><code>y</code></pre>'


def test_to_markdown_autolinks():
    links = "<a href=talk.mp3>talk.mp3</a>, <a href=hide>hide</a>, <a href=https://e.example/>https://e.example/</a>"
    page = parse(f"<p>Files: {links}</p>")  # without an address: links stay relative
    marks = np.ones(len(page.leaves), dtype=bool)
    assert document(page, marks).markdown == "Files: [talk.mp3](talk.mp3), [hide](hide), <https://e.example/>\n"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a <b>bold&nbsp;</b>next", "a **bold**\N{NO-BREAK SPACE}next\n"),
        ("<p>see<i>&nbsp;this</i>.", "see\N{NO-BREAK SPACE}*this*.\n"),
        ("<p>a <a href=/x>link&nbsp;</a>next", "a [link](https://example.org/x)\N{NO-BREAK SPACE}next\n"),
        ("<p>10<code>&nbsp;km</code>", "10\N{NO-BREAK SPACE}`km`\n"),
    ],
)
def test_to_markdown_no_break_space_at_an_edge(html, markdown, markdown_of):
    assert markdown_of(html) == markdown
