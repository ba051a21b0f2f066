"""How the price of a page grows with its size, stage by stage, on pages that are made to be slow.

    python benchmarks/growth.py [KIND ...] [--rendered] [--sizes N ...] [--most SECONDS]

Each kind of page is made in growing sizes and read without a browser, or rendered. Printed are the CPU seconds of each
stage at the largest size, and the exponent: the slope of log cost over log size between the last two sizes, 1 for
linear. A stage that takes less than a tenth of a second says nothing and is left out of the verdict; the exit code is 1
where one grows faster than size to the power of 1.35.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TypeVar

import blocksight as bs
import numpy as np
from blocksight.classify.model.model import shipped_model
from blocksight.classify.model.selection import fill_gaps, select_content
from blocksight.document.content.clean_html import clean_markup
from blocksight.document.content.keep_elements import kept_elements
from blocksight.document.content.markdown import to_markdown
from blocksight.document.content.paragraphs import paragraphs_of
from blocksight.document.content.plain_text import plain_text
from blocksight.document.metadata.title import title_of
from blocksight.features.block_table import measure
from blocksight.page.overlays import find_overlays
from blocksight.page.store import dumps, loads
from blocksight.page.tables import html_tables
from blocksight.page.to_html import to_html
from blocksight.page.visibility import invisible_leaves
from blocksight.render.visibility.backgrounds import visible_boxes
from blocksight.segment.lines import number_lines
from blocksight.segment.order import reading_order
from blocksight.segment.outlines import outline_measures
from blocksight.segment.semantic import semantic_blocks
from blocksight.segment.targets import target_nodes
from lxml import etree

T = TypeVar("T")
#: Growing faster than this is no longer taken for linear: caches and the last step's noise cost some.
STEEP = 1.35
#: Seconds below which a stage is not judged.
NOTHING = 0.1


def many(piece: str, count: int) -> str:
    """Return a piece again and again, its number in place of #."""
    return "".join(piece.replace("#", str(number)) for number in range(count))


def article(inner: str) -> str:
    """Return a page with something between two paragraphs that are content."""
    words = "Some words that stand in a row and say that this here is the text of a page, not a menu. " * 4
    return f"<!doctype html><html><head><title>t</title></head><body><p>{words}</p>{inner}<p>{words}</p></body></html>"


