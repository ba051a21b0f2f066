"""Raw HTML becomes the tree that browsers build: worked out by hand from the standard, and asked of it."""

import blocksight as bs
import pytest
from blocksight.page.html import TEXT
from opening import open_many

#: A document, and its text leaves in order: the path below the body, a colon, the text; two blanks between leaves.
TREES = [
    # -- What is left out is there: html, head, body
    ("<title>t</title><main><p>Some words.", "main/p:Some words."),
    (
        "<!DOCTYPE html><title>t</title><nav><a href=/>Home</a></nav><article><h1>A</h1><p>Text.</article>",
        "nav/a:Home  article/h1:A  article/p:Text.",
    ),
    ("<html><head><title>t</title></head></html><body><p>Text", "p:Text"),
    ("<html><body><p>one</body></html><p>two", "p:one  p:two"),
    ("<head><p>a</head>b", "p:ab"),
    ("<head><title>t</title></head>x<body class=c>y", ":xy"),
    ("<body><p>a<body class=late><p>b", "p:a  p:b"),
    ("<head><noscript><link><p>a</noscript>b", "p:ab"),
    ("<p>a</body>b</html>c<p>d", "p:abc  p:d"),
    # -- Blocks that end where another begins, and end tags without a beginning
    ("<p>a<p>b<div>c</div>d", "p:a  p:b  div:c  :d"),
    ("<ul><li>a<li>b<ul><li>c</ul>d</ul>e", "ul/li:a  ul/li:b  ul/li/ul/li:c  ul/li:d  :e"),
    ("<dl><dt>a<dd>b<dt>c</dl>", "dl/dt:a  dl/dd:b  dl/dt:c"),
    ("<h1>a<h2>b</h1>c", "h1:a  h2:b  :c"),
    ("<button>a<button>b</button>c", "button:a  button:b  :c"),
    ("<p>a</p></p>b", "p:a  :b"),
    ("</p>a", ":a"),
    ("a</br>b", ":a  :b"),
    ("<br></br>a", ":a"),
    ("a<hr>b<p>c<hr>d", ":a  :b  p:c  :d"),
    ("<nobr>a<nobr>b</nobr>c", "nobr:a  nobr:b  :c"),
    ("<p>a<details><summary>b</summary>c</details>d", "p:a  details/summary:b  details:c  :d"),
    ("<p\nclass=x>a", "p:a"),
    ("<p/>a<div/>b", "p:a  div:b"),
    ("<div>a<span>b</div>c</span>d", "div:a  div/span:b  :cd"),
    ("<center>a<p>b</center>c", "center:a  center/p:b  :c"),
    ("<dir><li>a</dir><menu><li>b</menu>", "dir/li:a  menu/li:b"),
    ("<search>a</search><p>b<search>c", "search:a  p:b  search:c"),
    ("<p>a<address>b<p>c</address>d", "p:a  address:b  address/p:c  :d"),
    ("<keygen>a<wbr>b<nextid>c", ":a  :b  nextid:c"),
    (
        "<label>a<fieldset><legend>b</legend>c</fieldset>d",
        "label:a  label/fieldset/legend:b  label/fieldset:c  label:d",
    ),
    ("<dialog open>a<p>b</dialog>c", "dialog:a  dialog/p:b  :c"),
    # -- Tables, and text in them without a cell
    ("<p>a<table><tr><td>b</table>c", "p:a  p/table/tbody/tr/td:b  p:c"),
    ("<!DOCTYPE html><p>a<table><tr><td>b</table>c", "p:a  table/tbody/tr/td:b  :c"),
    ("<table>a<tr><td>b", ":a  table/tbody/tr/td:b"),
    ("<table><tr>a<td>b</td>c</tr>d</table>e", ":acd  table/tbody/tr/td:b  :e"),
    ("<table><tr><td>a<td>b<tr><td>c</table>", "table/tbody/tr/td:a  table/tbody/tr/td:b  table/tbody/tr/td:c"),
    (
        "<table><thead><tr><th>a<tbody><tr><td>b<tfoot><tr><td>c</table>",
        "table/thead/tr/th:a  table/tbody/tr/td:b  table/tfoot/tr/td:c",
    ),
    ("<table><caption>a<tr><td>b</table>", "table/caption:a  table/tbody/tr/td:b"),
    ("<table><p>a<tr><td>b</table>", "p:a  table/tbody/tr/td:b"),
    (
        "<table><tr><td><table><tr><td>a</table>b</table>c",
        "table/tbody/tr/td/table/tbody/tr/td:a  table/tbody/tr/td:b  :c",
    ),
    ("<table><colgroup>a<col><tr><td>b", ":a  table/tbody/tr/td:b"),
    ("<table><form><tr><td><input>a</form>b</table>", "table/tbody/tr/td:ab"),
    ("<a>a<table><a>b</table>c", "a:a  a/a:b  a:c"),
    ("<table> <b>a</b> <tr><td>b", "b:a  table/tbody/tr/td:b"),
    ("<b>a<table><tr><td>b</b>c</table>d", "b:a  b/table/tbody/tr/td:bc  b:d"),
    # -- Formatting elements across blocks: the adoption agency
    ("<b>a<p>b</b>c</p>d", "b:a  p/b:b  p:c  :d"),
    ("<b>a<i>b</b>c</i>d", "b:a  b/i:b  i:c  :d"),
    ("<a href=1>a<a href=2>b</a>c", "a:a  a:b  :c"),
    ("<a>a<div>b</a>c</div>d", "a:a  div/a:b  div:c  :d"),
    ("<p><b>a<p>b</b>c", "p/b:a  p/b:b  p:c"),
    ("<b><b><b><b>a<p>b", "b/b/b/b:a  b/b/b/b/p:b"),
    ("<i>a<b>b<u>c</i>d</b>e", "i:a  i/b:b  i/b/u:c  b/u:d  u:e"),
    ("<font color=red>a<div>b</font>c</div>d", "font:a  div/font:b  div:c  :d"),
    ("<em>a<aside>b</em>c</aside>d", "em:a  aside/em:b  aside:c  :d"),
    ("<audio>a</audio><video>b</video><canvas>c</canvas>d", ":d"),
    # -- Foreign content
    ("<svg><title>a</title><text>b</text><![CDATA[c<d]]></svg>e", "svg/text:b  svg:c<d  :e"),
    ("<svg><g>a<p>b</svg>c", "svg/g:a  p:bc"),
    ("<svg><foreignObject><p>a<div>b</foreignObject></svg>c", "svg/foreignobject/p:a  svg/foreignobject/div:bc"),
    ("<math><mi>a</mi><mtext><p>b</mtext></math>c", "math/mi:a  math/mtext/p:bc"),
    ("<div><![CDATA[a]]>b", "div:b"),
    ("<svg><font>a</font><font color=red>b</font></svg>c", "svg/font:a  font:b  :c"),
    # -- Text that is no markup
    ("<plaintext>a</p><b>b", "plaintext:a</p><b>b"),
    ("<textarea>\n<p>a</textarea>b", ":b"),
    ("<title>a<b>b</title>c", ":c"),
    ("<style>a<p></style>b<script>c<p></script>d", ":b  :d"),
    ("<script><!--<script>a</script>b--></script>c", ":c"),
    ("<xmp><b>a</b></xmp>b", "xmp:<b>a</b>  :b"),
    ("<noframes><p>a</noframes>b", ":b"),
    ("<template><p>a</template>b<template><td>c</template>", ":b"),
    ("<frameset><frame><noframes>a</noframes></frameset>", ""),
    ("<noscript><p>a</noscript><p>b", "p:a  p:b"),
    ("<p>&amp;&lt;&eacute;&#233;&#x80;&notit;&ampx", "p:&<éé€¬it;&x"),
    ("<pre>\na\nb</pre>c", "pre:a\nb  :c"),
    ("<listing>\n\na</listing>", "listing:\na"),
    # -- Frames, controls and other elements
    ("<select><option>a<option>b<optgroup label=g><option>c</select>d", ":d"),
    ("<iframe><p>a</iframe>b", ":b"),
    ("a<frameset><frame></frameset>", ":a"),
    ("<ruby>a<rb>b<rt>c<rp>d</ruby>", "ruby:a  ruby/rb:b  ruby/rt:c  ruby/rp:d"),
    ("<form>a<form>b</form>c</form>d", "form:ab  :cd"),
    ("<marquee>a<b>b</marquee>c", "marquee:a  marquee/b:b  :c"),
    ("<object>a<b>b</object>c", "object:a  object/b:b  :c"),
    ("<image>a", ":a"),
    ('<a title="&copy=1&copy;">a</a>&copy=1', "a:a  :©=1"),
    ("<x-y>a<p>b</x-y>c", "x-y:a  x-y/p:bc"),
    ('<?php echo "a>b" ?>c', ':b" ?>c'),
    ("<!a>b</!c>d<!-->e", ":b  :d  :e"),
    ("<p>a<!--b--!>c", "p:a  p:c"),
    ("<select><p>a<b>b</b><div>c</select>d", ":d"),
    ("<select><input>a", ":a"),
]  # fmt: skip


