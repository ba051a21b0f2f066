"""What raw HTML costs beside trafilatura: one process, one thread, bytes in, text out.

    python benchmarks/raw_cost.py CORPUS... [--limit 30] [--rounds 3] [--split dev] [--kind KIND] [--bytes LEAST MOST]

Two jobs, as each program does them by default: plain text, and Markdown with metadata. Both programs read the same
pages in turn, so what slows the computer down slows both; of the rounds the fastest of each page counts. A page that
one of them refuses is left out for both. No browser.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

import blocksight as bs
import numpy as np
import trafilatura
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample


def our_text(raw: bytes, url: str) -> str:
    """Write the text."""
    return bs.extract(bs.parse(raw, url=url)).text


def their_text(raw: bytes, url: str) -> str:
    """Write the same by trafilatura."""
    return trafilatura.extract(raw, url=url) or ""


def our_markdown(raw: bytes, url: str) -> str:
    """Write Markdown with metadata."""
    doc = bs.extract(bs.parse(raw, url=url))
    return doc.metadata.to_yaml() + doc.markdown


def their_markdown(raw: bytes, url: str) -> str:
    """Write the same by trafilatura."""
    written = trafilatura.extract(
        raw, url=url, output_format="markdown", with_metadata=True, include_images=True, include_links=True
    )
    return written or ""


JOBS: dict[str, tuple[Callable[[bytes, str], str], Callable[[bytes, str], str]]] = {
    "text": (our_text, their_text),
    "Markdown and metadata": (our_markdown, their_markdown),
}


def seconds(write: Callable[[bytes, str], str], raw: bytes, url: str) -> float:
    """Return how long one call takes, in seconds of the processor."""
    begun = time.process_time()
    write(raw, url)
    return time.process_time() - begun


def measured(page: GoldPage, rounds: int) -> list[float] | None:
    """Return the fastest of some rounds of each program and job, in turn; None for a page that cannot be read."""
    try:
        raw, url = page.raw(), page.url or "https://example.org/"
        taken = [[seconds(write, raw, url) for pair in JOBS.values() for write in pair] for _ in range(rounds)]
    except (bs.BlocksightError, ValueError):
        return None
    fastest: list[float] = np.array(taken).min(axis=0).tolist()
    return fastest


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--limit", type=int, default=30)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--split", default="dev")
    parser.add_argument("--kind", default="", help="Pages of this kind only, where a corpus tells kinds apart.")
    parser.add_argument("--bytes", type=int, nargs=2, default=(0, 10**9), metavar=("LEAST", "MOST"))
    given = parser.parse_args()
    pages = [page for corpus in given.corpora for page in read_corpus(corpus) if page.split == given.split]
    pages = [page for page in pages if given.kind in ("", page.kind)]
    pages = [page for page in pages if given.bytes[0] <= len(page.raw()) <= given.bytes[1]]
    chosen = sample(pages, given.limit)
    if chosen:  # models and rules are loaded by the first page
        measured(chosen[0], 1)
    taken = np.array([found for page in chosen if (found := measured(page, given.rounds)) is not None]) * 1000
    if not len(taken):
        raise SystemExit("no page could be read: name a corpus with pages of that split, kind and size")
    print(f"{len(taken)} pages, load {os.getloadavg()[0]:.1f}")
    for number, job in enumerate(JOBS):
        ours, theirs = taken[:, 2 * number], taken[:, 2 * number + 1]
        ratio = np.median(ours / np.maximum(theirs, 0.1))
        print(f"{job}: {ours.mean():.1f} ms a page (median {np.median(ours):.1f}), trafilatura {theirs.mean():.1f}")
        print(f"    ratio {ours.sum() / theirs.sum():.2f} of the sums, {ratio:.2f} median of the pages")


if __name__ == "__main__":
    main()
