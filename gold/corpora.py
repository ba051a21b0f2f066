"""Corpora of pages with gold, in every known format, recognised by the files in the folder.

A page that cannot be used has an error message; it never prevents reading the corpus.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..errors import CorpusUnreadable
from .entries import gold_page, unusable
from .forms import (
    CLEANEVAL_FOLDERS,
    article_benchmark_pages,
    cleaneval_folders,
    cleaneval_pages,
    has_pairs,
    pair_pages,
    trafilatura_home,
    trafilatura_pages,
    wcxb_pages,
    wcxb_roots,
)
from .labelled import annotated_pages, has_annotations
from .pages import GoldPage


class Form(NamedTuple):
    """A format of corpora: its test, its reader, and its description."""

    name: str
    fits: Callable[[Path], bool]
    read: Callable[[Path], Iterator[GoldPage]]
    description: str


def read_corpus(folder: str | os.PathLike[str], sites: Mapping[str, str] | None = None) -> list[GoldPage]:
    """Read a corpus, or a label file of an annotation session, in any known format.

    Pages are in the corpus' order, and unusable ones have an ``error``. ``sites`` gives the split of each site
    (:func:`~blocksight.gold.split.read_sites`) and overrides the corpus. Raises CorpusUnreadable if no format fits.
    """
    folder = Path(folder).resolve()
    forms = FORMS if folder.is_dir() else [form for form in FORMS if form.read is annotated_pages]
    form = next((form for form in forms if form.fits(folder)), None)
    if form is None:
        known = "\n".join(f"  {form.name}: {form.description}" for form in FORMS)
        what = "has no corpus in a known format" if folder.is_dir() else "is not a folder"
        raise CorpusUnreadable(f"{folder} {what}; known formats:\n{known}")
    try:
        pages = _with_unique_ids([_checked(page) for page in form.read(folder)])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise CorpusUnreadable(f"{folder}: the gold of {form.name} cannot be read: {error}") from error
    return [replace(page, split=(sites or {}).get(page.site, page.split)) for page in pages]


def _checked(page: GoldPage) -> GoldPage:
    if page.error:
        return page
    try:
        there = page.path.is_file()
    except OSError as error:  # an invalid file name
        return replace(page, error=f"its file cannot be found: {error.strerror}")
    if not there:
        return replace(page, error=f"there is no file {page.path.name}")
    return page if page.has_gold else replace(page, error="the corpus has no gold for this page")


def _with_unique_ids(pages: list[GoldPage]) -> list[GoldPage]:
    """Return the pages with unique ids; later pages of the same id get an error."""
    seen: Counter[str] = Counter()
    unique = []
    for page in pages:
        seen[page.id] += 1
        again = seen[page.id] > 1
        unique.append(
            replace(page, id=f"{page.id} ({seen[page.id]})", error="the name is not unique") if again else page
        )
    return unique


def _own_pages(folder: Path) -> Iterator[GoldPage]:
    with (folder / "gold.jsonl").open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _own_page(folder, number, line)


def _own_page(folder: Path, number: int, line: bytes) -> GoldPage:
    try:
        entry = json.loads(line)
        identity = str(entry["id"])
        path = folder / (entry["path"] if entry.get("url_path") else f"pages/{identity}.html")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return unusable(folder, f"line {number}", folder / "gold.jsonl", error)
    return gold_page(folder, identity, path, entry)


#: Tried in this order.
FORMS: tuple[Form, ...] = (
    Form(
        "blocksight's folder",
        lambda folder: (folder / "gold.jsonl").is_file(),
        _own_pages,
        'gold.jsonl, one object a line with "id" and "gold_text" (or "must_have" and "must_not"), and pages/ID.html',
    ),
    Form(
        "CleanEval",
        lambda folder: cleaneval_folders(folder) is not None,
        cleaneval_pages,
        "originals and cleaned texts in two folders: "
        + ", ".join(f"{one}/ and {two}/" for one, two in CLEANEVAL_FOLDERS[:2]),
    ),
    Form(
        "article-extraction-benchmark",
        lambda folder: (folder / "ground-truth.json").is_file(),
        article_benchmark_pages,
        "ground-truth.json and html/ID.html.gz",
    ),
    Form(
        "trafilatura's evaluation",
        lambda folder: trafilatura_home(folder) is not None,
        trafilatura_pages,
        "evaldata.json (in the folder or its tests/), with cache/ and eval/ in the same folder",
    ),
    Form(
        "WCXB",
        lambda folder: bool(wcxb_roots(folder)),
        wcxb_pages,
        "ground-truth/ID.json and html/ID.html.gz, in the folder or its dev/ and test/",
    ),
    Form(
        "an inspection",
        has_annotations,
        annotated_pages,
        "what `blocksight inspect -o FOLDER` keeps: labels/WHO.jsonl and pages/ID.page",
    ),
    Form("pairs", has_pairs, pair_pages, "NAME.html with NAME.txt in the same folder"),
)
