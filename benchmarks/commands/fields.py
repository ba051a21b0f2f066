"""Accuracy of structure and metadata, next to other programs."""

from __future__ import annotations

import gzip
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import blocksight as bs
import click
import orjson
import pandas as pd
from blocksight.classify.systems import system_named
from blocksight.compare.evaluate import EvaluationConfig, evaluate
from blocksight.compare.measures.measures import MEASURES
from blocksight.document.metadata.authors import names_in
from blocksight.document.metadata.dates import iso_date
from blocksight.page.parse import decode
from common import FILE, List, corpora_argument, limit_option, split_option, table_head, table_row, timed

# -- structure --------------------------------------------------------------------------------------------------------

SYSTEMS = ("blocksight", "blocksight-dom", "trafilatura", "readability-lxml", "markdownify")
STRUCTURE_MEASURES = tuple(measure for measure in MEASURES if measure.needs in ("structure", "fields"))


def fact_corpus(corpus: Path, facts: Path, folder: Path) -> Path:
    """Write a corpus of the pages of another one that a file has facts about; return its folder."""
    lines = [orjson.loads(line) for line in facts.read_bytes().splitlines()]
    entries = {entry["id"]: entry for entry in map(orjson.loads, (corpus / "gold.jsonl").read_bytes().splitlines())}
    chosen = [entries[line["id"]] | line for line in lines if line["corpus"] == corpus.name]
    out = folder / corpus.name
    out.mkdir(parents=True)
    (out / "gold.jsonl").write_bytes(b"".join(orjson.dumps(entry) + b"\n" for entry in chosen))
    (out / "pages").symlink_to((corpus / "pages").resolve())
    return out


def print_structure(rows: pd.DataFrame) -> None:
    """Print a row for each measure: precision and recall, or the exact share, of each system."""
    names = list(dict.fromkeys(rows["system"]))
    table_head("", "facts", *names)
    for measure in STRUCTURE_MEASURES:
        if measure.main not in rows:
            continue
        known = rows.dropna(subset=list(measure.figures))
        cells, facts = [], 0
        for name in names:
            figures = known[known["system"] == name][list(measure.figures)].to_numpy()
            if not len(figures):
                cells.append("")
            elif measure.needs == "fields":
                cells.append(f"{figures.mean():.3f}")
                facts = len(figures)
            else:
                right, wrong, missed = figures.sum(axis=0)
                facts = int(right + missed)
                cells.append(f"{right / max(right + wrong, 1):.3f} / {right / max(right + missed, 1):.3f}")
        if facts:
            table_row(measure.name, facts, *cells)


@click.command()
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@corpora_argument
@click.option("--facts", type=FILE, help="Measure only the pages of this file, by its facts.")
@limit_option
@split_option
@click.option("--on", "source", default="raw", type=click.Choice(("raw", "rendered")))
@click.option("--systems", type=List(str), default=",".join(SYSTEMS), show_default=True)
def structure(
    out: Path, corpora: tuple[Path, ...], facts: Path | None, limit: int | None, split: str, source: str,
    systems: list[str],
) -> None:  # fmt: skip
    """Measure structure and metadata by precision and recall; OUT gets the results of each corpus.

    The gold is that of the corpora (docs/corpora.md: gold_markdown, gold_html, gold_xpath, gold_structure), or that of
    --facts: benchmarks/facts.jsonl holds facts about 30 pages of two public corpora, written by hand: names of picture
    files, sizes of tables, title, authors, date; none of their text.
    """
    results = []
    with tempfile.TemporaryDirectory() as temporary:
        for corpus in corpora:
            config = EvaluationConfig(
                corpus=fact_corpus(corpus, facts, Path(temporary)) if facts else corpus,
                out=out / corpus.name, systems=tuple(map(system_named, systems)), measures=STRUCTURE_MEASURES,
                inputs=(source,), limit=limit, split=split,
            )  # fmt: skip
            results.append(evaluate(config))
    rows = pd.concat(results)
    print_structure(rows[rows["system"] != "everything"])


# -- metadata ---------------------------------------------------------------------------------------------------------

Fields = dict[str, str]
FIELDS = ("title", "author", "date")


