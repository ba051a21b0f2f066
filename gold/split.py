"""The training pages of corpora: splits by a list of sites, and the pages of the split ``train``."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from .corpora import read_corpus
from .labelled import has_annotations
from .pages import GoldPage, shuffled

#: More pages of the same site add next to nothing.
PAGES_A_SITE = 40


def read_sites(path: Path) -> dict[str, str]:
    """Read the split of each site: ``site<TAB>split`` a line.

    A site is ``NAME`` of a page that is served as ``/sites/NAME/...``, else the domain, else ``CORPUS/ID``.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    return {site: split for site, _, split in (line.strip().partition("\t") for line in lines) if split}


def states_splits(folder: Path) -> bool:
    """Return whether a corpus says which pages are for training."""
    listing = folder / "gold.jsonl"
    if listing.is_file():
        entries = (json.loads(line) for line in listing.read_bytes().splitlines() if line.strip())
        return any(isinstance(entry, dict) and {"split", "split_safe"} & entry.keys() for entry in entries)
    return any(page.split == "train" for page in read_corpus(folder))


def split_by_site(pages: Sequence[GoldPage]) -> list[GoldPage]:
    """Return pages with a split: all of a site are "train" or "dev"; of five sites or more, each fifth is "dev".

    The order of sites is that of the digests of their names.
    """
    sites = sorted({page.site for page in pages}, key=lambda site: hashlib.sha256(site.encode()).digest())
    held_out = set(sites[: len(sites) // 5])
    return [replace(page, split="dev" if page.site in held_out else "train") for page in pages]


def training_pages(
    folders: Iterable[Path],
    sites: Mapping[str, str] | None = None,
    pages_a_site: int = PAGES_A_SITE,
    *,
    left_out: Callable[[GoldPage], object] = lambda _: None,
) -> list[GoldPage]:
    """Collect the training pages of some corpora, at most ``pages_a_site`` of each site, reproducibly.

    Only pages with a gold text, with annotated roles or with pieces are taken. Pages that show the text of a page of
    another split are left out, and, of corpora that state licences page by page, those without an open one.
    ``left_out`` is called with each page that may be for training and has an ``error``. Raises CorpusUnreadable if a
    folder is no corpus.
    """
    pages: list[GoldPage] = []
    for folder in folders:
        everything = read_corpus(folder, sites)
        licensed = any(page.licence for page in everything)
        held_out = {page.text_id for page in everything if page.split not in ("train", "")} - {""}
        taken: Counter[str] = Counter()
        for page in shuffled(page for page in everything if page.split in ("train", "")):
            if page.error:
                left_out(page)
            elif _teaches(page) and page.text_id not in held_out and (_is_open(page) or not licensed):
                taken[page.site] += 1
                if taken[page.site] <= pages_a_site:
                    pages.append(page)
    return pages


def _teaches(page: GoldPage) -> bool:
    return bool(page.texts or page.nodes.roles or page.nodes.pieces)


def _is_open(page: GoldPage) -> bool:
    return bool(page.licence) and "noncommercial" not in page.licence.lower().replace("-", "")


def corpora_in(folder: Path) -> list[Path]:
    """Return the corpora in a folder by name: those in blocksight's own format, and annotation sessions."""
    return sorted(path for path in folder.glob("*") if (path / "gold.jsonl").is_file() or has_annotations(path))
