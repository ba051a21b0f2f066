"""Word-bag F1 of the trained systems of the literature on some corpora, one row a system.

    python benchmarks/trained_systems_f1.py CORPUS... [--limit N] [--rendered FOLDER] [--systems NAME...]
    python benchmarks/trained_systems_f1.py CORPUS... --mss-sources TRAINING...
    python benchmarks/trained_systems_f1.py CORPUS... --semi [--least N] [--formula NAME]

CORPUS is a folder in one of the forms of docs/evaluation.md; only pages of the split ``dev`` are taken, with
``--limit`` a sample that is always the same. Systems that look at geometry are run where ``--rendered`` has the pages
(made by ``blocksight render``, as ``CORPUS/ID.page``), all others on raw HTML. ``--mss-sources`` trains MSS on more and
more sites of the corpora given, as figure 2 of its paper does; ``--semi`` bootstraps semi-supervised MSS on each site
with enough pages.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.classify.systems.everything import Everything
from blocksight.classify.systems.learning.trainable import LabelledPage
from blocksight.classify.systems.mss.semi import ConfidenceFormula, MssSemi
from blocksight.classify.systems.mss.simple import MssSimple
from blocksight.classify.systems.mss.trained import Mss, MssHr
from blocksight.compare.measures.overlap import word_bag_f1
from blocksight.compare.measures.significance import interval
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample
from blocksight.gold.rendered import read_page
from blocksight.gold.split import training_pages
from blocksight.train.train_system import labelled_pages, trainable

#: As in the paper's figure; each number of sources is tried with so many choices of them.
SOURCES, CHOICES = (1, 2, 4, 8, 16, 32, 64), 3

#: Pages that are open, by corpus.
Opened = dict[str, list[tuple[GoldPage, bs.Page]]]


def opened(folders: Sequence[Path], limit: int | None, rendered: Path | None = None) -> Opened:
    """Open the pages of the split dev that can be had: raw HTML, or what was rendered."""
    found: Opened = {}
    for folder in folders:
        golds = [gold for gold in read_corpus(folder) if gold.split == "dev" and gold.texts and not gold.error]
        found[folder.name] = []
        for gold in sample(golds, limit):
            try:
                found[folder.name].append((gold, read_page(gold, rendered)))
            except bs.BlocksightError as error:
                print(f"{gold.name}: {error}", file=sys.stderr)
    return found


def score(system: bs.System, gold: GoldPage, page: bs.Page) -> float:
    """Measure one page; what a system refuses counts as no answer."""
    try:
        marks = system.mark(page)
    except bs.PageFailed:
        marks = np.zeros(len(page.leaves), dtype=bool)
    text = "\n".join(text for text, mark in zip(page.leaf_texts, marks, strict=True) if mark)
    return word_bag_f1(text, gold.text)


def row(name: str, system: bs.System, corpora: Opened) -> None:
    """Print one row: mean and interval for each corpus."""
    cells = []
    for pages in corpora.values():
        mean, low, high = interval(np.asarray([score(system, gold, page) for gold, page in pages])[:, None])
        cells.append(f"{mean:.3f} [{low:.3f}, {high:.3f}]")
    print(f"| {name} | {' | '.join(cells)} |", flush=True)


def head(first: str, corpora: Opened) -> None:
    """Print the head of a table."""
    print(f"| {first} | {' | '.join(f'{name} ({len(pages)})' for name, pages in corpora.items())} |")
    print(f"|---|{'---|' * len(corpora)}")


def table(corpora: Opened, rendered: Opened | None, names: Sequence[str]) -> None:
    """Print a row for each trained system, or for those named."""
    systems = {name: system for name, system in trainable().items() if not names or name in names}
    head("system", corpora)
    row("everything", Everything(), corpora)
    row("mss-simple", MssSimple(), corpora)
    for name, system in systems.items():
        if not system.card.visual:
            row(name, system, corpora)
    if rendered is not None:
        head("rendered", rendered)
        for name, system in systems.items():
            if system.card.visual:
                row(name, system, rendered)


def by_sources(corpora: Opened, training: Sequence[Path]) -> None:
    """Print MSS by the number of sources it was trained on."""
    sites: dict[str, list[LabelledPage]] = defaultdict(list)
    for labelled in labelled_pages(training_pages(training), None, [], lambda _: None):
        sites[labelled.site].append(labelled)
    large = sorted(site for site, pages in sites.items() if len(pages) >= 10)
    head("sources (pages)", corpora)
    for count in (number for number in SOURCES if number <= len(large)):
        for choice in range(CHOICES):
            chosen = np.random.default_rng(choice).permutation(large)[:count].tolist()
            pages = [one for site in chosen for one in sites[site]]
            row(f"{count} ({len(pages)})", Mss().learn(pages), corpora)


def bootstrapped(corpora: Opened, least: int, formula: ConfidenceFormula) -> None:
    """Print MSS, its rule and its bootstrapping for each site with enough pages."""
    print("| site (pages) | mss | mss-hr | mss-semi |\n|---|---|---|---|")
    for name, site, pages in _sites(corpora, least):
        everything = [page for _, page in pages]
        systems = (Mss(), MssHr(), MssSemi(formula=formula).adapt({site: everything}))
        means = [float(np.mean([score(system, gold, page) for gold, page in pages])) for system in systems]
        print(f"| {name}: {site} ({len(pages)}) | {' | '.join(f'{mean:.3f}' for mean in means)} |", flush=True)


def _sites(corpora: Opened, least: int) -> Iterator[tuple[str, str, list[tuple[GoldPage, bs.Page]]]]:
    for name, pages in corpora.items():
        sites = defaultdict(list)
        for gold, page in pages:
            sites[gold.site].append((gold, page))
        yield from ((name, site, found) for site, found in sorted(sites.items()) if len(found) >= least)


def main() -> int:
    """Run the benchmark; 0 when done, 2 when there is nothing to run on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--rendered", type=Path, help="folder with saved pages, CORPUS/ID.page")
    parser.add_argument("--systems", nargs="+", choices=tuple(trainable()), default=())
    parser.add_argument("--mss-sources", nargs="+", type=Path, metavar="TRAINING", help="corpora to train on")
    parser.add_argument("--semi", action="store_true")
    parser.add_argument("--least", type=int, default=20, help="pages that a site must have for --semi")
    parser.add_argument(
        "--formula", choices=tuple(map(str, ConfidenceFormula)), default="windowed", help="confidence for --semi"
    )
    wanted = parser.parse_args()
    try:
        corpora = opened(wanted.corpora, wanted.limit)
    except bs.errors.CorpusUnreadable as error:
        print(f"skipped: {error}", file=sys.stderr)
        return 2
    if wanted.mss_sources:
        by_sources(corpora, wanted.mss_sources)
    elif wanted.semi:
        bootstrapped(corpora, wanted.least, ConfidenceFormula(wanted.formula))
    else:
        rendered = opened(wanted.corpora, wanted.limit, wanted.rendered) if wanted.rendered else None
        table(corpora, rendered, wanted.systems)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
