"""Accuracy of the trained systems of the literature, and of systems with a site memory."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.classify.systems import system_named
from blocksight.classify.systems.everything import Everything
from blocksight.classify.systems.learning.trainable import LabelledPage, Trainable
from blocksight.classify.systems.learning.unseen_sites import folds_by_site
from blocksight.classify.systems.memory.site_memory import MemorySystem, SiteMemory
from blocksight.classify.systems.mss.semi import ConfidenceFormula, MssSemi
from blocksight.classify.systems.mss.simple import MssSimple
from blocksight.classify.systems.mss.trained import Mss, MssHr
from blocksight.compare.measures.cleaneval import text_only
from blocksight.compare.measures.overlap import word_bag_f1
from blocksight.gold.pages import shuffled
from blocksight.gold.split import training_pages
from blocksight.train.train_system import labelled_pages, trainable
from common import (
    FOLDER,
    INTEGERS,
    List,
    OpenPage,
    corpora_argument,
    corpus_argument,
    interval_cell,
    limit_option,
    marked_text,
    mean_interval,
    open_pages,
    rendered_option,
    sample_pages,
    skip,
    system_f1,
    table_head,
    table_row,
    text_golds,
)

#: As in the figure of the paper; each number of sources is tried with this many choices of them.
SOURCES, CHOICES = (1, 2, 4, 8, 16, 32, 64), 3
#: The least difference in F1 that counts as better or worse.
NOTABLE = 0.005
TRAINABLE = tuple(trainable())

Corpora = dict[str, list[OpenPage]]


def system_row(name: str, system: bs.System, corpora: Corpora) -> None:
    """Print mean and interval for each corpus."""
    values = [[system_f1(system, gold, page) for gold, page in pages] for pages in corpora.values()]
    table_row(name, *map(interval_cell, values))


def corpora_head(first: str, corpora: Corpora) -> None:
    """Print the head of a table with a column for each corpus."""
    table_head(first, *(f"{name} ({len(pages)})" for name, pages in corpora.items()))


@click.command()
@corpora_argument
@limit_option
@rendered_option
@click.option("--systems", type=List(str, TRAINABLE), default=TRAINABLE, help="Names, separated by commas.")
def trained(corpora: tuple[Path, ...], limit: int | None, rendered: Path | None, systems: list[str]) -> None:
    """Measure word-bag F1 of the trained systems on raw HTML; those that read geometry on rendered pages."""
    raw = {folder.name: sample_pages(folder, limit) for folder in corpora}
    corpora_head("system", raw)
    system_row("everything", Everything(), raw)
    system_row("mss-simple", MssSimple(), raw)
    chosen = {name: system for name, system in trainable().items() if name in systems}
    for name, system in chosen.items():
        if not system.card.visual:
            system_row(name, system, raw)
    if rendered is not None:
        pages = {folder.name: sample_pages(folder, limit, rendered) for folder in corpora}
        corpora_head("rendered", pages)
        for name, system in chosen.items():
            if system.card.visual:
                system_row(name, system, pages)


@click.command()
@corpora_argument
@click.option("--training", type=FOLDER, multiple=True, required=True, help="A corpus to train on.")
@limit_option
def mss_sources(corpora: tuple[Path, ...], training: tuple[Path, ...], limit: int | None) -> None:
    """Measure MSS trained on more and more sites, as figure 2 of its paper does."""
    sites: dict[str, list[LabelledPage]] = defaultdict(list)
    for labelled in labelled_pages(training_pages(training), None, [], lambda _: None):
        sites[labelled.site].append(labelled)
    large = sorted(site for site, pages in sites.items() if len(pages) >= 10)
    opened = {folder.name: sample_pages(folder, limit) for folder in corpora}
    corpora_head("sources (pages)", opened)
    for count in (number for number in SOURCES if number <= len(large)):
        for choice in range(CHOICES):
            chosen = np.random.default_rng(choice).permutation(large)[:count].tolist()
            pages = [page for site in chosen for page in sites[site]]
            system_row(f"{count} ({len(pages)})", Mss().learn(pages), opened)


@click.command()
@corpora_argument
@limit_option
@click.option("--min-pages", default=20, help="Pages that a site must have.")
@click.option("--formula", type=click.Choice(tuple(map(str, ConfidenceFormula))), default="windowed")
def mss_semi(corpora: tuple[Path, ...], limit: int | None, min_pages: int, formula: str) -> None:
    """Measure semi-supervised MSS on each site with enough pages, next to MSS and its rule."""
    table_head("site (pages)", "mss", "mss-hr", "mss-semi")
    for folder in corpora:
        sites: dict[str, list[OpenPage]] = defaultdict(list)
        for gold, page in sample_pages(folder, limit):
            sites[gold.site].append((gold, page))
        for site, pages in sorted(sites.items()):
            if len(pages) >= min_pages:
                semi = MssSemi(formula=ConfidenceFormula(formula)).adapt({site: [page for _, page in pages]})
                means = [np.mean([system_f1(each, *pair) for pair in pages]) for each in (Mss(), MssHr(), semi)]
                table_row(f"{folder.name}: {site} ({len(pages)})", *(f"{mean:.3f}" for mean in means))


# -- trained on the corpus itself -------------------------------------------------------------------------------------


def labelled_sample(
    folder: Path, limit: int | None, rendered: Path | None, prefix: str
) -> list[tuple[str, LabelledPage]]:
    """Return id and labelled page of all pages with the prefix, and of a sample of the others."""
    golds = shuffled(text_golds(folder, "all"))
    named = [gold for gold in golds if prefix and gold.id.startswith(prefix)]
    others = [gold for gold in golds if not prefix or not gold.id.startswith(prefix)]
    return [
        (gold.id, LabelledPage(page=page, gold=gold.text, site=gold.site, language=gold.language))
        for gold, page in open_pages(named + others[:limit], rendered)
    ]


def train_and_test(
    pages: Sequence[tuple[str, LabelledPage]], folds: int, prefix: str
) -> list[tuple[list[LabelledPage], list[LabelledPage]]]:
    """Split the pages into folds of sites, or by the prefix of their ids; pages without content train nothing."""
    if prefix:
        parts = [np.asarray([not name.startswith(prefix) for name, _ in pages])]
    else:
        fold = folds_by_site([page.site for _, page in pages], folds)
        parts = [fold == number for number in range(int(fold.max()) + 1)]
    return [
        (
            [page for (_, page), test in zip(pages, part, strict=True) if not test and page.marks.any()],
            [page for (_, page), test in zip(pages, part, strict=True) if test],
        )
        for part in parts
    ]


def page_scores(system: Trainable, labelled: LabelledPage) -> tuple[float, float]:
    """Return word-bag F1 and CleanEval's score of a page."""
    text = marked_text(labelled.page, system)
    return word_bag_f1(text, labelled.gold), text_only(text, labelled.gold)


