"""Corpora of pages with gold, in every known format, recognised by the files in the folder.

A page that cannot be used has an error message; it never prevents reading the corpus.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..errors import CorpusUnreadable
from .entries import gold_page, unusable
from .labelled import annotated_pages, has_annotations
from .pages import GoldPage

#: Names of the folders of originals and cleaned texts, as CleanEval and CleanPortalEval are distributed.
CLEANEVAL_FOLDERS = (
    ("orig", "clean"),
    ("input", "GoldStandard"),
    ("en_original", "en_cleaned"),
    ("original", "cleaned"),
)

_ADDRESS = re.compile(r"\A\s*URL:?\s*(\S+)[^\n]*\n?")
_MARK = re.compile(r"<[phl]>", re.IGNORECASE)
_ENDINGS = (".html", ".htm", ".html.gz", ".htm.gz", ".xhtml")


def cleaneval_folders(folder: Path) -> tuple[Path, Path] | None:
    """Return the folders of originals and of cleaned texts, None if there are none."""
    both = ((folder / one, folder / other) for one, other in CLEANEVAL_FOLDERS)
    return next((pair for pair in both if pair[0].is_dir() and pair[1].is_dir()), None)


def cleaneval_pages(folder: Path) -> Iterator[GoldPage]:
    """Yield the pages of CleanEval and CleanPortalEval."""
    originals, cleaned = cleaneval_folders(folder) or (folder, folder)
    for path in _html_files(originals):
        texts = [cleaned / f"{_stem(path)}{ending}.txt" for ending in ("", "-cleaned")]
        yield _marked_page(folder, path, next((text for text in texts if text.is_file()), None))


def _marked_page(folder: Path, path: Path, text: Path | None) -> GoldPage:
    """Return a page whose gold is a text file, with or without CleanEval's marks."""
    page = gold_page(folder, _stem(path), path, {})
    if text is None:
        return page
    marked = text.read_text(encoding="utf-8", errors="replace")
    address = _ADDRESS.match(marked)
    marked = _ADDRESS.sub("", marked)
    plain = "\n".join(line.strip() for line in _MARK.sub("\n", marked).splitlines() if line.strip())
    return replace(page, texts=(plain,), url=address[1] if address else None)


def article_benchmark_pages(folder: Path) -> Iterator[GoldPage]:
    """Yield the pages of the article-extraction-benchmark."""
    entries = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    for identity, entry in entries.items():
        gold = {"gold_text": entry.get("articleBody", ""), "url": entry.get("url")}
        gold |= {"must_have": entry.get("with"), "must_not": entry.get("without")}
        yield gold_page(folder, identity, folder / "html" / f"{identity}.html.gz", gold)


def trafilatura_home(folder: Path) -> Path | None:
    """Return the data folder of trafilatura's evaluation, None if there is none."""
    return next((home for home in (folder, folder / "tests") if (home / "evaldata.json").is_file()), None)


def trafilatura_pages(folder: Path) -> Iterator[GoldPage]:
    """Yield the pages of trafilatura's evaluation."""
    home = trafilatura_home(folder) or folder
    entries = json.loads((home / "evaldata.json").read_text(encoding="utf-8"))
    for url, entry in entries.items():
        name = entry.get("file") or ""
        paths = [home / folder_name / name for folder_name in ("cache", "eval")] if name else [home / "cache" / "none"]
        path = next((page for page in paths if page.is_file()), paths[0])
        gold = {"url": url, "must_have": entry.get("with"), "must_not": entry.get("without")}
        yield gold_page(folder, name.removesuffix(".html") or url, path, gold)


def wcxb_roots(folder: Path) -> list[Path]:
    """Return the folders with pages of WCXB."""
    roots = [folder, *(folder / split for split in ("dev", "test"))]
    return [root for root in roots if (root / "ground-truth").is_dir() and (root / "html").is_dir()]


def wcxb_pages(folder: Path) -> Iterator[GoldPage]:
    """Yield the pages of WCXB."""
    for root in wcxb_roots(folder):
        for path in sorted((root / "ground-truth").glob("*.json")):
            try:
                yield _wcxb_page(folder, root, path)
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                yield unusable(folder, path.stem, path, error)


def _wcxb_page(folder: Path, root: Path, path: Path) -> GoldPage:
    entry = json.loads(path.read_text(encoding="utf-8"))
    truth = entry["ground_truth"]
    gold = {
        "gold_text": truth["main_content"],
        "must_have": truth.get("with"),
        "must_not": truth.get("without"),
        "url": entry.get("url"),
        "kind": (entry.get("_internal") or {}).get("page_type", {}).get("primary"),
        "encoding": "utf-8",
    }
    identity = path.stem if root == folder else f"{root.name}-{path.stem}"
    return gold_page(folder, identity, root / "html" / f"{path.stem}.html.gz", gold)


def has_pairs(folder: Path) -> bool:
    """Return whether some page in the folder has a text file of the same name."""
    return any(_text_beside(path).is_file() for path in _html_files(folder))


def pair_pages(folder: Path) -> Iterator[GoldPage]:
    """Yield the pages of a folder with their text files of the same name as gold."""
    for path in _html_files(folder):
        text = _text_beside(path)
        yield _marked_page(folder, path, text if text.is_file() else None)


def _text_beside(path: Path) -> Path:
    return path.with_name(f"{_stem(path)}.txt")


def _html_files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name.lower().endswith(_ENDINGS))


def _stem(path: Path) -> str:
    ending = next((suffix for suffix in _ENDINGS[::-1] if path.name.lower().endswith(suffix)), "")
    return path.name[: len(path.name) - len(ending)]


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
