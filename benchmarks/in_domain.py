"""Trained systems as shipped and trained on the corpus that they are judged on: word-bag F1 and CleanEval's score.

    python benchmarks/in_domain.py CORPUS --systems NAME... [--folds 5] [--limit N] [--rendered FOLDER]
    python benchmarks/in_domain.py CORPUS --systems NAME... --train PREFIX [--limit N]

A shipped model has seen no page of the corpora that it is measured on; the systems of CleanEval were made for its
pages, and KrdWrd was trained and tested on CANOLA. What a paper reports compares with the second column. By default
each page is judged by a model trained on the other folds; pages of one site are in one fold. With ``--train`` the pages
whose names begin with PREFIX are trained on and all others judged, as CleanEval's development pages are meant
(``dev-``).
``--limit`` takes a sample of the pages, of those that are not chosen by name, which is always the same.
CORPUS is a folder in one of the forms of docs/evaluation.md, of which the split is not looked at; systems that look at
geometry need ``--rendered``, where ``blocksight render`` or a training has kept the pages (``CORPUS/ID.page``).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.classify.systems.learning.trainable import LabelledPage, Trainable
from blocksight.classify.systems.learning.unseen_sites import folds_by_site
from blocksight.compare.measures.cleaneval import text_only
from blocksight.compare.measures.overlap import word_bag_f1
from blocksight.compare.measures.significance import interval
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, shuffled
from blocksight.gold.rendered import read_page
from blocksight.train.train_system import trainable


@dataclass(frozen=True, kw_only=True)
class Split:
    """Pages to train on and pages to judge."""

    train: list[LabelledPage]
    test: list[LabelledPage]


def opened(
    folder: Path, limit: int | None, rendered: Path | None, prefix: str
) -> Iterator[tuple[GoldPage, LabelledPage]]:
    """Yield the pages of a corpus that can be had and have a gold text."""
    golds = shuffled(gold for gold in read_corpus(folder) if gold.texts and not gold.error)
    named = [gold for gold in golds if prefix and gold.id.startswith(prefix)]
    others = [gold for gold in golds if not prefix or not gold.id.startswith(prefix)]
    for gold in named + others[:limit]:
        try:
            page = read_page(gold, rendered)
        except bs.BlocksightError as error:
            print(f"{gold.name}: {error}", file=sys.stderr)
            continue
        yield gold, LabelledPage(page=page, gold=gold.text, site=gold.site, language=gold.language)


def splits(pages: Sequence[tuple[GoldPage, LabelledPage]], folds: int, prefix: str) -> list[Split]:
    """Part the pages by folds of sites, or by how they are called."""
    everything = [labelled for _, labelled in pages]
    if prefix:
        parts = [np.asarray([not gold.id.startswith(prefix) for gold, _ in pages])]
    else:
        fold = folds_by_site([labelled.site for labelled in everything], folds)
        parts = [fold == number for number in range(int(fold.max()) + 1)]
    return [
        Split(
            train=[one for one, held_out in zip(everything, part, strict=True) if not held_out and one.marks.any()],
            test=[one for one, held_out in zip(everything, part, strict=True) if held_out],
        )
        for part in parts
    ]


def scores(system: Trainable, labelled: LabelledPage) -> tuple[float, float]:
    """Return word-bag F1 and CleanEval's score of one page; what a system refuses counts as no answer."""
    page = labelled.page
    try:
        marks = system.mark(page)
    except bs.PageFailed:
        marks = np.zeros(len(page.leaves), dtype=bool)
    text = "\n".join(text for text, mark in zip(page.leaf_texts, marks, strict=True) if mark)
    return word_bag_f1(text, labelled.gold), text_only(text, labelled.gold)


def cells(pages: Sequence[tuple[float, float]]) -> str:
    """Write two means, and the interval of the first."""
    mean, low, high = interval(np.asarray([bag for bag, _ in pages])[:, None])
    return f"{mean:.3f} [{low:.3f}, {high:.3f}] | {np.mean([score for _, score in pages]):.3f}"


def main() -> int:
    """Run the benchmark; 0 when done, 2 when there is nothing to run on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--systems", nargs="+", choices=tuple(trainable()), required=True)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--train", default="", metavar="PREFIX", help="train on the pages that are called so")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--rendered", type=Path, help="folder with saved pages, CORPUS/ID.page")
    wanted = parser.parse_args()
    try:
        parts = splits(
            list(opened(wanted.corpus, wanted.limit, wanted.rendered, wanted.train)), wanted.folds, wanted.train
        )
    except (bs.errors.CorpusUnreadable, ValueError) as error:
        print(f"skipped: {error}", file=sys.stderr)
        return 2
    tested = sum(len(part.test) for part in parts)
    learned = np.mean([len(part.train) for part in parts])
    print(f"| {wanted.corpus.name} ({tested}) | as shipped | score | trained on {learned:.0f} of it | score |")
    print("|---|---|---|---|---|")
    for name in wanted.systems:
        system = trainable()[name]
        shipped = [scores(system, one) for part in parts for one in part.test]
        fitted = [scores(own, one) for part in parts for own in [system.learn(part.train)] for one in part.test]
        print(f"| {name} | {cells(shipped)} | {cells(fitted)} |", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
