"""Generated pages of any size: by kinds that once were slow, and of mixed content."""

from __future__ import annotations

from collections.abc import Callable

import blocksight as bs

# -- kinds of pages that are slow -------------------------------------------------------------------------------------


def many(piece: str, count: int) -> str:
    """Return a piece ``count`` times, # replaced by its number."""
    return "".join(piece.replace("#", str(number)) for number in range(count))


def article(inner: str) -> str:
    """Return a page with HTML between two paragraphs of content."""
    words = "Some words that stand in a row and say that this here is the text of a page, not a menu. " * 4
    return f"<!doctype html><html><head><title>t</title></head><body><p>{words}</p>{inner}<p>{words}</p></body></html>"


#: Generators of a page of each kind from its number of pieces.
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

#: Kinds that are slow only when rendered.
RENDERED_KINDS: dict[str, Callable[[int], str]] = {
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


# -- pages of mixed content -------------------------------------------------------------------------------------------

#: A section of an article, with a link, a list, emphasis and a picture, and an aside with a link.
SECTION = (
    "<section class='part p{0}'><h2 id=s{0}>Part {0} of the tides</h2><p>High water number {0} at the bridge comes "
    "<em>forty minutes</em> after high water at the bar, <a href='/log/{0}'>a little later</a> after a wet spring.</p>"
    "<ul><li>Spring tide</li><li>Neap tide</li></ul><p>Skippers who trust the printed table of page {0} alone have "
    "been known to wait for it.</p><img src='/chart{0}.png' alt='Chart {0}'></section>"
    "<aside class=related><a href='/more/{0}'>More of {0}</a></aside>"
)


def mixed_page(nodes: int) -> str:
    count = max(nodes // len(bs.parse(SECTION.format(1))), 1)
    return f"<title>Tides</title><body><h1>Tides</h1>{''.join(map(SECTION.format, range(count)))}"
