"""Evaluation corpora in the forms in which they are passed around, told apart by looking at the folder.

A page that cannot be used is a case with a reason, never the end of the corpus.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ..render.errors import CorpusUnreadable
from .pages import Case, Gold

Entry = dict[str, Any]

_ADDRESS = re.compile(r"\A\s*URL:?\s*(\S+)[^\n]*\n?")
_MARK = re.compile(r"<[phl]>", re.IGNORECASE)
_PAGES = (".html", ".htm", ".html.gz", ".htm.gz", ".xhtml")
#: Names of the folders of originals and cleaned texts, as CleanEval and CleanPortalEval are distributed.
_CLEANEVAL = (
    ("orig", "clean"),
    ("input", "GoldStandard"),
    ("en_original", "en_cleaned"),
    ("original", "cleaned"),
)


class Form(NamedTuple):
    """A form in which corpora come: what to look for, how to read it, and what it looks like in words."""

    name: str
    fits: Callable[[Path], bool]
    read: Callable[[Path], Iterator[Case]]
    looks: str


def read_cases(folder: Path, sites: Mapping[str, str] | None = None) -> list[Case]:
    """Read a corpus in whatever form it is in.

    Parameters
    ----------
    folder : Path
    sites : mapping, optional
        The split of each site (:func:`~blocksight.classify.corpora.read_sites`), for corpora that do not say.

    Returns
    -------
    list of Case
        In the corpus' order; those that cannot be used have an ``error``.

    Raises
    ------
    CorpusUnreadable
        When the folder fits no known form.
    """
    folder = folder.resolve()
    form = next((form for form in FORMS if folder.is_dir() and form.fits(folder)), None)
    if form is None:
        known = "\n".join(f"  {form.name}: {form.looks}" for form in FORMS)
        what = "holds no corpus in a known form" if folder.is_dir() else "is no folder"
        raise CorpusUnreadable(f"{folder} {what}; these are:\n{known}")
    try:
        cases = _named_apart([_checked(case) for case in form.read(folder)])
    except (OSError, json.JSONDecodeError, UnicodeDecodeError, AttributeError) as error:
        raise CorpusUnreadable(f"{folder}: looks like {form.name}, but its gold cannot be read: {error}") from error
    return [replace(case, split=(sites or {}).get(_site(case), case.split)) for case in cases]


def _named_apart(cases: list[Case]) -> list[Case]:
    """Return later pages of the same name another, and the reason why they are not used."""
    seen: Counter[str] = Counter()
    apart = []
    for case in cases:
        seen[case.id] += 1
        again = seen[case.id] > 1
        apart.append(replace(case, id=f"{case.id} ({seen[case.id]})", error="the name stands twice") if again else case)
    return apart


def _site(case: Case) -> str:
    """The site of a page that is served: ``/sites/NAME/...``."""
    parts = (case.url_path or "").strip("/").split("/")
    return parts[1] if len(parts) > 1 else ""


def _checked(case: Case) -> Case:
    if case.error:
        return case
    if not case.path.is_file():
        return replace(case, error=f"there is no file {case.path.name}")
    return case if case.gold else replace(case, error="the corpus has no gold for this page")


# -- our own form ---------------------------------------------------------------------------------------------------


def _read_folder(folder: Path) -> Iterator[Case]:
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield _folder_case(folder, number, line)


def _folder_case(folder: Path, number: int, line: str) -> Case:
    try:
        entry = json.loads(line)
        identity = str(entry["id"])
        path = folder / (entry["path"] if entry.get("url_path") else f"pages/{identity}.html")
        return _case(folder, identity, path, entry)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return Case(
            corpus=folder.name, id=f"line {number}", path=folder, error=f"not a gold page ({type(error).__name__})"
        )


def _case(folder: Path, identity: str, path: Path, entry: Entry) -> Case:
    return Case(
        corpus=folder.name,
        id=identity,
        path=path,
        gold=_gold(entry),
        url=entry.get("url"),
        url_path=entry.get("url_path"),
        encoding=entry.get("encoding"),
        kind=entry.get("kind") or entry.get("page_type") or "",
        language=entry.get("lang") or entry.get("language") or "",
        split=entry.get("split") or "",
    )


def _gold(entry: Entry) -> Gold:
    own = entry.get("gold_text")
    texts = ([] if own is None else [own]) + list(entry.get("gold_texts") or ())
    labels = [label == 3 for label in entry.get("leaf_label") or ()]
    return Gold(
        texts=tuple(dict.fromkeys(texts)),
        markup=entry.get("gold_markup") or "",
        must_have=tuple(entry.get("must_have") or ()),
        must_not=tuple(entry.get("must_not") or ()),
        leaves=tuple(zip(entry.get("leaf_text") or (), labels, strict=True)) if labels else (),
    )


# -- others' forms --------------------------------------------------------------------------------------------------


def _cleaneval_folders(folder: Path) -> tuple[Path, Path] | None:
    pairs = ((folder / one, folder / other) for one, other in _CLEANEVAL)
    return next((pair for pair in pairs if pair[0].is_dir() and pair[1].is_dir()), None)


def _read_cleaneval(folder: Path) -> Iterator[Case]:
    originals, cleaned = _cleaneval_folders(folder) or (folder, folder)
    for path in _pages(originals):
        texts = [cleaned / f"{_stem(path)}{ending}.txt" for ending in ("", "-cleaned")]
        yield _marked_case(folder, path, next((text for text in texts if text.is_file()), None))


def _marked_case(folder: Path, path: Path, text: Path | None) -> Case:
    case = Case(corpus=folder.name, id=_stem(path), path=path)
    if text is None:
        return case
    marked = text.read_text(encoding="utf-8", errors="replace")
    address = _ADDRESS.match(marked)
    marked = _ADDRESS.sub("", marked)
    plain = "\n".join(line.strip() for line in _MARK.sub("\n", marked).splitlines() if line.strip())
    markup = marked if _MARK.search(marked) else ""
    return replace(case, gold=Gold(texts=(plain,), markup=markup), url=address[1] if address else None)


def _read_article_benchmark(folder: Path) -> Iterator[Case]:
    entries = json.loads((folder / "ground-truth.json").read_text(encoding="utf-8"))
    for identity, entry in entries.items():
        gold = {"gold_text": entry.get("articleBody", ""), "url": entry.get("url")}
        gold |= {"must_have": entry.get("with"), "must_not": entry.get("without")}
        yield _case(folder, identity, folder / "html" / f"{identity}.html.gz", gold)


def _read_trafilatura(folder: Path) -> Iterator[Case]:
    home = folder if (folder / "evaldata.json").is_file() else folder / "tests"
    entries = json.loads((home / "evaldata.json").read_text(encoding="utf-8"))
    for url, entry in entries.items():
        name = entry.get("file") or ""
        places = [home / place / name for place in ("cache", "eval")] if name else [home / "cache" / "none"]
        path = next((place for place in places if place.is_file()), places[0])
        gold = {"url": url, "must_have": entry.get("with"), "must_not": entry.get("without")}
        yield _case(folder, name.removesuffix(".html") or url, path, gold)


def _wcxb_roots(folder: Path) -> list[Path]:
    roots = [folder, *(folder / split for split in ("dev", "test"))]
    return [root for root in roots if (root / "ground-truth").is_dir() and (root / "html").is_dir()]


def _read_wcxb(folder: Path) -> Iterator[Case]:
    for root in _wcxb_roots(folder):
        for path in sorted((root / "ground-truth").glob("*.json")):
            try:
                yield _wcxb_case(folder, root, path)
            except (OSError, ValueError, KeyError, AttributeError) as error:
                yield Case(corpus=folder.name, id=path.stem, path=path, error=f"not a gold page ({error!r})")


def _wcxb_case(folder: Path, root: Path, path: Path) -> Case:
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
    return _case(folder, identity, root / "html" / f"{path.stem}.html.gz", gold)


def _read_pairs(folder: Path) -> Iterator[Case]:
    for path in _pages(folder):
        text = path.with_name(f"{_stem(path)}.txt")
        yield _marked_case(folder, path, text if text.is_file() else None)


def _pages(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name.lower().endswith(_PAGES))


def _stem(path: Path) -> str:
    ending = next((one for one in _PAGES[::-1] if path.name.lower().endswith(one)), "")
    return path.name[: len(path.name) - len(ending)]


#: Tried in this order.
FORMS: tuple[Form, ...] = (
    Form(
        "blocksight's folder",
        lambda folder: (folder / "gold.jsonl").is_file(),
        _read_folder,
        'gold.jsonl, one object a line with "id" and "gold_text" (or "must_have" and "must_not"), and pages/ID.html',
    ),
    Form(
        "CleanEval",
        lambda folder: _cleaneval_folders(folder) is not None,
        _read_cleaneval,
        "originals and cleaned texts in two folders: " + ", ".join(f"{one}/ and {two}/" for one, two in _CLEANEVAL[:2]),
    ),
    Form(
        "article-extraction-benchmark",
        lambda folder: (folder / "ground-truth.json").is_file(),
        _read_article_benchmark,
        "ground-truth.json and html/ID.html.gz",
    ),
    Form(
        "trafilatura's evaluation",
        lambda folder: (folder / "evaldata.json").is_file() or (folder / "tests" / "evaldata.json").is_file(),
        _read_trafilatura,
        "evaldata.json (in the folder or its tests/), with cache/ and eval/ beside it",
    ),
    Form(
        "WCXB",
        lambda folder: bool(_wcxb_roots(folder)),
        _read_wcxb,
        "ground-truth/ID.json and html/ID.html.gz, in the folder or its dev/ and test/",
    ),
    Form(
        "pairs",
        lambda folder: any(path.with_name(f"{_stem(path)}.txt").is_file() for path in _pages(folder)),
        _read_pairs,
        "NAME.html with NAME.txt beside it",
    ),
)
