"""Accuracy of metadata, next to other programs."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import blocksight as bs
import click
import numpy as np
import orjson
import pandas as pd
from blocksight.lexicon.words import words
from blocksight.page.metadata.authors import names_in
from blocksight.page.metadata.dates import iso_date
from blocksight.page.parse import decode
from common import List, corpora_argument, limit_option, split_option, table_head, table_row, timed
from peer_programs import CHILDREN, Fields, child_readers, peer_options

FIELDS = ("title", "author", "date", "language")
#: Right, wrong and missed values of a page.
Counts = tuple[int, int, int]


def by_blocksight(html: str, url: str) -> Fields:
    """Return title, authors, date and language by blocksight."""
    metadata = bs.metadata(bs.parse(html, url=url))
    return {
        "title": metadata.title,
        "author": "; ".join(metadata.authors),
        "date": metadata.published[:10],
        "language": metadata.language,
    }


def by_trafilatura(html: str, url: str) -> Fields:
    """Return title, authors and date by trafilatura."""
    from trafilatura import bare_extraction

    doc = bare_extraction(html, url=url, with_metadata=True)
    if doc is None or isinstance(doc, dict):
        return dict.fromkeys(FIELDS[:3], "")
    return {"title": doc.title or "", "author": doc.author or "", "date": doc.date or ""}


def by_htmldate(html: str, url: str) -> Fields:
    """Return the date of publication by htmldate."""
    from htmldate import find_date

    return {"date": find_date(html, url=url, original_date=True) or ""}


READERS: dict[str, Callable[[str, str], Fields]] = {
    "blocksight": by_blocksight, "trafilatura": by_trafilatura, "htmldate": by_htmldate,
}  # fmt: skip


def gold_fields(entry: dict[str, Any]) -> dict[str, str | None]:
    """Return the fields of a gold entry, None where the gold does not know; a product has no author."""
    facts = entry.get("facts") or entry
    authors = facts.get("authors") or facts.get("gold_authors") or [facts.get("author") or ""]
    authors = authors[0] if isinstance(authors[0], list) else authors
    author = "; ".join(authors) if facts.get("author_in_page", True) else ""
    date = iso_date(str(facts.get("date") or facts.get("gold_date") or ""), str(entry.get("lang") or ""))[:10]
    title = str(facts.get("gold_title") or facts.get("title") or "")
    no_author = "" if entry.get("page_type") == "product" else None
    return {"title": title or None, "author": author or no_author, "date": date or None, "language": entry.get("lang")}


def compared(field: str, value: str, gold: str) -> Counts:
    """Return the right, wrong and missed values of a field."""
    if field == "author":
        names, true = ([set(words(name.casefold())) for name in names_in(text)] for text in (value, gold))
        # A part of a name is the same person: "Heidi" and "Heidi Swanson".
        right = sum(any(name <= one or one <= name for one in true) for name in names)
        missed = sum(not any(name <= one or one <= name for name in names) for one in true)
        return right, len(names) - right, missed
    if field == "language":
        value, gold = value.split("-", maxsplit=1)[0], gold.split("-", maxsplit=1)[0]
    if not value:
        return 0, 0, 1
    same = " ".join(value.casefold().split()) == " ".join(gold.casefold().split())
    return int(same), int(not same), int(not same)


def count_fields(
    folder: Path,
    split: str,
    limit: int | None,
    readers: dict[str, Callable[[str, str], Fields]],
    fields: list[str],
    *,
    wrong: bool,
) -> tuple[list[dict[str, Any]], Fields]:
    """Compare each field of each page with the gold; also return the CPU seconds of each program."""
    rows: list[dict[str, Any]] = []
    seconds = dict.fromkeys(readers, 0.0)
    lines = map(orjson.loads, (folder / "gold.jsonl").read_bytes().splitlines())
    entries = [entry for entry in lines if split in ("all", entry.get("split_safe", entry.get("split", "dev")))]
    for entry in entries[:limit]:
        path = folder / (entry.get("path") or f"pages/{entry['id']}.html")
        data = path.read_bytes() if path.exists() else gzip.decompress(Path(f"{path}.gz").read_bytes())
        html, gold = decode(data, encoding=entry.get("encoding")), gold_fields(entry)
        url = entry.get("url") or "https://example.org/page.html"
        for name, read in readers.items():
            try:
                took, values = timed(partial(read, html, url))
                seconds[name] += took
            except Exception as error:
                print(f"{name} failed on {entry['id']}: {error}", file=sys.stderr)
                values = {}
            for field in fields:
                said, known = values.get(field), gold[field]
                if said is None or known is None:
                    continue
                counts = compared(field, said, known)
                about = {"corpus": folder.name, "site": entry.get("domain") or entry.get("site"), "system": name}
                rows.append(about | {"field": field} | dict(zip(("right", "wrong", "missed"), counts, strict=True)))
                if wrong and (counts[1] or counts[2]) and name == "blocksight":
                    print(f"{folder.name}/{entry['id']} {field}: {said!r}, gold {known!r}", file=sys.stderr)
    return rows, {name: f"{took:.0f}" for name, took in seconds.items()}


def ratio_with_interval(rows: pd.DataFrame, other: str, draws: int = 1000) -> str:
    """Return right / (right + other) with its 95 % interval, by drawing sites with replacement."""
    sums = rows.groupby("site")[["right", other]].sum().to_numpy(dtype=float)
    drawn = np.random.default_rng(0).integers(0, len(sums), (draws, len(sums)))
    totals = sums[drawn].sum(axis=1)
    low, high = np.percentile(totals[:, 0] / np.maximum(totals.sum(axis=1), 1), (2.5, 97.5))
    right, against = sums.sum(axis=0)
    if not right + against:
        return "no values"
    return f"{right / max(right + against, 1):.3f} [{low:.3f}, {high:.3f}]"


@click.command()
@corpora_argument
@limit_option
@split_option
@click.option(
    "--systems", type=List(str, (*READERS, *CHILDREN)), default=",".join((*READERS, *CHILDREN)), show_default=True
)
@click.option("--fields", type=List(str, FIELDS), default=",".join(FIELDS), show_default=True)
@click.option("--wrong", is_flag=True, help="Print the values of blocksight that are not right.")
@peer_options
def metadata(
    corpora: tuple[Path, ...], limit: int | None, split: str, systems: list[str], fields: list[str], wrong: bool,
    python: str | None, peers: Path | None,
) -> None:  # fmt: skip
    """Measure title, authors, date and language of raw HTML: blocksight, trafilatura, htmldate, Defuddle, magic-html.

    CORPUS is a folder with gold.jsonl whose lines have title, author (or authors), date and lang, alone or in "facts",
    and the page at path (by default pages/ID.html). A title is right if it is equal up to white space and case, a name
    if its words are words of a gold name or the other way round, a date if it is the same day, a language if its first
    part is the same. Precision is the share of right values of those that a program has, recall of those of the gold,
    with intervals over sites. Pages without a gold value do not count; a page of the type "product" has no author.
    """
    found: list[dict[str, Any]] = []
    readers = {name: READERS[name] for name in systems if name in READERS} | child_readers(systems, python, peers)
    for folder in corpora:
        rows, seconds = count_fields(folder, split, limit, readers, fields, wrong=wrong)
        found += rows
        took = ", ".join(f"{name} {value}" for name, value in seconds.items())
        print(f"{folder.name}: CPU seconds {took}", file=sys.stderr)
    table = pd.DataFrame(found)
    every = table.assign(corpus="all") if len(corpora) > 1 else table.iloc[:0]
    table_head("corpus", "field", "pages", "system", "precision", "recall")
    for (corpus, field, system), some in pd.concat([table, every]).groupby(["corpus", "field", "system"], sort=False):
        precision, recall = ratio_with_interval(some, "wrong"), ratio_with_interval(some, "missed")
        table_row(corpus, field, len(some), system, precision, recall)