def by_blocksight(html: str, url: str) -> Fields:
    """Return title, author and date by blocksight."""
    metadata = bs.metadata(bs.parse(html, url=url))
    return {"title": metadata.title, "author": "; ".join(metadata.authors), "date": metadata.published[:10]}


def by_trafilatura(html: str, url: str) -> Fields:
    """Return them by trafilatura."""
    from trafilatura import bare_extraction

    doc = bare_extraction(html, url=url, with_metadata=True)
    if doc is None or isinstance(doc, dict):
        return dict.fromkeys(FIELDS, "")
    return {"title": doc.title or "", "author": doc.author or "", "date": doc.date or ""}


def by_htmldate(html: str, url: str) -> Fields:
    """Return the date of publication by htmldate."""
    from htmldate import find_date

    return {"date": find_date(html, url=url, original_date=True) or ""}


READERS: dict[str, Callable[[str, str], Fields]] = {
    "blocksight": by_blocksight, "trafilatura": by_trafilatura, "htmldate": by_htmldate,
}  # fmt: skip


def gold_fields(entry: dict[str, Any]) -> Fields:
    """Return the fields of a gold entry."""
    author = str(entry.get("author") or "") if entry.get("author_in_page", True) else ""
    date = iso_date(str(entry.get("date") or ""), str(entry.get("lang") or ""))[:10]
    return {"title": str(entry.get("title") or ""), "author": author, "date": date}


def key(field: str, value: str) -> object:
    """Return what has to be equal."""
    if field == "author":
        return frozenset(" ".join(name.casefold().split()) for name in names_in(value))
    return " ".join(value.casefold().split())


def count_fields(folder: Path, limit: int | None, *, wrong: bool) -> tuple[Counter[tuple[str, str, str]], Fields]:
    """Count exact, other and missing values of each program and field; also return the CPU seconds of each program."""
    counts: Counter[tuple[str, str, str]] = Counter()
    seconds = dict.fromkeys(READERS, 0.0)
    for line in (folder / "gold.jsonl").read_bytes().splitlines()[:limit]:
        entry = orjson.loads(line)
        path = folder / (entry.get("path") or f"pages/{entry['id']}.html")
        data = path.read_bytes() if path.exists() else gzip.decompress(Path(f"{path}.gz").read_bytes())
        html, gold = decode(data), gold_fields(entry)
        url = entry.get("url") or "https://example.org/page.html"
        for name, read in READERS.items():
            try:
                took, fields = timed(partial(read, html, url))
                seconds[name] += took
            except Exception as error:
                print(f"{name} failed on {entry['id']}: {error}", file=sys.stderr)
                fields = dict.fromkeys(FIELDS, "")
            for field in FIELDS:
                if gold[field] and field in fields:
                    exact = key(field, fields[field]) == key(field, gold[field])
                    counts[name, field, "exact" if exact else "other" if fields[field] else "none"] += 1
                    if wrong and not exact and name == "blocksight":
                        print(f"{entry['id']} {field}: {fields[field]!r}, gold {gold[field]!r}", file=sys.stderr)
    return counts, {name: f"{took:.0f}" for name, took in seconds.items()}


@click.command()
@corpora_argument
@limit_option
@click.option("--wrong", is_flag=True, help="Print the values of blocksight that are not exact.")
def metadata(corpora: tuple[Path, ...], limit: int | None, wrong: bool) -> None:
    """Measure how often title, author and date of raw HTML are exact: blocksight, trafilatura and htmldate.

    CORPUS is a folder with gold.jsonl whose lines have title, author and date, and the page at path (by default
    pages/ID.html). A title is exact up to white space and case, authors if they are the same names, a date if it is the
    same day. Printed are the shares of exact, other and missing values over the pages with a gold value. Authors do not
    count on pages that do not show them (author_in_page).
    """
    table_head("corpus", "field", "pages", "system", "exact", "other", "none")
    for folder in corpora:
        counts, seconds = count_fields(folder, limit, wrong=wrong)
        for field in FIELDS:
            for name in READERS:
                values = [counts[name, field, result] for result in ("exact", "other", "none")]
                if total := sum(values):
                    table_row(folder.name, field, total, name, *(f"{value / total:.3f}" for value in values))
        took = ", ".join(f"{name} {value}" for name, value in seconds.items())
        print(f"{folder.name}: CPU seconds {took}", file=sys.stderr)
