"""Accuracy of the trained systems of the literature, as shipped and trained on the corpus itself."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
import numpy as np
from blocksight.classify.systems.learning.trainable import LabelledPage, TrainedSystem
from blocksight.classify.systems.learning.unseen_sites import folds_by_site
from blocksight.compare.measures.measures import cleaneval_score, word_bag
from blocksight.gold.pages import shuffled
from blocksight.train.train_system import trainable
from common import (
    FOLDER,
    List,
    interval_cell,
    limit_option,
    marked_text,
    open_pages,
    rendered_option,
    table_head,
    table_row,
    text_golds,
)

TRAINABLE = tuple(trainable())


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


def page_scores(system: TrainedSystem, labelled: LabelledPage) -> tuple[float, float]:
    """Return word-bag F1 and CleanEval's score of a page."""
    text = marked_text(labelled.page, system)
    return word_bag(text, labelled.gold).f1, cleaneval_score(text, labelled.gold)


@click.command()
@click.argument("corpus", type=FOLDER)
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
