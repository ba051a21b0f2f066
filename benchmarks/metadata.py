"""How often title, author and date of a page are exact: blocksight beside trafilatura and htmldate.

    python benchmarks/metadata.py CORPUS... [--limit N] [--wrong]

CORPUS is a folder with ``gold.jsonl`` whose lines have ``title``, ``author`` and ``date`` where the author of the page
stated them, and the page at ``path`` (by default ``pages/ID.html``). Raw HTML is read, without a browser. A title is
exact when it is the same but for white space and case, authors when they are the same names, a date when it is the
same day. Printed are, of the pages where the gold states the field: how often it is exact, how often something else is
said, and how often nothing. Pages whose gold knows that the author is not shown (``author_in_page``) do not count for
authors.
``--wrong`` prints what blocksight has not found.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import blocksight as bs
import orjson
from blocksight.document.metadata.authors import names_in
from blocksight.document.metadata.dates import iso_date
from blocksight.page.parse import decode

Said = dict[str, str]
FIELDS = ("title", "author", "date")


def by_blocksight(html: str, url: str) -> Said:
    """Read title, author and date by blocksight."""
    found = bs.metadata(bs.parse(html, url=url))
    return {"title": found.title, "author": "; ".join(found.authors), "date": found.published[:10]}


def by_trafilatura(html: str, url: str) -> Said:
    """Read them by trafilatura."""
    from trafilatura import bare_extraction

    found = bare_extraction(html, url=url, with_metadata=True)
    if found is None or isinstance(found, dict):
        return dict.fromkeys(FIELDS, "")
    return {"title": found.title or "", "author": found.author or "", "date": found.date or ""}


def by_htmldate(html: str, url: str) -> Said:
    """Read the date of publication by htmldate."""
    from htmldate import find_date

    return {"date": find_date(html, url=url, original_date=True) or ""}


SYSTEMS: dict[str, Callable[[str, str], Said]] = {
    "blocksight": by_blocksight,
    "trafilatura": by_trafilatura,
    "htmldate": by_htmldate,
}


def gold_of(line: dict[str, Any]) -> Said:
    """Return what the gold states."""
    author = str(line.get("author") or "") if line.get("author_in_page", True) else ""
    date = iso_date(str(line.get("date") or ""), str(line.get("lang") or ""))[:10]
    return {"title": str(line.get("title") or ""), "author": author, "date": date}


def key(field: str, value: str) -> object:
    """Return what has to be the same."""
    if field == "author":
        return frozenset(" ".join(name.casefold().split()) for name in names_in(value))
    return " ".join(value.casefold().split())


def measured(folder: Path, limit: int | None, *, wrong: bool) -> tuple[Counter[tuple[str, str, str]], dict[str, float]]:
    """Count for each system and field what is exact, other and missing; and the seconds of each."""
    counts: Counter[tuple[str, str, str]] = Counter()
    seconds = dict.fromkeys(SYSTEMS, 0.0)
    for text in (folder / "gold.jsonl").read_bytes().splitlines()[:limit]:
        line = orjson.loads(text)
        path = folder / (line.get("path") or f"pages/{line['id']}.html")
        data = path.read_bytes() if path.exists() else gzip.decompress(Path(f"{path}.gz").read_bytes())
        html, gold = decode(data), gold_of(line)
        url = line.get("url") or "https://example.org/page.html"
        for name, read in SYSTEMS.items():
            begun = time.process_time()
            try:
                said = read(html, url)
            except Exception as error:
                print(f"{name} failed on {line['id']}: {error}", file=sys.stderr)
                said = dict.fromkeys(FIELDS, "")
            seconds[name] += time.process_time() - begun
            for field in FIELDS:
                if gold[field] and field in said:
                    right = key(field, said[field]) == key(field, gold[field])
                    counts[name, field, "exact" if right else "other" if said[field] else "none"] += 1
                    if wrong and not right and name == "blocksight":
                        print(f"{line['id']} {field}: {said[field]!r}, gold {gold[field]!r}", file=sys.stderr)
    return counts, seconds


def main() -> None:
    """Print one line a corpus, field and system."""
    parser = argparse.ArgumentParser(description="Title, author and date, exact.")
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--wrong", action="store_true")
    given = parser.parse_args()
    print("| corpus | field | pages | system | exact | other | none |\n|---|---|---|---|---|---|---|")
    for folder in given.corpora:
        counts, seconds = measured(folder, given.limit, wrong=given.wrong)
        for field in FIELDS:
            for name in SYSTEMS:
                row = [counts[name, field, answer] for answer in ("exact", "other", "none")]
                if sum(row):
                    shares = " | ".join(f"{value / sum(row):.3f}" for value in row)
                    print(f"| {folder.name} | {field} | {sum(row)} | {name} | {shares} |")
        print(
            f"{folder.name}: CPU seconds " + ", ".join(f"{name} {took:.0f}" for name, took in seconds.items()),
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
