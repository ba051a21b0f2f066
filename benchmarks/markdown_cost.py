"""What Markdown with metadata costs beside trafilatura: one process, bytes of raw HTML in, text out.

    python benchmarks/markdown_cost.py CORPUS... [--limit 30] [--rounds 3] [--split dev]

Both read the same pages in turn, so what slows the computer down slows both; of the rounds the fastest of each page
counts. A page that one of them refuses is left out for both. No browser.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import blocksight as bs
import numpy as np
import trafilatura
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample


def ours(raw: bytes, *, url: str) -> str:
    """Write Markdown with metadata."""
    doc = bs.extract(bs.parse(raw, url=url))
    return doc.metadata.to_yaml() + doc.markdown


def theirs(raw: bytes, *, url: str) -> str:
    """Write the same by trafilatura."""
    written = trafilatura.extract(
        raw, url=url, output_format="markdown", with_metadata=True, include_images=True, include_links=True
    )
    return written or ""


def seconds(write: Callable[[], str]) -> float:
    """Return how long one call takes."""
    begun = time.process_time()
    write()
    return time.process_time() - begun


def measured(page: GoldPage, rounds: int) -> tuple[float, float] | None:
    """Return the fastest of some rounds of both, in turn; None for a page that cannot be read."""
    try:
        raw, url = page.raw(), page.url or "https://example.org/"
        writers = (partial(ours, raw, url=url), partial(theirs, raw, url=url))
        taken = np.array([[seconds(write) for write in writers] for _ in range(rounds)])
    except (bs.BlocksightError, ValueError):
        return None
    fastest = taken.min(axis=0).tolist()
    return fastest[0], fastest[1]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Seconds of Markdown with metadata, beside trafilatura.")
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--split", default="dev")
    given = parser.parse_args()
    pages = [page for corpus in given.corpora for page in read_corpus(corpus) if page.split == given.split]
    chosen = sample(pages, given.limit)
    if chosen:  # models and rules are loaded by the first page
        measured(chosen[0], 1)
    taken = np.array([pair for page in chosen if (pair := measured(page, given.rounds)) is not None])
    if not len(taken):
        raise SystemExit("no page could be read: name a corpus with pages of that split")
    for name, column in zip(("blocksight", "trafilatura"), taken.T, strict=True):
        print(f"{name}: {column.sum():.2f} s of {len(taken)} pages, median {1000 * np.median(column):.0f} ms a page")
    ratio = taken[:, 0] / np.maximum(taken[:, 1], 1e-4)
    print(f"ratio: {taken[:, 0].sum() / taken[:, 1].sum():.2f} of the sums, {np.median(ratio):.2f} median of the pages")


if __name__ == "__main__":
    main()
