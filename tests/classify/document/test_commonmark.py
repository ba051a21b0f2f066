"""What a CommonMark parser reads from the Markdown is what stands in the document."""

import re
from unittest.mock import patch

import numpy as np
import pytest
from blocksight.classify.document import content
from blocksight.classify.document.document import document
from blocksight.classify.document.plain_text import plain_text
from blocksight.render.static import parse
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
#: Definition lists and footnotes are no CommonMark: their marks would be read as text.
TAGS = (
    "div span p h2 h4 ul ol li table tr td th caption pre code blockquote b i em strong a sup del br hr figure "
    "figcaption details summary"
).split()
TEXTS = st.text(alphabet="ab c\n*_`#-+|<&[](){}!>.:~=\\1$'\"中é\xa0/", min_size=1, max_size=10)
TREES = st.lists(
    st.recursive(TEXTS, lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)), max_leaves=15),
    min_size=1,
    max_size=4,
)


def _html(tree):
    if isinstance(tree, str):
        return tree.replace("&", "&amp;").replace("<", "&lt;")
    inside = "".join(map(_html, tree[1]))
    if tree[0] in {"br", "hr"}:
        return f"<{tree[0]}>{inside}"
    return f"<{tree[0]}{' href=/x' * (tree[0] == 'a')}>{inside}</{tree[0]}>"


def _solid(text):
    return re.sub(r"[\s\xa0]+", "", text)


def _read(markdown):
    root = etree.fromstring(f"<div>{READER.render(markdown)}</div>", etree.HTMLParser())
    return _solid("".join(root.itertext()))


@given(TREES)
def test_the_same_text(tree):
    page = parse("".join(map(_html, tree)), url="https://example.org/")
    with patch.object(content, "without_repeats", lambda page, found, tags: found):
        found = document(page, np.ones(len(page.leaves), dtype=bool))
    assert _read(found.markdown) == _solid(plain_text(found.content.root, marks=False))


@pytest.mark.parametrize(
    "html",
    [
        "<p>a * b * c _d_ `e` ~~f~~ &lt;g> [h](i) ![j](k) \\* &amp;amp; 1. # + - ></p>",
        "<p>-</p><p>+</p><p># a</p><p>1) b</p><p>2. c</p><p>===</p><p>---</p><p>***</p><p>```</p><p>~~~</p>",
        "<p>a<br># b<br>- c<br>> d<br>1. e<br>===<br>[f]: g</p>",
        "<ul><li># a</li><li>- b<p>    c</p></li><li><pre>d\n  e</pre></li></ul>",
        "<table><tr><th>a|b<th>`c|d`<tr><td>\\|<td><code>e|f</code></table>",
        "<p><b>中</b>文<i>（a）</i>b <b> c </b>d<b>.</b>e</p>",
        "<p><a href='/x(y) z'>[a] <b>]b[</b></a><a href=/y>https://example.org/y</a></p>",
        "<blockquote><p>a<p>> b<p>- c</blockquote><pre>```\n~~~\n</pre><pre>\n\n  x\n</pre>",
        "<p>http://example.org/_a_*b* www.example.org a@b.example</p>",
        "<p>&nbsp;&nbsp;&nbsp;&nbsp;a</p><p>\u2003b</p><h2>c #</h2><h2>#</h2>",
    ],
)
def test_odd_signs(html):
    page = parse(html, url="https://example.org/")
    found = document(page, np.ones(len(page.leaves), dtype=bool))
    assert _read(found.markdown) == _solid(plain_text(found.content.root, marks=False))
