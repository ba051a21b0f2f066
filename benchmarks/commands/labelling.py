"""Limits of what can be measured: labels of rows against gold, and parsed against rendered trees."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.compare.measures.measures import word_bag_f1
from blocksight.features.alignment import leaves_of_text
from blocksight.features.rows import Rows, rows_of
from blocksight.gold.corpora import read_corpus
from blocksight.gold.leaf_labels import ALIGNMENTS, label_rows, labelled_words
from blocksight.gold.pages import UNCERTAIN, GoldNodes, GoldPage, sample
from blocksight.gold.rendered import read_page, saved_path
from blocksight.lexicon.words import words
from blocksight.page.html import TEXT
from blocksight.page.parse import decode
from common import corpora_argument, folder_argument, mean_interval, rendered_option, skip, timed

# -- labels of rows ---------------------------------------------------------------------------------------------------


def labelled_text(rows: Rows, gold: GoldPage, align: str) -> str:
    """Return the text of the rows that are labelled as content."""
    labels = label_rows(rows.texts, gold, align=align).label
    return "\n".join(text for text, label in zip(rows.texts, labels.tolist(), strict=True) if label == 1)


def text_scores(rows: Rows, gold: GoldPage) -> dict[str, float]:
    """Return the score of each alignment on a page, by rows, and of the default one by text leaves."""
    scores = {align: word_bag_f1(labelled_text(rows, gold, align), gold.text) for align in ALIGNMENTS}
    marks = leaves_of_text(rows.page, gold.text).tolist()
    marked = "\n".join(text for text, mark in zip(rows.page.leaf_texts, marks, strict=True) if mark)
    scores["leaves"] = word_bag_f1(marked, gold.text)
    present, reference = Counter(words(" ".join(rows.texts))), Counter(words(gold.text))
    return scores | {"present": (present & reference).total() / max(reference.total(), 1)}


def node_scores(rows: Rows, gold: GoldPage) -> dict[str, float]:
    """Return the F1 of content words by the labels of their rows."""
    label = label_rows(rows.texts, gold).label
    row, truth = labelled_words(rows.texts, gold.nodes.texts, gold.nodes.labels)
    prediction, content = label[row] == 1, truth == 1
    known = (truth != UNCERTAIN) & (label[row] != UNCERTAIN)
    right = float((prediction & content & known).sum())
    size = float((prediction & known).sum() + (content & known).sum())
    labelled = sum(len(words(text)) for text in gold.nodes.texts)
    return {"nodes": 2 * right / size if size else 1.0, "present": len(row) / max(labelled, 1)}


def snippet_scores(rows: Rows, gold: GoldPage) -> dict[str, float]:
    """Return the share of snippets that are on the right side."""
    text = " ".join(labelled_text(rows, gold, "words").split())
    page = " ".join(rows.texts)
    must_have, must_not = (
        [" ".join(text.split()) for text in texts] for texts in (gold.snippets.must_have, gold.snippets.must_not)
    )
    right = [snippet in text for snippet in must_have] + [snippet not in text for snippet in must_not]
    present = [snippet in page for snippet in must_have]
    return {"snippets": float(np.mean(right)), "present": float(np.mean(present)) if present else 1.0}


def label_scores(gold: GoldPage, rendered: Path | None) -> dict[str, dict[str, float]]:
    """Return the scores of each kind of gold that a page has."""
    page = read_page(gold, rendered if rendered is not None and saved_path(rendered, gold).exists() else None)
    rows = rows_of(page, bs.text_blocks(page))
    scores = {}
    if gold.nodes.texts:
        scores["nodes"] = node_scores(rows, gold)
    if gold.text:
        scores["text"] = text_scores(rows, replace(gold, nodes=GoldNodes()))
    if gold.snippets.must_have or gold.snippets.must_not:
        scores["snippets"] = snippet_scores(rows, replace(gold, texts=()))
    return scores


@click.command()
@corpora_argument
@click.option("--limit", default=100)
@rendered_option
@click.option("--below", default=0.9, help="List the pages with a lower score by the default alignment.")
def labelling(corpora: tuple[Path, ...], limit: int, rendered: Path | None, below: float) -> None:
    """Measure how much of the gold each way of labelling recovers: what the best classifier could reach.

    For gold texts, the rows that each alignment labels as content are scored against the gold (word-bag F1), and so are
    the marked leaves ("leaves"); "present" is the share of the words of the gold that are on the page. For labels of
    nodes, the score is the F1 of content words whose row has the label of their node; for snippets, the share that the
    labelled rows contain (must have) or do not (must not).
    """
    print(f"{'corpus':20} {'gold':9} {'by':13} {'n':>4} mean [bootstrap 95 % interval], share below {below}")
    for folder in corpora:
        scores_of: dict[tuple[str, str], list[tuple[str, float]]] = {}
        for gold in sample((gold for gold in read_corpus(folder) if not gold.error), limit):
            try:
                for kind, scores in label_scores(gold, rendered).items():
                    for name, score in scores.items():
                        scores_of.setdefault((kind, name), []).append((gold.id, score))
            except bs.BlocksightError as error:
                print(f"{gold.corpus}/{gold.id}: {error}", file=sys.stderr)
        for (kind, name), pages in scores_of.items():
            values = [score for _, score in pages]
            mean, low, high = mean_interval(values)
            few = np.mean(np.asarray(values) < below)
            print(f"{folder.name:20} {kind:9} {name:13} {len(pages):4} {mean:.4f} [{low:.4f}, {high:.4f}] {few:6.1%}")
        for (kind, name), pages in scores_of.items():
            if name in {"words", "nodes", "snippets"}:
                present = dict(scores_of[kind, "present"])
                for page, score in sorted(pages, key=lambda page: page[1]):
                    if score < below:
                        print(f"    {folder.name}/{page}: {name} {score:.3f}, {present[page]:.3f} of the gold present")
        sys.stdout.flush()


# -- parsed and rendered trees ----------------------------------------------------------------------------------------

OPTIONS = bs.RenderOptions(
    javascript=False, offline=True, allow_private=True, timeout=20.0, scroll=0, settle=0.2, settle_cap=1.0
)
#: The children of these elements are not part of the document, or replace what could not be loaded into them.
SEPARATE = frozenset(["template", "iframe", "frame"])
Outline = list[tuple[str, str | None]]


def outlines(page: bs.Page) -> tuple[Outline, Outline]:
    """Return the text leaves and all nodes, each as the tags from the root down and the text."""
    paths: list[str] = []
    included: list[bool] = []
    for row, above in enumerate(page.parent.tolist()):
        tag = page.tag_of(row)
        paths.append(f"{paths[above]}/{tag}" if above >= 0 else tag)
        separate = above >= 0 and (not included[above] or tag == "html" or page.tag_of(above) in SEPARATE)
        included.append(not separate and not tag.startswith("::"))
    texts = [page.strings[text] if text >= 0 else None for text in page.text.tolist()]
    leaves: Outline = [(paths[row].removesuffix(TEXT), texts[row]) for row in page.leaves.tolist() if included[row]]
    return leaves, [(path, text) for path, text, part in zip(paths, texts, included, strict=True) if part]


def tree_agreement(browser: bs.Browser, golds: list[GoldPage]) -> tuple[np.ndarray, int]:
    """Return a row for each page (texts, places, nodes, seconds), and how many pages did not load in time."""
    rows, failed = [], 0
    for gold in golds:
        html = decode(gold.raw(), gold.encoding)
        try:
            rendered = browser.open(b"\xef\xbb\xbf" + html.encode("utf-8", "replace"))
            seconds, parsed = timed(lambda html=html: bs.parse(html))  # type: ignore[misc]
        except bs.PageFailed:
            failed += 1
            continue
        if rendered.partial:
            failed += 1
            continue
        (leaves, nodes), (parsed_leaves, parsed_nodes) = outlines(rendered), outlines(parsed)
        same_texts = [text for _, text in leaves] == [text for _, text in parsed_leaves]
        rows.append((same_texts, leaves == parsed_leaves, nodes == parsed_nodes, seconds))
    return np.asarray(rows, dtype=np.float64).reshape(-1, 4), failed


def tree_line(name: str, rows: np.ndarray, failed: int) -> str:
    """Return a line of the table."""
    texts, places, nodes, seconds = rows.mean(axis=0) if len(rows) else np.full(4, np.nan)
    return f"{name:22} {len(rows):6} {failed:7} {texts:7.3f} {places:7.3f} {nodes:7.3f} {1000 * seconds:7.2f}"


@click.command()
@folder_argument
@click.option("--limit", default=50)
def parsing(folder: Path, limit: int) -> None:
    """Measure how often the tree of raw HTML equals the one that the browser builds from the same bytes.

    FOLDER is a folder of corpora. Each page is loaded without scripts and without network; what loading adds (documents
    of frames, generated text) and what it separates (templates) is left out of both trees. Printed are the shares of
    pages with the same text leaves, with leaves at the same places (the tags from the root down), and with the same
    nodes, and the milliseconds of parsing.
    """
    if not folder.is_dir():
        skip(f"there is no folder {folder}; name the one with your corpora")
    print(f"{'corpus':22} {'pages':>6} {'failed':>7} {'texts':>7} {'places':>7} {'nodes':>7} {'ms':>7}")
    all_rows, failures = [], 0
    with bs.Browser(options=OPTIONS) as browser:
        for corpus in sorted(path for path in folder.iterdir() if path.is_dir()):
            try:
                golds = [gold for gold in read_corpus(corpus) if gold.path.is_file()]
            except bs.errors.CorpusUnreadable as error:
                print(f"{corpus.name:22} skipped: {str(error).splitlines()[0]}")
                continue
            rows, failed = tree_agreement(browser, sample(golds, limit))
            print(tree_line(corpus.name, rows, failed), flush=True)
            all_rows.append(rows)
            failures += failed
    if all_rows:
        print(tree_line("all", np.concatenate(all_rows), failures))
