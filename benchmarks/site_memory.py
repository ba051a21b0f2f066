"""What other pages of a site bring: word-bag F1 of a system with a memory of 1, 4 or 19 pages of the same site.

    python benchmarks/site_memory.py CORPUS... [--split train|dev] [--known 1 4 19] [--pages 6] [--system NAME]
                                     [--rendered FOLDER]

Of each site that has enough pages, some are judged, first without a memory, then with one that has learnt so many other
pages of the site: always the same ones, in an order that depends on their names alone. Printed are, for each corpus and
number of known pages, how many pages and sites were judged, both mean F1, the mean paired difference with its 95 %
interval over sites (pages of one site are wrong together), and how many pages were better and worse by over .005.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.classify.system import System
from blocksight.classify.systems import system_named
from blocksight.classify.systems.memory.site_memory import MemorySystem, SiteMemory
from blocksight.compare.measures.overlap import word_bag_f1
from blocksight.compare.measures.significance import interval
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, shuffled
from blocksight.gold.rendered import read_page

#: A difference in F1 that counts as better or worse.
WORTH_TELLING = 0.005


@dataclass(frozen=True, kw_only=True)
class Site:
    """The pages of one site, in the order in which they are used."""

    golds: Sequence[GoldPage]
    pages: Sequence[bs.Page]


def sites_of(corpus: Path, split: str, least: int, most: int, rendered: Path | None) -> Iterator[Site]:
    """Yield the sites that have enough pages."""
    golds = defaultdict(list)
    for gold in shuffled(gold for gold in read_corpus(corpus) if gold.texts and not gold.error):
        if gold.split == split:
            golds[gold.site].append(gold)
    for _, own in sorted(golds.items()):
        if len(own) < least:
            continue
        pages = [(gold, page) for gold in own[:most] for page in opened(gold, rendered)]
        if len(pages) >= least:
            yield Site(golds=[gold for gold, _ in pages], pages=[page for _, page in pages])


def opened(gold: GoldPage, rendered: Path | None) -> Iterator[bs.Page]:
    """Yield the page, if it can be had."""
    try:
        yield read_page(gold, rendered)
    except bs.BlocksightError as error:
        print(f"{gold.name}: {error}", file=sys.stderr)


def judged(site: Site, system: System, known: int, count: int) -> Iterator[tuple[float, float]]:
    """Yield F1 without and with a memory, of the first pages of a site; the memory has learnt others."""
    for number, page in enumerate(site.pages[:count]):
        memory = SiteMemory()
        others = [other for other in site.pages if other is not page]
        # Pages that are not judged come first, so that each of them serves as often as the others.
        for other in [*others[count - 1 :], *others[: count - 1]][:known]:
            memory.learn(other)
        alone = system.mark(page)
        with_memory = MemorySystem(system=system, memory=memory)
        yield scored(page, alone, site.golds[number]), scored(page, with_memory.mark(page), site.golds[number])


def scored(page: bs.Page, marks: np.ndarray, gold: GoldPage) -> float:
    """Return word-bag F1 of what is marked, against the gold text that it fits best."""
    text = "\n".join(text for text, mark in zip(page.leaf_texts, marks, strict=True) if mark)
    return max(word_bag_f1(text, one) for one in gold.texts)


def row(name: str, known: int, sites: Sequence[Sequence[tuple[float, float]]]) -> str:
    """Write one row of the table."""
    pairs = np.asarray([pair for site in sites for pair in site])
    change = pairs[:, 1] - pairs[:, 0]
    mean, low, high = interval(np.asarray([float(np.mean([b - a for a, b in site])) for site in sites])[:, None])
    return (
        f"| {name} | {known} | {len(pairs)} | {len(sites)} | {pairs[:, 0].mean():.3f} | {pairs[:, 1].mean():.3f} "
        f"| {mean:+.4f} [{low:+.4f}, {high:+.4f}] | {(change > WORTH_TELLING).sum()} "
        f"| {(change < -WORTH_TELLING).sum()} |"
    )


def main() -> int:
    """Run the benchmark; 0 when done, 2 when there is nothing to run on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--split", choices=("train", "dev"), default="train")
    parser.add_argument("--known", nargs="+", type=int, default=[1, 4, 19], help="pages of the site that are known")
    parser.add_argument("--pages", type=int, default=6, help="pages of a site that are judged, at most")
    parser.add_argument("--system", default="blocksight-dom")
    parser.add_argument("--rendered", type=Path, help="folder with saved pages, CORPUS/ID.page")
    wanted = parser.parse_args()
    system = system_named(wanted.system)
    print("| corpus | pages known | judged | sites | alone | with memory | difference, by site | better | worse |")
    print("|---|---|---|---|---|---|---|---|---|")
    done = 0
    for corpus in wanted.corpora:
        try:
            for known in wanted.known:
                needed = known + wanted.pages
                sites = [
                    list(judged(site, system, known, wanted.pages))
                    for site in sites_of(corpus, wanted.split, known + 1, needed, wanted.rendered)
                ]
                if sites:
                    print(row(corpus.name, known, sites), flush=True)
                    done += 1
        except bs.errors.CorpusUnreadable as error:
            print(f"skipped: {error}", file=sys.stderr)
    return 0 if done else 2


if __name__ == "__main__":
    sys.exit(main())
