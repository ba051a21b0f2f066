"""The rules of the choice, each switched off by itself, and pages whose parts contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.classify.choose import RULES, Evidence, chosen
from blocksight.classify.systems.blocksight import Blocksight
from blocksight.compare.measures.measures import difference, word_bag
from blocksight.gold.pages import GoldPage, sample
from blocksight.page.arrays import Marks
from common import (
    corpora_argument,
    limit_option,
    open_pages,
    rendered_option,
    skip,
    split_option,
    table_head,
    table_row,
    text_golds,
)

#: A smaller difference of a page does not count as one.
LEAST = 0.001
#: Least share of the text of a record that is in the text of the document.
IN_TEXT = 0.5


def _golds(corpora: Sequence[Path], split: str, limit: int | None) -> list[GoldPage]:
    golds = [gold for corpus in corpora for gold in sample(text_golds(corpus, split), limit)]
    if not golds:
        skip(f"no page of the split {split} with a gold text")
    return golds


@click.command()
@corpora_argument
@limit_option
@split_option
@rendered_option
def rules(corpora: tuple[Path, ...], limit: int | None, split: str, rendered: Path | None) -> None:
    """Switch off each rule of classify/choose.py by itself: what F1 loses, with 95 % intervals over sites.

    A rule stays if its interval is above 0 on pages that did not choose it, or if it keeps a promise.
    """
    sites, scores = [], list[list[float]]()
    for gold, page in open_pages(_golds(corpora, split, limit), rendered):
        evidence = Blocksight().evidence(page)
        if evidence is not None:
            sites.append(gold.site)
            scores.append(_scores(evidence, gold))
    table = np.asarray(scores)
    table_head(f"rule ({len(table)} pages, {len(set(sites))} sites)", "F1 by it", "95 %", "better", "worse", "promise")
    for number, rule in enumerate(RULES, 1):
        gains = table[:, 0] - table[:, number]
        mean, low, high = difference(table[:, :1], table[:, number : number + 1], groups=sites)
        better, worse = int((gains > LEAST).sum()), int((gains < -LEAST).sum())
        table_row(rule.name, f"{mean:+.4f}", f"[{low:+.4f}, {high:+.4f}]", better, worse, rule.promise)
    table_row("all", f"{(table[:, 0] - table[:, -1]).mean():+.4f}", "", "", "", "")


def _scores(evidence: Evidence, gold: GoldPage) -> list[float]:
    """Return the F1 with all rules, without each of them, and without any."""
    sets = [RULES, *(tuple(other for other in RULES if other is not rule) for rule in RULES), ()]
    known: dict[bytes, float] = {}
    f1 = []
    for some in sets:
        marks = chosen(evidence, some)[0]
        key = marks.tobytes()
        if key not in known:
            known[key] = max(word_bag(_text(evidence.page, marks), text).f1 for text in gold.texts)
        f1.append(known[key])
    return f1


def _text(page: bs.Page, marks: Marks) -> str:
    return "\n".join(text for text, mark in zip(page.leaf_texts, marks.tolist(), strict=True) if mark)


@click.command()
@corpora_argument
@limit_option
@split_option
@rendered_option
@click.option("--names", is_flag=True, help="Name each page with its contradictions.")
def contradictions(
    corpora: tuple[Path, ...], limit: int | None, split: str, rendered: Path | None, *, names: bool
) -> None:
    """Count the pages on which text, records, metadata, type and verdict contradict each other."""
    counts, pages = dict[str, int](), 0
    for gold, page in open_pages(_golds(corpora, split, limit), rendered):
        found = sorted(set(contradicting(bs.extract(page))))
        pages += 1
        counts["pages with any"] = counts.get("pages with any", 0) + bool(found)
        for kind in found:
            counts[kind] = counts.get(kind, 0) + 1
        if names and found:
            click.echo(f"{gold.name}: {'; '.join(found)}")
    table_head("contradiction", f"of {pages} pages", "share")
    for kind, count in counts.items():
        table_row(kind, count, f"{count / max(pages, 1):.3f}")


def contradicting(document: bs.Document) -> Iterator[str]:
    """Yield what contradicts itself in a document."""
    main = next((one for one in document.records if one.kind == "main"), None)
    records = [] if main is None else list(main.records)
    text = _letters(document.text)
    titled = main is not None and main.record_type != "post"  # all posts may have the title of their thread
    if any(not _is_in(record.fields, text, titled=titled) for record in records):
        yield "a main record is not in the text"
    linked = sum("link" in record.fields for record in records)
    is_links = main is not None and main.record_type != "post" and len(records) > 1 and linked * 2 >= len(records)
    content = document.verdict in ("index", "content", "thin")
    if content and (document.verdict == "index") != is_links and (is_links or document.verdict == "index"):
        yield "verdict and main set of links"
    kind = "" if document.page_type is None else document.page_type.name
    if (main is not None and main.record_type == "post") and kind != "thread":
        yield "posts on a page of another type"
    if is_links and kind in ("article", "thread", "product", "none"):
        yield "links on a page of one text"
    if not records and kind in ("listing", "collection") and document.text:
        yield "a list without records"
    cards = [record for some in document.records if some.record_type not in ("post", "link") for record in some.records]
    several = [record for record in cards if len(cards) > 1]
    visible = ("markup", "text", "role")
    sources = document.metadata.sources
    if sources.get("title") in visible and document.title in {record.fields.get("title") for record in several}:
        yield "the title is that of a card"
    names = {record.fields.get("author", "").casefold() for record in several} - {""}
    if sources.get("authors") in visible and names & {name.casefold() for name in document.metadata.authors}:
        yield "the author is that of a card or comment"


def _is_in(fields: dict[str, str], text: str, *, titled: bool) -> bool:
    """Return whether the title, or most of the text of a record without one, is in a text."""
    if titled and "title" in fields:
        return _letters(fields["title"]) in text
    lines = [line for line in map(_letters, fields.get("text", "").split("\n")) if line]
    return sum(len(line) for line in lines if line in text) >= IN_TEXT * sum(map(len, lines))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))
