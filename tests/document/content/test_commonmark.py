"""A Markdown parser reads from the Markdown what is in the document."""

import copy
import re

import numpy as np
import pytest
from blocksight.document.content.plain_text import plain_text
from blocksight.document.document import document
from blocksight.page.parse import parse
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from markdown_it import MarkdownIt
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

URL = "https://example.org/"
TAGS = (
    "div span p h2 h4 ul ol li table tr td th caption pre code blockquote b i em strong a sup del br hr figure "
    "figcaption details summary dl dt dd"
).split()
SIGNS = "ab c\n*_`#-+|<&[](){}!>.:~=\\1$^%@;'\"中é\xa0\t/"
TEXTS = st.text(alphabet=SIGNS, min_size=1, max_size=10)
#: Texts that hold whole marks of Markdown and of its readers' extensions.
HOSTILE = st.sampled_from(
    "$a$ $$b$$ [^1] [^1]:c ^[d] [e]:/x ![f](g) <h> <!--i--> <https://j.example/> &amp; &#35; ```k ~~~ *** - + 1) 2. # "
    "> ===== --- |l|m| |---| :-- [x] [ ] \\ \\\\ ** __ ~~n~~ ~o~ : ~ {.p} {#q} ***r*** a@b.example http://s.example/_t_".split(
        " "
    )
)
LATEX = st.sampled_from(
    ["a", "a+b", "a<b", "a|b", "1", r"\frac{a}{b}", "a_b", "a*b", "x^2", r"a\\b", "a`b", "-a", "#a"]
)
LEAVES = st.one_of(
    TEXTS,
    HOSTILE,
    st.tuples(st.sampled_from(["formula", "display"]), LATEX),
    st.tuples(st.just("note"), TEXTS),
    st.tuples(st.just("picture"), TEXTS),
    st.tuples(st.just("box"), st.just("")),
)
LISTS = st.recursive(
    TEXTS | HOSTILE,
    lambda inner: st.tuples(
        st.sampled_from(["ul", "ol"]), st.lists(st.tuples(st.just("li"), st.lists(inner, max_size=3)), max_size=3)
    ),
    max_leaves=8,
)
TABLES = st.lists(
    st.tuples(
        st.just("tr"), st.lists(st.tuples(st.sampled_from(["td", "th"]), st.lists(LEAVES, max_size=2)), max_size=3)
    ),
    min_size=1,
    max_size=3,
).map(lambda rows: ("table", rows))
CODE = st.tuples(
    st.just("pre"), st.lists(st.tuples(st.just("code"), st.lists(TEXTS | HOSTILE, max_size=2)), max_size=2)
)
TREES = st.lists(
    st.recursive(
        LEAVES | LISTS | TABLES | CODE,
        lambda inner: st.tuples(st.sampled_from(TAGS), st.lists(inner, max_size=4)),
        max_leaves=12,
    ),
    min_size=1,
    max_size=4,
)


class _Markup:
    """A tree of the strategies as HTML, its footnotes at the end."""

    def __init__(self, trees):
        self.notes = []
        self.html = "".join(map(self.write, trees)) + "".join(self.notes)

    def write(self, tree):
        if isinstance(tree, str):
            return _escaped(tree)
        tag, inner = tree
        if tag in _LEAVES:
            return _LEAVES[tag](self, inner)
        inside = "".join(map(self.write, inner))
        if tag in {"br", "hr"}:
            return f"<{tag}>{inside}"
        return f"<{tag}{' href=/x' * (tag == 'a')}>{inside}</{tag}>"

    def note(self, text):
        number = len(self.notes) + 1
        self.notes.append(f"<div id=n{number}>note {_escaped(text)} <a href='#r{number}'>↩</a></div>")
        return f"<sup id=r{number}><a href='#n{number}'>{number}</a></sup>"


