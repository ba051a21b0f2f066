"""Raw pages that are hostile to programs: the cost of each verb is linear in their size."""

import gc
import time

import blocksight as bs
import pytest

pytestmark = pytest.mark.long

#: Sizes of the pages, the smaller one as deep as any is parsed, and the most by which four times the size may raise a
#: cost: 1.3 times linear for each doubling.
SMALL, LARGE, MOST_GROWTH = 500, 2_000, 4 * 1.3**2
#: Costs in seconds of this process that are not judged, and attempts, of which the least cost counts.
NEGLIGIBLE, ATTEMPTS = 0.2, 4
POST = "<div class=comment><b class=author>Ann</b><time>2 May 2024 10:00</time><p>The text of a comment here.</p>"
CARD = "<div class=card><h3><a href=/p/1>Product</a></h3><span class=price>$1.99</span><p>Text of it.</p></div>"
PARAGRAPH = "<p>Some words that stand in a row and say that this here is the text of a page, not a menu.</p>" * 6
KINDS = {
    "misnested formatting": "<b><i><mi>x</b></i>",
    "nested definitions": "<dl><dt>a<dd>",
    "nested tables": "<table><tr><td>a",
    "nested lists": "<ul><li>item",
    "nested quotes": "<blockquote>words of it<p>more",
    "nested details": "<details><summary>a</summary>b",
    "nested items": "<div itemscope itemtype='http://schema.org/Article'><span itemprop=name>x</span>",
    "nested posts": POST,
    "unclosed blocks": "<div><p><span><a href=x>word",
    "unclosed formatting": "<b>word <i>more ",
    "unclosed forms": "<nobr>a<form>",
    "foster parents": "<table>a<b>b",
    "siblings": "<div>word and word</div>",
    "headings": "<h2>The heading again</h2><p>A line of text below the heading.</p>",
    "headings alone": "<h2>The heading again</h2>",
    "rows": "<table><tr><td>name<td>12<td>text of it</table>",
    "cards": CARD,
    "posts": f"{POST}</div>",
    "counts": "12 comments · <div>3 likes</div>",
    "figures": "<figure><img src=a.png alt='A picture of it'><figcaption>Words below</figcaption></figure>",
    "formulas": "<math><mfrac><mi>a</mi><mrow>",
    "notes": "<sup id=r1><a href='#n1'>1</a></sup><li id=n1><a href='#r1'>^</a> note</li>",
}
#: One element whose text or attributes grow.
PARTS = {
    "a title of parts": ("<title>", "word | " * 5, "</title>"),
    "attributes": ("<p ", "data-a{0}=v data-b{0}=w ", ">words</p>"),
    "one paragraph of links": ("<p>", "<a href='/page/x'>link of it</a>, ", "</p>"),
    "one paragraph of sentences": ("<p>", "Some words of it. More. ", "</p>"),
    "one word": ("<p>", "x" * 40, "</p>"),
    "dots in bold": ("<p>a<b>", "." * 40, "x</b>a</p>"),
    "blanks in code": ("<p><code>a", " " * 40, "b</code></p>"),
    "a row of cells": ("<table><tr>", "<td>cell</td>", "</tr></table>"),
    "lines of code": ("<pre>", "a line of code = 1;\n", "</pre>"),
    "brackets": ("<p>", "[[*_`](", "</p>"),
    "meta elements": ("<head>", "<meta property=article:tag content='tag {0}'>", "</head>"),
}
PAGES = {name: ("", part, "") for name, part in KINDS.items()} | PARTS
VERBS = {
    "document": lambda page: bs.extract(page, system="everything").to_dict(),
    "chunks": lambda page: bs.extract(page, system="everything").chunks(tokens=100),
    "choice": lambda page: bs.extract(page).to_dict(),
    "metadata": bs.metadata,
    "rows": bs.block_features,
}


def built(name, size):
    """Return a page of a kind."""
    start, part, end = PAGES[name]
    parts = [part.format(number) for number in range(size)] if "{0}" in part else [part] * size
    html = PARAGRAPH + start + "".join(parts) + end
    return bs.parse(f"{start}{''.join(parts)}{end}{PARAGRAPH}" if "title" in start or "head" in start else html)


def cost(verb, name, size):
    """Return the seconds of this process that a verb takes of a fresh page."""
    page = built(name, size)
    gc.collect()
    began = time.process_time()
    VERBS[verb](page)
    return time.process_time() - began


@pytest.fixture(scope="module", autouse=True)
def _imported():
    for verb in VERBS:
        cost(verb, "siblings", 3)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("verb", VERBS)
def test_costs_are_linear(verb, name):
    small, large = [], []
    for _ in range(ATTEMPTS):
        large.append(cost(verb, name, LARGE))
        if min(large) < NEGLIGIBLE:
            return
        small.append(cost(verb, name, SMALL))
        if min(large) <= MOST_GROWTH * max(small):
            return
    assert min(large) / max(small) <= MOST_GROWTH


def test_bold_text_with_marks_at_both_ends_is_a_tag():
    html = "<p>a<b>«.x[!]»</b>b</p><p>a<b>x.»</b>b</p>"
    assert bs.extract(bs.parse(html), system="everything").markdown == (
        "a<strong>«.x[!]»</strong>b\n\na<strong>x.»</strong>b\n"
    )
