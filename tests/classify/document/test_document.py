"""Marks to text, Markdown, HTML and JSON, on markup small enough to read."""

import json
import re
from dataclasses import replace

import numpy as np
import pytest
from blocksight.classify.document.document import document
from blocksight.render.page import Geometry
from blocksight.render.static import parse
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

URL = "https://example.org/a/page.html"


def written(html, keep=lambda text: True):
    page = parse(html, url=URL)
    return document(page, np.array([keep(text) for text in page.leaf_texts], dtype=bool))


def html_of(html, keep=lambda text: True):
    return written(html, keep).html


def markdown_of(html, keep=lambda text: True):
    return written(html, keep).markdown


def solid(text):
    return "".join(text.split())


# -- paragraphs and white space ---------------------------------------------------------------------------------------


def test_what_is_not_marked_is_gone():
    found = written("<h1>Tea</h1><p>Boil <b>fresh</b> water.</p><nav><ul><li>Home</ul></nav>", lambda t: t != "Home")
    assert found.html == "<h1>Tea</h1>\n<p>Boil <b>fresh</b> water.</p>"
    assert found.text == "Tea\n\nBoil fresh water."
    assert found.markdown == "# Tea\n\nBoil **fresh** water.\n"


def test_no_marks_make_an_empty_document():
    found = written("<p>a</p><hr><p>b</p>", lambda t: False)
    assert (found.text, found.markdown, found.html, found.blocks) == ("", "", "", ())


def test_white_space_is_collapsed_as_rendered():
    assert written("<p> a\n  b<span> </span>c<i>d</i> <b> e </b> </p>").text == "a b cd e"


def test_white_space_stays_outside_of_emphasis():
    assert html_of("<p>a<b> b </b>c</p>") == "<p>a <b>b</b> c</p>"


def test_a_gap_in_a_paragraph_leaves_a_space():
    assert written("<p>a<span>AD</span>b</p>", lambda t: t != "AD").text == "a b"


def test_dissolved_elements_part_paragraphs_or_vanish():
    assert html_of("<div>a<span>b</span><section>c</section>d</div>") == "<p>ab</p>\n<p>c</p>\n<p>d</p>"


def test_one_break_is_a_line_and_two_are_a_paragraph():
    found = written("a<br>b<br><br>c<br>")
    assert found.html == "<p>a<br>b</p>\n<p>c</p>"
    assert found.text == "a\nb\n\nc"
    assert found.markdown == "a\\\nb\n\nc\n"


def test_a_rule_stands_only_between_kept_neighbours():
    assert html_of("<hr><p>a</p><hr><p>b</p><hr>") == "<p>a</p>\n<hr>\n<p>b</p>"
    assert html_of("<p>a</p><hr><p>AD</p><p>b</p>", lambda t: t != "AD") == "<p>a</p>\n<p>b</p>"


def test_markup_characters_are_escaped():
    assert html_of("<p>1 &lt; 2 &amp; <a href='/x?a=1&amp;b=%222%22'>3</a>") == (
        '<p>1 &lt; 2 &amp; <a href="https://example.org/x?a=1&amp;b=%222%22">3</a></p>'
    )


# -- headings, links, emphasis ----------------------------------------------------------------------------------------


def test_headings_by_role():
    assert html_of("<div role=heading aria-level=3>a</div><div role=heading>b</div>") == "<h3>a</h3>\n<h2>b</h2>"


def test_a_heading_that_holds_structure_or_a_whole_text_is_none():
    assert html_of("<h3>a<ul><li>b</ul></h3>") == "<p>a</p>\n<ul><li>b</li></ul>"
    assert html_of(f"<h3>{'word ' * 80}</h3>").startswith("<p>word")


def test_headings_in_links_and_links_around_blocks_change_places():
    found = written("<a href=/x><h2>Head</h2><p>text</p></a>")
    link = "https://example.org/x"
    assert found.html == f'<h2><a href="{link}">Head</a></h2>\n<p><a href="{link}">text</a></p>'
    assert found.markdown == f"## [Head]({link})\n\n[text]({link})\n"


@pytest.mark.parametrize("href", ["javascript:x()", "#part", "mailto:a@b.c", "http://[", "data:text/plain,x", ""])
def test_links_that_lead_nowhere_are_dropped(href):
    expected = "<p>a</p>" if href else f'<p><a href="{URL}">a</a></p>'
    assert html_of(f'<p><a href="{href}">a</a></p>') == expected


def test_links_follow_the_base_and_the_frame():
    assert 'href="https://b.example/d/x"' in html_of("<base href=https://b.example/d/><p><a href=x>a</a>")