_LEAVES = {
    "formula": lambda _, latex: f'<img class=latex alt="{_escaped(latex)}" src=/f.png>',
    "display": lambda _, latex: f'<img class="latex display" alt="{_escaped(latex)}" src=/f.png>',
    "note": lambda markup, text: markup.note(text),
    "picture": lambda _, text: f'<img src="/{_escaped(text)}.png" alt="{_escaped(text)}">',
    "box": lambda _, text: "<input type=checkbox>",
}


def _escaped(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def _solid(text):
    return re.sub(r"[\s\xa0]+", "", text)


def _reader(*, formulas):
    """Return a parser of CommonMark with what documents need; dollars are marks where there are formulas."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(footnote_plugin).use(deflist_plugin)
    reader.add_render_rule("footnote_ref", lambda _, tokens, at, *__: f"⟨{tokens[at].meta.get('label')}⟩")
    reader.add_render_rule("footnote_anchor", lambda *_: "")
    return reader.use(dollarmath_plugin, allow_space=False, double_inline=True) if formulas else reader


def _read(markdown, *, formulas):
    """Return the text that a parser reads, and those of the footnotes."""
    html = _reader(formulas=formulas).render(markdown)
    root = etree.fromstring(f"<div>{html}</div>", etree.HTMLParser())
    for box in root.iter("input"):
        box.tail = "[ ]" + (box.tail or "")
    notes = root.find(".//section[@class='footnotes']")
    if notes is None:
        return _solid("".join(root.itertext())), []
    said = [_solid("".join(note.itertext())) for note in notes.iter("li") if (note.get("id") or "").startswith("fn")]
    etree.strip_elements(root, "section", with_tail=False)
    return _solid("".join(root.itertext())), sorted(said)


def _wanted(root):
    """Return the same of a document."""
    root = copy.deepcopy(root)
    for mark in root.iter("a"):
        if mark.get("class") == "footnote" and not _in_code(mark):
            mark.text = f"⟨{mark.get('href').removeprefix('#fn-')}⟩"
            del mark[:]
    for box in root.iter("input"):
        if not _in_code(box):
            box.tail = "[ ]" + (box.tail or "")
    notes = [_solid(plain_text(_alone(note), marks=False)) for note in root.iter("aside")]
    etree.strip_elements(root, "aside", with_tail=False)
    return _solid(plain_text(root, marks=False)), sorted(notes)


def _alone(element):
    found = etree.Element("div")
    found.append(copy.deepcopy(element))
    found[0].tail = None
    return found


def _in_code(element):
    return next(element.iterancestors("pre", "code"), None) is not None


def _holds(html):
    page = parse(html, url=URL)
    found = document(page, np.ones(len(page.leaves), dtype=bool), headline=False)
    assert _read(found.markdown, formulas='class="math' in found.html) == _wanted(found.content.root), found.markdown


@given(TREES)
def test_parsed_text_of_any_page(trees):
    _holds(_Markup(trees).html)


@given(st.lists(LISTS | TABLES | CODE, min_size=1, max_size=3))
def test_parsed_text_of_lists_tables_and_code(trees):
    _holds(_Markup(trees).html)


@pytest.mark.parametrize(
    "html",
    [
        "<p>a * b * c _d_ `e` ~~f~~ &lt;g> [h](i) ![j](k) \\* &amp;amp; 1. # + - ></p>",
        "<p>-</p><p>+</p><p># a</p><p>1) b</p><p>2. c</p><p>===</p><p>---</p><p>***</p><p>```</p><p>~~~</p>",
        "<p>a<br># b<br>- c<br>> d<br>1. e<br>===<br>[f]: g</p>",
        "<ul><li># a</li><li>- b<p>    c</p></li><li><pre>d\n  e</pre></li></ul>",
        "<p>~~~1~~~</p><p>a~~~~b~~</p>",
        "<dl><dt>> a<dd>b<dt># c<dd>d</dl><p><a href=/x>\\[a] \\\\] \\</a></p>",
        "<p>\\[^1]<sup id=r1><a href='#n1'>1</a></sup></p><div id=n1>A note. <a href='#r1'>↩</a></div>",
        "<p>!<a href=/x>1</a> \\!<a href=/x>2</a> <i>!</i><a href=/x>3</a></p>",
        "<p>a<sup id=r1><a href='#n1'>1</a></sup>(b)</p><div id=n1>A note. <a href='#r1'>↩</a></div>",
        "<p>1<b>: 2</b></p><p><i>3 :</i>4</p><p><b><i>1:</i></b>2</p><p>2<b><i>:1</i></b></p>",
        "<p><b>1:</b><i>1</i></p><p><i>1</i><em>1</em></p><p><i>1<b>2</b></i><b>3</b></p>",
        "<p>a<sup id=r1><a href='#n1'>1</a></sup></p><p><sup id=r2><a href='#n1'>1</a></sup>:b</p>"
        "<div id=n1>A note. <a href='#r1'>↩</a></div>",
        "<table><tr><th>a|b<th>`c|d`<tr><td>\\|<td><code>e|f</code></table>",
        "<p><b>中</b>文<i>（a）</i>b <b> c </b>d<b>.</b>e</p>",
        "<p><a href='/x(y) z'>[a] <b>]b[</b></a><a href=/y>https://example.org/y</a></p>",
        "<blockquote><p>a<p>> b<p>- c</blockquote><pre>```\n~~~\n</pre><pre>\n\n  x\n</pre>",
        "<p>http://example.org/_a_*b* www.example.org a@b.example</p>",
        "<p><img class=latex alt=a>\\</p><p>\\<img class=latex alt=a></p><p><img class=latex alt=a>\\$</p>",
        "<p><img class=latex alt=a>\\<br>b</p><h2><img class=latex alt=a> <b>c <i>\\</i></b></h2>",
        "<ul><li><img class=latex alt=a> c\\</ul><table><tr><td><img class=latex alt=a>\\<td>b<tr><td>c</table>",
        "<p>\\<img class=latex alt=a> <a href=/x>b\\</a></p><p><img class=latex alt=a><i>\\</i>b</p>",
        "<code><ul><img src=/1.png alt=a><ul><li>1</ul></ul></code><p><code>b<img src=/2.png alt=c>d</code></p>",
        "<p>a</p><p>~ b</p><p><b>~</b> c<br>~ d</p>",
        "<p><code>1</code><b><code>:</code></b>`<code>2</code></p>",
        "<p>&nbsp;&nbsp;&nbsp;&nbsp;a</p><p>\u2003b</p><h2>c #</h2><h2>#</h2>",
    ],
)
def test_parsed_text_of_odd_signs(html):
    _holds(html)


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<p>a^[b] [^1] c^<a href=/x>d</a></p>", r"a\^[b] \[^1] c\^[d](https://example.org/x)"),
        ("<p>2<img class=latex alt=x>1<img class=latex alt=y><img class=latex alt=z></p>", "2 $x$ 1 $y$ $z$"),
        ("<dl><dt>a<br>b<dd>c</dl>", "a b\n:   c"),
        ("<dl><dd>c<dd>d</dl>", "c\n\nd"),
        ("<ul><li>a<ol start=3><li>b</ol></ul>", "- a\n\n  3. b"),
        ("<p>see <b>C:\\ </b>d</p>", r"see **C:\\** d"),
        ("<p><code>a<br>b</code></p>", "`a b`"),
    ],
)
def test_escapes_of_extensions(html, markdown, markdown_of):
    assert markdown_of(html) == markdown + "\n"


def test_footnote_in_code(markdown_of):
    html = "<pre>a<sup id=r1><a href='#n1'>1</a></sup></pre><div id=n1>A note. <a href='#r1'>↩</a></div>"
    assert "[^" not in markdown_of(html)
    assert "A note." in markdown_of(html)
