"""Raw pages that are hostile to programs: the cost of each verb is linear in their size."""

import gc
import time

import blocksight as bs
import numpy as np
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
#: Each step on the same page, and on what the steps before it have returned.
STEPS = {
    "document": lambda page, _: bs.extract(page, system="everything"),
    "formats": lambda _, done: done["document"].to_dict(),
    "chunks": lambda _, done: done["document"].chunks(tokens=100),
    "choice": lambda page, _: bs.extract(page).to_dict(),
    "metadata": lambda page, _: bs.metadata(page),
    "rows": lambda page, _: bs.block_features(page),
}


def built(name, size):
    """Return a page of a kind."""
    start, part, end = PAGES[name]
    parts = [part.format(number) for number in range(size)] if "{0}" in part else [part] * size
    html = PARAGRAPH + start + "".join(parts) + end
    return bs.parse(f"{start}{''.join(parts)}{end}{PARAGRAPH}" if "title" in start or "head" in start else html)


def costs(name, size):
    """Return the seconds of this process that each step takes of a fresh page, after the steps before it."""
    page, done, found = built(name, size), {}, []
    gc.collect()
    for step, work in STEPS.items():
        began = time.process_time()
        done[step] = work(page, done)
        found.append(time.process_time() - began)
    return np.asarray(found)


@pytest.fixture(scope="module", autouse=True)
def _imported():
    """Import what the steps need; to collect garbage, nothing of what is there before is looked at."""
    costs("siblings", 3)
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


@pytest.mark.parametrize("name", PAGES)
def test_costs_are_linear(name):
    large, small = np.full(len(STEPS), np.inf), np.zeros(len(STEPS))
    for _ in range(ATTEMPTS):
        large = np.minimum(large, costs(name, LARGE))
        judged = large >= NEGLIGIBLE
        if judged.any():
            small = np.maximum(small, costs(name, SMALL))
        grown = judged & (large > MOST_GROWTH * small)
        if not grown.any():
            return
    assert [step for step, is_grown in zip(STEPS, grown, strict=True) if is_grown] == []


def test_bold_text_with_marks_at_both_ends_is_a_tag():
    html = "<p>a<b>«.x[!]»</b>b</p><p>a<b>x.»</b>b</p>"
    assert bs.extract(bs.parse(html), system="everything").markdown == (
        "a<strong>«.x[!]»</strong>b\n\na<strong>x.»</strong>b\n"
    )