def test_links_keep_their_brackets_in_order():
    assert markdown_of("<p><a href='/a_(b) c'>x [y]</a></p>") == "[x \\[y\\]](https://example.org/a_%28b%29%20c)\n"


def test_the_same_emphasis_twice_is_once_and_neighbours_melt():
    assert html_of("<p><b>a<b>b</b></b><b>c</b></p>") == "<p><b>abc</b></p>"


def test_a_forgotten_end_tag_does_not_embolden_the_page():
    assert "<b>" not in html_of("<b>" + "<p>a</p>" * 12)


def test_headings_are_bold_already():
    assert html_of("<h2><b>a</b> <i>b</i></h2>") == "<h2>a <i>b</i></h2>"


def test_superscripts_stay_superscripts():
    assert markdown_of("<p>10<sup>6</sup></p>") == "10<sup>6</sup>\n"


# -- lists ------------------------------------------------------------------------------------------------------------


def test_nested_lists():
    found = written("<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>")
    assert found.html == "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"
    assert found.text == "a\nb\nc\nd"
    assert found.markdown == "- a\n- b\n  - c\n- d\n"


def test_text_and_lists_directly_in_a_list():
    assert html_of("<ul>x<li>a</li>y</ul>") == "<ul><li>x</li><li>a</li><li>y</li></ul>"
    assert html_of("<ul><li>a</li><ul><li>b</li></ul></ul>") == "<ul><li>a<ul><li>b</li></ul></li></ul>"


def test_items_without_a_list():
    assert html_of("<div><li>a</li><li>b</li></div>") == "<ul><li>a</li><li>b</li></ul>"


def test_a_list_is_numbered_on_from_its_first_kept_item():
    found = written("<ol><li>a</li><li>b</li><li>c <i>d</i></li></ol>", lambda t: t in "bd")
    assert found.html == '<ol start="2"><li>b</li><li><i>d</i></li></ol>'
    assert found.markdown == "2. b\n3. *d*\n"


def test_items_of_several_paragraphs():
    found = written("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>")
    assert found.html == "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>"
    assert found.markdown == "- a\n\n  b\n- c\n"


def test_a_list_of_articles_is_a_layout():
    assert html_of("<ul><li><h2>A</h2><p>a</p></li><li><h2>B</h2></li></ul>") == "<h2>A</h2>\n<p>a</p>\n<h2>B</h2>"


def test_definition_lists_also_in_wrappers():
    html = "<dl><div><dt>T</dt><dd>a</dd></div><div><dt>U</dt><dd>b<p>c</p></dd></div></dl>"
    found = written(html)
    assert found.html == "<dl><dt>T</dt><dd>a</dd><dt>U</dt><dd><p>b</p><p>c</p></dd></dl>"
    assert [block.kind for block in found.blocks] == ["term", "definition", "term", "definition", "definition"]


# -- tables -----------------------------------------------------------------------------------------------------------

TABLE = "<table><tr><th>A<th>B|<tr><td>1<td><tr><td colspan=2>2<tr><td>3<br>4<td><p>5<p>6</table>"


def test_a_data_table_keeps_its_columns():
    found = written(TABLE)
    assert '<tr><td>1</td><td></td></tr><tr><td colspan="2">2</td></tr>' in found.html
    assert found.text == "A\tB|\n1\n2\n3 4\t5 6"
    assert found.markdown == "| A | B\\| |\n| --- | --- |\n| 1 |  |\n| 2 |  |\n| 3 4 | 5 6 |\n"
    assert {block.kind for block in found.blocks} == {"table cell"}


def test_a_table_keeps_columns_of_unmarked_cells_and_drops_unmarked_rows():
    rows = "<tr><td>a<td>x<td>b<tr><td>x<td>x<td>x<tr><td>c<td>x<td>d"
    assert html_of(f"<table>{rows}</table>", lambda t: t != "x") == (
        "<table><tbody><tr><td>a</td><td></td><td>b</td></tr><tr><td>c</td><td></td><td>d</td></tr></tbody></table>"
    )


def test_spans_and_captions():
    rows = "<caption>Cap</caption><tr><td rowspan=2>r<td>1<tr><td>2<tr><td>a<td>b"
    assert markdown_of(f"<table>{rows}</table>") == ("Cap\n\n|  |  |\n| --- | --- |\n| r | 1 |\n|  | 2 |\n| a | b |\n")


def test_absurd_spans_are_bounded():
    cells = "<tr><th colspan=1000>a<th>b<tr><td>c<td colspan=99999999999>d"
    assert len(markdown_of(f"<table>{cells}</table>")) < 200