@click.command()
@corpus_argument
@click.option("--systems", type=List(str, TRAINABLE), required=True, help="Names, separated by commas.")
@click.option("--folds", default=5)
@click.option("--train", "prefix", default="", metavar="PREFIX", help="Train on the pages whose id has this prefix.")
@limit_option
@rendered_option
def in_domain(
    corpus: Path, systems: list[str], folds: int, prefix: str, limit: int | None, rendered: Path | None
) -> None:
    """Measure trained systems as shipped, and trained on the corpus itself: word-bag F1 and CleanEval's score.

    A shipped model has learned from no page of the corpora that it is measured on, so the second column compares with
    what a paper reports. Each page is classified by a model trained on the other folds; the pages of a site are in one
    fold. With --train all pages without the prefix are classified, as CleanEval's development pages are meant (dev-).
    --limit samples the pages without the prefix. The split of the corpus is ignored.
    """
    parts = train_and_test(labelled_sample(corpus, limit, rendered, prefix), folds, prefix)
    tested = sum(len(test) for _, test in parts)
    learned = np.mean([len(train) for train, _ in parts])
    table_head(f"{corpus.name} ({tested})", "as shipped", "score", f"trained on {learned:.0f} of it", "score")
    for name in systems:
        system = trainable()[name]
        cells = []
        for versions in ([system] * len(parts), [system.learn(train) for train, _ in parts]):
            rows = [page_scores(each, page) for each, (_, test) in zip(versions, parts, strict=True) for page in test]
            bags, scores = zip(*rows, strict=True)
            cells += [interval_cell(bags), f"{np.mean(scores):.3f}"]
        table_row(name, *cells)


