"""How often the tree of raw HTML is the one that the browser builds of the same bytes.

    python benchmarks/parsing.py CORPORA [--limit N]

CORPORA is a folder of corpora. Each page is loaded with scripts off and nothing else in reach; what a loading page adds
(frames' documents, generated text) and what it keeps apart (templates) is left out of both trees. Printed are the
shares of pages with the same text leaves, with leaves in the same places (the tags from the root down), and with every
node the same, and the milliseconds that reading takes.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample
from blocksight.page.html import TEXT
from blocksight.page.parse import decode

OPTIONS = bs.RenderOptions(
    javascript=False, offline=True, allow_private=True, timeout=20.0, scroll=0, settle=0.2, settle_cap=1.0
)
#: Their children are no part of the document, or stand for what could not be loaded into them.
APART = frozenset(["template", "iframe", "frame"])
Outline = list[tuple[str, str | None]]


def outlines(page: bs.Page) -> tuple[Outline, Outline]:
    """Return the text leaves and all nodes, each as the tags from the root down and the text."""
    paths: list[str] = []
    own: list[bool] = []
    for row, above in enumerate(page.parent.tolist()):
        tag = page.tag_of(row)
        paths.append(f"{paths[above]}/{tag}" if above >= 0 else tag)
        apart = above >= 0 and (not own[above] or tag == "html" or page.tag_of(above) in APART)
        own.append(not apart and not tag.startswith("::"))
    texts = [page.strings[text] if text >= 0 else None for text in page.text.tolist()]
    leaves: Outline = [(paths[row].removesuffix(TEXT), texts[row]) for row in page.leaves.tolist() if own[row]]
    return leaves, [(path, text) for path, text, mine in zip(paths, texts, own, strict=True) if mine]


def agreement(browser: bs.Browser, cases: list[GoldPage]) -> tuple[np.ndarray, int]:
    """Return a row a page (texts, places, nodes, seconds), and how many pages did not load in time."""
    rows, failed = [], 0
    for case in cases:
        html = decode(case.raw(), case.encoding)
        try:
            rendered = browser.open(b"\xef\xbb\xbf" + html.encode("utf-8", "replace"))
            begun = time.process_time()
            parsed = bs.parse(html)
        except bs.PageFailed:
            failed += 1
            continue
        seconds = time.process_time() - begun
        if rendered.partial:
            failed += 1
            continue
        (leaves, nodes), (same_leaves, same_nodes) = outlines(rendered), outlines(parsed)
        texts = [text for _, text in leaves] == [text for _, text in same_leaves]
        rows.append((texts, leaves == same_leaves, nodes == same_nodes, seconds))
    return np.asarray(rows, dtype=np.float64).reshape(-1, 4), failed


def line(name: str, rows: np.ndarray, failed: int) -> str:
    """Write one line of the table."""
    texts, places, nodes, seconds = rows.mean(axis=0) if len(rows) else np.full(4, np.nan)
    return f"{name:22} {len(rows):6} {failed:7} {texts:7.3f} {places:7.3f} {nodes:7.3f} {1000 * seconds:7.2f}"


def main() -> None:
    """Print one line a corpus, and one for all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--limit", type=int, default=50)
    wanted = parser.parse_args()
    if not wanted.corpora.is_dir():
        sys.exit(f"skipped: there is no folder {wanted.corpora}; name the one that holds your corpora")
    folders = [folder for folder in sorted(wanted.corpora.iterdir()) if folder.is_dir()]
    print(f"{'corpus':22} {'pages':>6} {'failed':>7} {'texts':>7} {'places':>7} {'nodes':>7} {'ms':>7}")
    everything, failures = [], 0
    with bs.Browser(options=OPTIONS) as browser:
        for folder in folders:
            try:
                cases = [case for case in read_corpus(folder) if case.path.is_file()]
            except bs.errors.CorpusUnreadable as error:
                print(f"{folder.name:22} skipped: {str(error).splitlines()[0]}")
                continue
            rows, failed = agreement(browser, sample(cases, wanted.limit))
            print(line(folder.name, rows, failed), flush=True)
            everything.append(rows)
            failures += failed
    if everything:
        print(line("all", np.concatenate(everything), failures))


if __name__ == "__main__":
    main()