def test_layout_tables_become_paragraphs():
    assert html_of("<table><tr><td>left<td><h2>b</h2><p>c</table>") == "<p>left</p>\n<h2>b</h2>\n<p>c</p>"
    assert html_of("<table role=presentation><tr><td>a<td>b<tr><td>c<td>d</table>").count("<p>") == 4


def test_of_nested_tables_the_inner_one_is_kept():
    inner = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
    found = html_of(f"<table><tr><td>x<td>{inner}<tr><td>y<td>z</table>")
    assert found.startswith("<p>x</p>\n<table><tbody><tr><td>a</td>")
    assert found.endswith("</table>\n<p>y</p>\n<p>z</p>")


# -- code and quotes --------------------------------------------------------------------------------------------------


def test_code_keeps_its_white_space_and_language():
    found = written("<pre><code class='hl language-python'>\ndef f():\n    return 1\n</code></pre>")
    assert found.html == '<pre><code class="language-python">def f():\n    return 1</code></pre>'
    assert found.text == "def f():\n    return 1"
    assert found.markdown == "```python\ndef f():\n    return 1\n```\n"


def test_code_with_one_element_a_line():
    lines = "<pre><div>a</div><div><br></div><div>  b</div><div>c\n</div><div>d</div></pre>"
    assert written(lines).text == "a\n\n  b\nc\nd"
    assert written("<pre>a<br>b<br><br>c</pre>").text == "a\nb\n\nc"


def test_line_numbers_that_are_not_marked_leave_no_trace():
    lines = "<pre><span>1</span>a\n<span>2</span>  b\n</pre>"
    assert written(lines, lambda t: not t.isdigit()).text == "a\n  b"


def test_backticks_in_code():
    assert markdown_of("<pre>```\nx</pre><p><code>a`b</code></p>") == "````\n```\nx\n````\n\n`` a`b ``\n"


def test_code_in_an_item():
    assert markdown_of("<ul><li>do<pre>a\n  b</pre></li></ul>") == "- do\n\n  ```\n  a\n    b\n  ```\n"


def test_quotes():
    found = written("<blockquote>a<p>b</p></blockquote><p>c d e f g h i j k l m n o</p>")
    assert found.html.startswith("<blockquote><p>a</p><p>b</p></blockquote>")
    assert found.markdown.startswith("> a\n>\n> b\n\nc")
    assert found.blocks[0].kind == "quote"


def test_a_quote_around_everything_is_an_indentation():
    assert html_of("<blockquote><p>a<p>b<p>c<p>d</blockquote>").startswith("<p>a</p>")


def test_figures_keep_their_caption():
    found = written("<figure><img src=x alt=y><figcaption>cap</figcaption></figure>")
    assert found.html == "<figure><figcaption>cap</figcaption></figure>"
    assert found.blocks[0].kind == "caption"


# -- Markdown ---------------------------------------------------------------------------------------------------------


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
def test_only_what_would_be_markup_is_escaped(text, markdown):
    assert markdown_of(f"<p>{text}</p>") == f"{markdown}\n"


def test_nothing_begins_a_line_in_headings_and_cells():
    assert markdown_of("<h2>1. a</h2>") == "## 1. a\n"
    assert "| 1. | - |" in markdown_of("<table><tr><th>a<th>b<tr><td>1.<td>-</table>")


def test_marks_at_the_end_of_emphasis_stand_outside_where_a_letter_follows():
    assert markdown_of("<p><b>标题：</b>内容 <b>a.</b> b</p>") == "**标题**：内容 **a.** b\n"
    assert markdown_of("<p>中<em>（注）</em>文</p>") == "中（*注*）文\n"


def test_control_characters_in_addresses_and_languages_do_no_harm():
    page = parse("<p><a href='http://e.org/a b'>x</a></p><pre data-lang='p q'><code>y</code></pre>")
    strings = tuple(text.replace(" ", "\x01") for text in page.strings)
    found = document(replace(page, strings=strings), np.ones(2, dtype=bool))
    assert found.html == '<p><a href="http://e.org/ab">x</a></p>\n<pre><code>y</code></pre>'


# -- the whole --------------------------------------------------------------------------------------------------------


def test_json_is_plain_and_complete():
    page = parse("<html lang=en><title>Tea</title><h1>Tea</h1><p>a<b>bc</b></p>", url=URL)
    found = document(page, np.ones(3, dtype=bool), system="s", scores=np.array([1.0, 0.25, 1.0])).to_json()
    assert json.loads(json.dumps(found)) == found
    assert found["blocks"] == [
        {"box": None, "score": 1.0, "kind": "heading", "text": "Tea"},
        {"box": None, "score": 0.75, "kind": "paragraph", "text": "abc"},
    ]
    assert list(found) == "url title language system confidence text markdown html blocks partial overlays".split()
    assert (found["url"], found["title"], found["language"], found["system"]) == (URL, "Tea", "en", "s")
    assert (found["partial"], found["overlays"], found["confidence"]) == (False, [], None)