# -- a memory of the site ---------------------------------------------------------------------------------------------


def site_pages(
    corpus: Path, split: str, min_pages: int, max_pages: int, rendered: Path | None
) -> Iterator[list[OpenPage]]:
    """Yield the pages of each site that has enough, in the order in which they are used."""
    golds = defaultdict(list)
    for gold in shuffled(text_golds(corpus, split)):
        golds[gold.site].append(gold)
    for _, own in sorted(golds.items()):
        pages = list(open_pages(own[:max_pages], rendered)) if len(own) >= min_pages else []
        if len(pages) >= min_pages:
            yield pages


def memory_scores(pages: list[OpenPage], system: bs.System, known: int, count: int) -> Iterator[tuple[float, float]]:
    """Yield the F1 of the first pages of a site, without and with a memory of ``known`` others."""
    for gold, page in pages[:count]:
        others = [other for _, other in pages if other is not page]
        memory = SiteMemory()
        # Pages that are not classified come first, so that each of them is used as often as the others.
        for other in [*others[count - 1 :], *others[: count - 1]][:known]:
            memory.learn(other)
        texts = [marked_text(page, each) for each in (system, MemorySystem(system=system, memory=memory))]
        before, after = (max(word_bag_f1(text, reference) for reference in gold.texts) for text in texts)
        yield before, after


@click.command()
@corpora_argument
@click.option("--split", type=click.Choice(("train", "dev")), default="train", show_default=True)
@click.option("--known", type=INTEGERS, default="1,4,19", show_default=True, help="Pages of the site in the memory.")
@click.option("--pages", "count", default=6, help="Pages of a site that are classified, at most.")
@click.option("--system", "name", default="blocksight-dom", show_default=True)
@rendered_option
def site_memory(
    corpora: tuple[Path, ...], split: str, known: list[int], count: int, name: str, rendered: Path | None
) -> None:
    """Measure word-bag F1 of a system with a memory of 1, 4 or 19 other pages of the same site.

    Printed are, for each corpus and size of memory, the pages and sites, both means, the mean paired difference with
    its 95 % interval over sites (the errors of one site are correlated), and how many pages were better and worse by
    more than .005.
    """
    system = system_named(name)
    table_head(
        "corpus", "pages known", "classified", "sites", "alone", "with memory", "difference, by site", "better", "worse"
    )  # fmt: skip
    empty = True
    for corpus in corpora:
        for size in known:
            sites = [
                list(memory_scores(pages, system, size, count))
                for pages in site_pages(corpus, split, size + 1, size + count, rendered)
            ]
            if not sites:
                continue
            empty = False
            pairs = np.asarray([pair for site in sites for pair in site])
            change = pairs[:, 1] - pairs[:, 0]
            mean, low, high = mean_interval(
                [float(np.mean([after - before for before, after in site])) for site in sites]
            )
            table_row(
                corpus.name, size, len(pairs), len(sites), *(f"{value:.3f}" for value in pairs.mean(axis=0)),
                f"{mean:+.4f} [{low:+.4f}, {high:+.4f}]", (change > NOTABLE).sum(), (change < -NOTABLE).sum(),
            )  # fmt: skip
    if empty:
        skip(f"no site has enough pages of the split {split}")