def paths(page):
    """The path of each row, and whether it is the document's own: no frame's, template's or style's."""
    found, own = [], []
    for row, above in enumerate(page.parent.tolist()):
        tag = page.tag_of(row)
        found.append(f"{found[above]}/{tag}" if above >= 0 else tag)
        other = above >= 0 and (not own[above] or tag == "html" or page.tag_of(above) == "template")
        own.append(not other and not tag.startswith("::"))
    return found, own


def outline(page):
    found, own = paths(page)
    texts = [page.strings[text] if text >= 0 else None for text in page.text.tolist()]
    return [(path, text) for path, text, mine in zip(found, texts, own, strict=True) if mine]


def leaves(page):
    found, _ = paths(page)
    below = [found[row].removeprefix("html/body").removesuffix(TEXT).strip("/") for row in page.leaves.tolist()]
    return "  ".join(f"{path}:{text}" for path, text in zip(below, page.leaf_texts, strict=True))


@pytest.mark.parametrize(("html", "expected"), TREES)
def test_the_leaves_are_where_the_standard_puts_them(html, expected):
    assert leaves(bs.parse(html)) == expected


def test_white_space_is_kept_from_the_head_on():
    page = bs.parse(" <!DOCTYPE html> <html> <head> <title>t</title> </head> <body> <p>a</p> <table> <tr> <td>b ")
    assert outline(page) == [
        ("html", None),
        ("html/head", None),
        ("html/head/#text", " "),
        ("html/head/title", None),
        ("html/head/title/#text", "t"),
        ("html/head/#text", " "),
        ("html/#text", " "),
        ("html/body", None),
        ("html/body/#text", " "),
        ("html/body/p", None),
        ("html/body/p/#text", "a"),
        ("html/body/#text", " "),
        ("html/body/table", None),
        ("html/body/table/#text", " "),
        ("html/body/table/tbody", None),
        ("html/body/table/tbody/tr", None),
        ("html/body/table/tbody/tr/#text", " "),
        ("html/body/table/tbody/tr/td", None),
        ("html/body/table/tbody/tr/td/#text", "b "),
    ]