#: A page of a kind, about so many pieces large.
KINDS: dict[str, Callable[[int], str]] = {
    "attributes of one tag": lambda n: article(f"<p {many(' a#=x', n)}>Some words.</p>"),
    "attributes of many tags": lambda n: article(many("<p a=1 b=2 c=3 d=4 e=5 f=6 g=7 h=8 i=9 j=#>word</p>", n // 10)),
    "attribute names": lambda n: article(many("<p a#=1>word</p>", n)),
    "one long attribute": lambda n: article(f"<p title='{'word ' * n}'>Some words.</p>"),
    "classes": lambda n: article(f"<p class='{many('c# ', n)}'>Some words.</p>"),
    "styles": lambda n: article(many("<p style='color: red; display: block; width: #px'>word</p>", n)),
    "short paragraphs": lambda n: article(many("<p>One line of some words.</p>", n)),
    "same paragraphs": lambda n: article("<p>word</p>" * n),
    "long paragraphs": lambda n: article(many(f"<p># {'word ' * 50}</p>", n // 50)),
    "breaks": lambda n: article("<br>" * n),
    "lines": lambda n: article("line of words<br>" * n),
    "double breaks": lambda n: article("words<br><br>" * n),
    "rules": lambda n: article("<p>words</p><hr>" * n),
    "square table": lambda n: article(f"<table>{('<tr>' + '<td>word</td>' * int(n**0.5) + '</tr>') * int(n**0.5)}"),
    "long table": lambda n: article(f"<table>{'<tr><td>word</td><td>word</td></tr>' * (n // 2)}"),
    "wide table": lambda n: article(f"<table>{('<tr>' + '<td>word</td>' * (n // 2) + '</tr>') * 2}"),
    "empty cells": lambda n: article(f"<table><tr><td>a<td>b<tr><td>c<td>d<tr>{'<td></td>' * n}</table>"),
    "spans": lambda n: article(f"<table>{'<tr><td colspan=1000 rowspan=1000>word</td><td>word</td></tr>' * n}</table>"),
    "tables": lambda n: article("<table><tr><td>a<td>b<tr><td>c<td>d</table>" * (n // 4)),
    "title": lambda n: f"<title>{'word ' * n}</title>" + article("words"),
    "title of parts": lambda n: f"<title>{'word | ' * n}</title>" + article("words"),
    "title of blanks": lambda n: f"<title>a{' ' * 5 * n}b</title>" + article("words"),
    "many headings": lambda n: article(many("<h2>Heading #</h2><p>words</p>", n)),
    "long heading": lambda n: article(f"<h1>{'word ' * n}</h1>"),
    "metas": lambda n: many("<meta name=a# content=b>", n) + article("words"),
    "deep": lambda n: article(f"{'<div>' * min(n, 500)}words{'</div>' * min(n, 500)}" * max(n // 500, 1)),
    "deep inlines": lambda n: article(f"<p>{'<b><i>' * min(n, 200)}words{'</i></b>' * min(n, 200)}" * max(n // 200, 1)),
    "deep lists": lambda n: article(("<ul><li>x" * min(n, 200) + "</li></ul>" * min(n, 200)) * max(n // 200, 1)),
    "deep quotes": lambda n: article(
        ("<blockquote><p>words</p>" * min(n, 200) + "</blockquote>" * min(n, 200)) * max(n // 200, 1)
    ),
    "links": lambda n: article(many("<a href='/page/#'>link</a> ", n)),
    "links in paragraphs": lambda n: article(many("<p>some <a href='/page/#'>link</a> more</p>", n)),
    "bold words": lambda n: article(f"<p>{'<b>bold</b> words ' * n}</p>"),
    "list items": lambda n: article(f"<ul>{'<li>some words</li>' * n}</ul>"),
    "numbered items": lambda n: article(f"<ol>{'<li>some words</li>' * n}</ol>"),
    "lists": lambda n: article("<ul><li>some words</li><li>more</li></ul>" * n),
    "numbered lists": lambda n: article("<ol><li></li><li>some words</li></ol>" * n),
    "list of empty items": lambda n: article(f"<ol>{'<li></li><li>words</li>' * n}</ol>"),
    "definitions": lambda n: article(f"<dl>{'<dt>word<dd>some words' * n}</dl>"),
    "code blocks": lambda n: article("<pre><code>x = 1\ny</code></pre>" * n),
    "code lines": lambda n: article("<pre>" + "<span>x</span> = 1\n" * n + "</pre>"),
    "one long text": lambda n: article(f"<p>{'word ' * n * 10}</p>"),
    "one long word": lambda n: article(f"<p>{'w' * 50 * n}</p>"),
    "one long blank": lambda n: article(f"<p>a{' ' * 50 * n}b</p>"),
    "one text of brackets": lambda n: article(f"<p>{'[](<*_`&|' * n}</p>"),
    "brackets": lambda n: article(f"<p>{'[' * n}</p><p>{'_' * n}</p><p>{'*' * n}</p><p>{'`' * n}</p><p>{'#' * n}</p>"),
    "signs in bold": lambda n: article(f"<p>a<b>{'.' * n}</b>a</p><p>a<b>{'x.' * n}</b>a</p>"),
    "backslashes": lambda n: article(f"<p>{chr(92) * n}</p>"),
    "ideographs": lambda n: article("\u6587" * n * 10),
    "ideographs and words": lambda n: article("\u6587a " * n * 3),
    "digits and dots": lambda n: article(f"<p>{'1.' * n}</p>"),
    "sentences": lambda n: article(f"<p>{'Yes. ' * n}</p>"),
    "comments": lambda n: article("words<!-- x -->" * n),
    "entities": lambda n: article(f"<p>{'&amp;' * n}</p>"),
    "empty elements": lambda n: article("<div></div>" * n),
    "images": lambda n: article(many("<img src=# alt='some words'>", n)),
    "figures": lambda n: article("<figure><img src=a><figcaption>words of it</figcaption></figure>" * n),
    "frames": lambda n: article("<iframe src=a></iframe>" * n),
    "noscript": lambda n: article("<noscript><p>words</p></noscript>" * n),
    "hidden": lambda n: article("<p hidden>words</p>" * n),
    "forms": lambda n: article("<label>word<input type=text></label><select><option>a<option>b</select>" * n),
    "sections": lambda n: article("<section><h2>Head</h2><div><p>Some words of it.</p></div></section>" * n),
    "unclosed": lambda n: article("<b>words" * min(n, 200)),
    "copyright": lambda n: article(f"<p>{'© Copyright 2020 all rights reserved ' * n}</p>"),
    "base and links": lambda n: f"<base href='http://a.example/{'x/' * 100}'>" + article("<a href='../b'>c</a> " * n),
}

#: Those that only a rendering makes slow.
LAID_OUT: dict[str, Callable[[int], str]] = {
    "faint": lambda n: article("<p style='opacity:.9'>words</p>" * n),
    "faint in faint": lambda n: article(("<div style='opacity:.99'>" * 400 + "words" + "</div>" * 400) * (n // 400)),
    "clips": lambda n: article("<div style='overflow:hidden'><p>words</p></div>" * n),
    "clips in clips": lambda n: article(
        ("<div style='overflow:hidden'>" * 400 + "words" + "</div>" * 400) * (n // 400)
    ),
    "clips of lifted": lambda n: article(
        "<div style='overflow:hidden'>" * 100 + many("<p style='position:absolute;top:#px'>words</p>", n)
    ),
    "lifted": lambda n: article(many("<p style='position:absolute;top:#px'>words</p>", n)),
    "fixed": lambda n: article(many("<p style='position:fixed;background:red;top:#px'>words</p>", n)),
    "sticky": lambda n: article(many("<p style='position:sticky;background:red;top:0'>words</p>", n)),
    "fixed with parts": lambda n: article(
        "<div style='position:fixed;inset:0'>" + "<p style='background:red'>words</p>" * n + "</div>"
    ),
    "floats": lambda n: article("<div style='float:left;width:20%'>words</div>" * n),
    "one line of words": lambda n: article("<p style='white-space:nowrap'>" + "<span>words</span> " * n),
    "one place": lambda n: article("<div style='position:absolute;top:0'>words</div>" * n),
    "grid": lambda n: article("<div style='display:grid;grid-template-columns:repeat(30,1fr)'>" + "<b>w</b>" * n),
    "columns": lambda n: article("<div style='columns:5'>" + "<p>some words that stand in columns</p>" * n),
    "painted": lambda n: article(many("<p style='background:rgb(#,9,9)'>words</p>", n)),
    "growing gaps": lambda n: article(many("<p style='margin-top:calc(#px/4)'>words</p>", n)),
    "shrinking type": lambda n: article(many("<p style='font-size:calc(60px - #px/400)'>words</p>", n)),
    "falling boxes": lambda n: article(many("<p style='margin-left:#px;width:50px'>words</p>", n)),
    "rule after rule": lambda n: article("<div><p>words</p><hr></div>" * n),
    "bordered": lambda n: article("<div style='border:1px solid'><div style='padding:5px'>words</div></div>" * n),
}


class Watch:
    """CPU seconds by stage."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def run(self, stage: str, step: Callable[[], T]) -> T:
        """Run a step and note what it took."""
        gc.collect()
        began = time.process_time()
        made = step()
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.process_time() - began
        return made


def costs(html: str) -> dict[str, float]:
    """Return the CPU seconds of each stage from raw HTML to Markdown."""
    watch = Watch()
    page = watch.run("parse", lambda: bs.parse(html, url="http://a.example/page"))
    watch.run("leaves", lambda: (page.leaves, page.leaf_texts, page.hidden, page.leaf_range, page.depth))
    watch.run("blocks", lambda: bs.text_blocks(page))
    watch.run("title", lambda: title_of(page))
    watch.run("markup", lambda: to_html(page))
    model = shipped_model(visual=False)
    table = watch.run("features", lambda: model.measure(page))
    if not len(table):
        return watch.seconds
    scores = watch.run("scores", lambda: model.scores(table))
    unseen = table.rows.summed((~invisible_leaves(page)).astype(np.float64)) == 0
    watch.run(
        "choice", lambda: fill_gaps(table.rows, select_content(table.rows, scores, model.calibration, unseen).rows)
    )
    marks = np.ones(len(page.leaves), dtype=bool)  # all of it is to be written: the dearest case
    kept = watch.run("structure", lambda: kept_elements(page, marks))
    found = watch.run("passages", lambda: paragraphs_of(page, marks, kept))
    root = watch.run("tree", lambda: clean_markup(page, kept, found))
    watch.run("text", lambda: plain_text(root))
    written = watch.run("html", lambda: "".join(etree.tostring(one, encoding="unicode") for one in root))
    watch.run("markdown", lambda: to_markdown(written))
    watch.run("extract", lambda: bs.extract(page).markdown)
    return watch.seconds


def rendered_costs(browser: bs.Browser, html: str) -> dict[str, float]:
    """Return the CPU seconds of this process of each stage from a rendering to blocks and Markdown."""
    watch = Watch()
    page = watch.run("render", lambda: browser.open(html.encode()))
    watch.run("overlays", lambda: find_overlays(page))
    watch.run("seen", lambda: visible_boxes(page))
    watch.run("vips", lambda: bs.vips(page))
    watch.run("targets", lambda: target_nodes(page))
    watch.run("order", lambda: reading_order(page))
    watch.run("lines", lambda: number_lines(page))
    watch.run("semantic", lambda: semantic_blocks(page))
    blocks = bs.text_blocks(page)
    watch.run("outlines", lambda: outline_measures(page, blocks.leaf_block, len(blocks)))
    model = shipped_model(visual=True)
    table = watch.run("features", lambda: model.measure(page))
    watch.run("all features", lambda: measure(page))
    if len(table):
        watch.run("scores", lambda: model.scores(table))
    watch.run("saved", lambda: loads(dumps(page)))
    watch.run("tables", lambda: html_tables(page))
    watch.run("extract", lambda: bs.extract(page).markdown)
    return watch.seconds


def line(kind: str, sizes: list[int], most: float, cost: Callable[[str], dict[str, float]]) -> tuple[str, bool]:
    """Measure a kind; return what to print and whether each stage is about linear."""
    found: list[tuple[int, dict[str, float]]] = []
    for size in sizes:
        html = (KINDS | LAID_OUT)[kind](size)
        try:
            found.append((size, cost(html)))
        except bs.PageFailed as error:
            return f"{kind:24} {size:>8} refused: {error.reason}", True
        if sum(found[-1][1].values()) > most:
            break
    size, last = found[-1]
    before = found[-2] if len(found) > 1 else (1, {})
    parts, good = [], True
    for stage, seconds in last.items():
        if seconds < NOTHING:
            continue
        slope = math.log(seconds / max(before[1].get(stage, 0.0), 1e-3)) / math.log(size / before[0])
        steep = slope > STEEP and seconds > 2 * NOTHING
        good &= not steep
        parts.append(f"{stage} {seconds:.2f} ({slope:.2f}){'!' if steep else ''}")
    return f"{kind:24} {size:>8} {sum(last.values()):7.2f} s  {', '.join(parts)}", good


def main() -> None:
    """Print one line a kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"Of: {', '.join(KINDS)}.")
    parser.add_argument("--rendered", action="store_true", help="Render the pages, and those made for it.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[3_000, 12_000, 48_000])
    parser.add_argument("--most", type=float, default=20.0, help="Seconds after which a kind grows no further.")
    wanted = parser.parse_args()
    kinds = wanted.kinds or [*KINDS, *(LAID_OUT if wanted.rendered else ())]
    all_good = True
    with ExitStack() as stack:
        cost = costs
        if wanted.rendered:
            options = bs.RenderOptions(offline=True, timeout=120.0)
            cost = partial(rendered_costs, stack.enter_context(bs.Browser(pages=1, options=options)))
        cost(article("warm"))
        for kind in kinds:
            said, good = line(kind, wanted.sizes, wanted.most, cost)
            print(said, flush=True)
            all_good &= good
    sys.exit(0 if all_good else 1)


if __name__ == "__main__":
    main()
