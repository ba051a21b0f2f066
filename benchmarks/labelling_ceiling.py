"""How much of the gold each way of labelling recovers: what the best classifier could reach with these blocks.

    python benchmarks/labelling_ceiling.py CORPUS... [--limit N] [--rendered FOLDER] [--below F1]

CORPUS is a folder in one of the forms of docs/evaluation.md. For gold texts, the rows that each alignment labels as
content are scored against the gold (word-bag F1), and so are the marked leaves ("leaves"); "stands there" is the share
of the gold's words that are on the page at all. For labels of nodes, the score is the F1 of content words whose row is
labelled as their node; for snippets, the share of them that the labelled rows hold (must have) or leave out (must not).
Pages that score below ``--below`` by the default alignment are listed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.compare.measures.measures import word_bag_f1
from blocksight.compare.measures.significance import interval
from blocksight.features.alignment import leaves_of_text
from blocksight.features.rows import Rows, rows_of
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import ALIGNMENTS, label_rows, labelled_words
from blocksight.gold.pages import UNCERTAIN, GoldNodes, GoldPage, sample
from blocksight.gold.rendered import read_page, saved_path
from blocksight.lexicon.words import words


def labelled_text(counts: Rows, gold: GoldPage, align: str) -> str:
    """Return the text of the rows that are labelled as content."""
    labels = label_rows(counts.texts, gold, align=align).label
    return "\n".join(text for text, label in zip(counts.texts, labels.tolist(), strict=True) if label == 1)


def text_scores(counts: Rows, gold: GoldPage) -> dict[str, float]:
    """Score each alignment on one page, by rows, and the default one by text leaves."""
    scores = {align: word_bag_f1(labelled_text(counts, gold, align), gold.text) for align in ALIGNMENTS}
    marks = leaves_of_text(counts.page, gold.text).tolist()
    marked = "\n".join(text for text, mark in zip(counts.page.leaf_texts, marks, strict=True) if mark)
    scores["leaves"] = word_bag_f1(marked, gold.text)
    there, wanted = Counter(words(" ".join(counts.texts))), Counter(words(gold.text))
    return scores | {"stands there": (there & wanted).total() / max(wanted.total(), 1)}


def node_scores(counts: Rows, gold: GoldPage) -> dict[str, float]:
    """F1 of content words by the labels of their rows."""
    label = label_rows(counts.texts, gold).label
    row, truth = labelled_words(counts.texts, gold.nodes.texts, gold.nodes.labels)
    found, content = label[row] == 1, truth == 1
    known = (truth != UNCERTAIN) & (label[row] != UNCERTAIN)
    right = float((found & content & known).sum())
    size = float((found & known).sum() + (content & known).sum())
    labelled = sum(len(words(text)) for text in gold.nodes.texts)
    return {"nodes": 2 * right / size if size else 1.0, "stands there": len(row) / max(labelled, 1)}


def snippet_scores(counts: Rows, gold: GoldPage) -> dict[str, float]:
    """Share of snippets that are on the right side."""
    text = " ".join(labelled_text(counts, gold, "words").split())
    page = " ".join(counts.texts)
    have = [" ".join(snippet.split()) for snippet in gold.must_have]
    avoid = [" ".join(snippet.split()) for snippet in gold.must_not]
    right = [snippet in text for snippet in have] + [snippet not in text for snippet in avoid]
    there = [snippet in page for snippet in have]
    return {"snippets": float(np.mean(right)), "stands there": float(np.mean(there)) if there else 1.0}


def scores_of(gold: GoldPage, rendered: Path | None) -> dict[str, dict[str, float]]:
    """Score every kind of gold that a page has."""
    page = read_page(gold, rendered if rendered is not None and saved_path(rendered, gold).exists() else None)
    counts = rows_of(page, bs.text_blocks(page))
    scores = {}
    if gold.nodes.texts:
        scores["nodes"] = node_scores(counts, gold)
    if gold.text:
        scores["text"] = text_scores(counts, replace(gold, nodes=GoldNodes()))
    if gold.must_have or gold.must_not:
        scores["snippets"] = snippet_scores(counts, replace(gold, texts=()))
    return scores


def report(folder: Path, limit: int, rendered: Path | None, below: float) -> None:
    """Print a line for each kind of gold and way of labelling, and the pages that score low."""
    found: dict[tuple[str, str], list[tuple[str, float]]] = {}
    for gold in sample((gold for gold in read_corpus(folder) if not gold.error), limit):
        try:
            for kind, scores in scores_of(gold, rendered).items():
                for name, score in scores.items():
                    found.setdefault((kind, name), []).append((gold.id, score))
        except bs.BlocksightError as error:
            print(f"{gold.corpus}/{gold.id}: {error}", file=sys.stderr)
    for (kind, name), pages in found.items():
        values = [score for _, score in pages]
        mean, low, high = interval(np.asarray(values)[:, None])
        few = np.mean(np.asarray(values) < below)
        print(f"{folder.name:20} {kind:9} {name:13} {len(pages):4} {mean:.4f} [{low:.4f}, {high:.4f}] {few:6.1%}")
    for (kind, name), pages in found.items():
        if name in {"words", "nodes", "snippets"}:
            there = dict(found[kind, "stands there"])
            for page, score in sorted(pages, key=lambda page: page[1]):
                if score < below:
                    print(f"    {folder.name}/{page}: {name} {score:.3f}, {there[page]:.3f} of the gold stands there")
    sys.stdout.flush()


def main() -> int:
    """Run over some corpora; 2 when one of them is none."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path, nargs="+", metavar="CORPUS")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--rendered", type=Path, help="folder with rendered pages, as the training command keeps them")
    parser.add_argument("--below", type=float, default=0.9)
    wanted = parser.parse_args()
    print(f"{'corpus':20} {'gold':9} {'by':13} {'n':>4} mean [bootstrap 95 % interval], share below {wanted.below}")
    for folder in wanted.corpora:
        try:
            report(folder, wanted.limit, wanted.rendered, wanted.below)
        except bs.errors.CorpusUnreadable as error:
            print(f"skipped: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