def test_boxes_are_the_union_of_the_rendered_lines():
    page = parse("<p>ab<b>cd</b></p><p>e</p>")
    seen = replace(page, geometry=_geometry(page, [(0, 0, 10, 20), (10, 0, 5, 30)]))
    blocks = document(seen, np.ones(3, dtype=bool)).blocks
    assert [block.box for block in blocks] == [(0.0, 0.0, 15.0, 30.0), None]


def _geometry(page, lines):
    count, zeros = len(page), np.zeros(len(page), dtype=np.int32)
    line = np.arange(len(lines))
    return Geometry(
        viewport=(100.0, 100.0),
        size=(100.0, 100.0),
        box=np.full((count, 4), np.nan, dtype=np.float32),
        paint_order=zeros,
        display=zeros - 1,
        position=zeros.astype(np.uint8),
        opacity=zeros.astype(np.float32),
        invisible=zeros.astype(bool),
        clips=np.zeros((count, 2), dtype=bool),
        font_size=zeros.astype(np.float32),
        font_weight=zeros.astype(np.int16),
        color=zeros.astype(np.uint32),
        background=zeros.astype(np.uint32),
        line_node=page.leaves[line],
        line_box=np.array(lines, dtype=np.float32),
        line_start=np.zeros(len(lines), dtype=np.int32),
        line_length=np.ones(len(lines), dtype=np.int32),
        hidden=np.zeros(len(page.leaves), dtype=np.uint8),
    )


def test_columns_of_the_wrong_length_are_refused():
    page = parse("<p>a</p>")
    with pytest.raises(ValueError, match="marks"):
        document(page, np.ones(2, dtype=bool))
    with pytest.raises(ValueError, match="scores"):
        document(page, np.ones(1, dtype=bool), scores=np.ones(3))


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
def test_depth_is_no_matter(tag):
    page = _deep(tag, 10_000)
    found = document(page, np.ones(2, dtype=bool))
    assert solid(found.text) == "xy"
    assert re.sub(r"[^a-z]", "", found.markdown.replace("https://e.org/", "")) == "xy"


def test_characters_that_no_markup_may_hold_are_dropped():
    page = parse("<p>a b</p>")
    strings = tuple(text.replace("a b", "a\x0b\x01b\ufffe") for text in page.strings)
    assert document(replace(page, strings=strings), np.ones(1, dtype=bool)).html == "<p>ab</p>"


TAGS = (
    "div span p h2 ul ol li dl dt dd table tr td th caption pre code blockquote b a em sup br hr figure figcaption font"
).split()
TEXTS = st.text(alphabet="ab c\n*_`#-|<&[]()>1.中\xa0", min_size=1, max_size=8)


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


@settings(deadline=None, max_examples=300)
@given(TREES, st.randoms(use_true_random=False))
def test_every_marked_character_comes_out_once_and_in_order(tree, random):
    root = etree.Element("div")
    _build(root, tree)
    page = parse(etree.tostring(root, encoding="unicode", method="html"), url=URL)
    marks = np.array([random.random() < 0.7 for _ in page.leaves], dtype=bool)
    found = document(page, marks)
    expected = solid("".join(text for text, mark in zip(page.leaf_texts, marks, strict=True) if mark))
    assert solid(found.text) == expected
    assert solid("".join(block.text for block in found.blocks)) == expected
    if found.html:
        assert solid("".join(etree.fromstring(found.html, etree.HTMLParser()).itertext())) == expected
    assert found.text == found.text.strip("\n")
    assert not re.search(r"\A[ \t]|[ \t]\n|[ \t]\Z", found.text) or "<pre>" in found.html
    assert not re.search(r"[ \t]\n", found.markdown)
    assert not re.search(r"\n\n\n", found.markdown) or "<pre>" in found.html


def test_paragraphs_can_be_written_in_another_order():
    page = parse("<div><p>one <b>two</b></p><ul><li>three</li><li>four</li></ul></div><p>five</p>")
    everything = np.ones(5, dtype=bool)
    order = np.asarray([4, 3, 2, 0, 1], dtype=np.int32)
    assert document(page, everything, order=order).markdown == "five\n\n- four\n- three\n\none **two**\n"
    assert document(page, everything).text.startswith("one two")
    with pytest.raises(ValueError, match="each of the 5 text leaves once"):
        document(page, everything, order=order[:4])