def test_attributes_of_later_tags_are_added():
    page = bs.parse("<html lang=de><body class=a><html lang=fr dir=ltr><body class=b id=c>x")
    assert page.attributes_of(0) == {"lang": "de", "dir": "ltr"}
    assert page.attributes_of(int(page.parent[page.leaves[0]])) == {"class": "a", "id": "c"}


def test_of_an_attribute_given_twice_the_first_counts():
    page = bs.parse("<p CLASS=a class=b Hidden data-X='1&amp;2'>x")
    assert page.attributes_of(int(page.parent[page.leaves[0]])) == {"class": "a", "hidden": "", "data-x": "1&2"}


@pytest.mark.browser
def test_the_browser_builds_the_same_trees(browser):
    options = bs.RenderOptions(
        javascript=False, offline=True, allow_private=True, timeout=20.0, scroll=0, settle=0.0, settle_cap=0.5
    )
    shadow = "<div><template shadowrootmode=x>a</template>b"
    more = ["<div>" * 500 + "x", " <p>a</p> <p>b ", "<iframe><p>a</iframe>b", shadow]
    asked = {html.encode(): html for html in [html for html, _ in TREES] + more}
    for opened in open_many(browser, asked, options=options):
        assert opened.page is not None, opened.error
        assert outline(opened.page) == outline(bs.parse(asked[opened.source])), asked[opened.source]
