"""Two figures of MSS' paper (Pasternack and Roth, WWW 2009) on any corpus.

    python benchmarks/mss_scans.py tags CORPUS... [--limit N]
    python benchmarks/mss_scans.py articles CORPUS... [--limit N]

``tags`` is the scan of section 6.2.2: word-bag F1 of simple MSS by the score of a tag (the paper: above 90 % from -4.99
to -2.14). ``articles`` is the end of section 7.7: CleanEval's text-only score and precision, recall and F1 of words of
the setting for CleanEval, on all pages and on articles alone. There people said what is an article (61 % of CleanEval's
pages); here a gold text is one with the two paragraphs and eight sentences of section 4.1.

CORPUS is a folder in one of the forms of docs/corpora.md; pages of the split ``dev`` are taken, with ``--limit`` a
sample that is always the same, as raw HTML.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import blocksight as bs
import numpy as np
from blocksight.classify.systems.mss.simple import MssSimple
from blocksight.classify.systems.mss.trained import MssCleaneval
from blocksight.compare.measures.cleaneval import text_only
from blocksight.compare.measures.overlap import word_bag
from blocksight.compare.outputs import system_output, try_marks
from blocksight.gold.corpora import read_corpus
from blocksight.gold.pages import GoldPage, sample
from blocksight.gold.rendered import read_page
from blocksight.lexicon.words import count_sentences

TAG_SCORES = (-20.0, -10.0, -7.0, -4.99, -4.5, -4.0, -3.5, -3.25, -3.0, -2.5, -2.14, -1.5, -1.0, -0.5)
_MARK = re.compile(r"<([phl])>", re.IGNORECASE)

Pages = list[tuple[GoldPage, bs.Page]]


def pages_of(folder: Path, limit: int | None) -> Pages:
    """Open the pages of a corpus."""
    golds = [gold for gold in read_corpus(folder) if gold.split == "dev" and gold.texts and not gold.error]
    return [(gold, read_page(gold)) for gold in sample(golds, limit)]


def found_text(system: bs.System, page: bs.Page) -> str:
    """Return what a system finds; what it refuses counts as no answer."""
    return system_output(page, try_marks(system, page)[0]).text


def is_story(paragraphs: Iterable[str]) -> bool:
    """Return whether paragraphs are an article: at least two of them, and eight sentences (section 4.1 of the paper).

    Ours: a paragraph contains the end of a sentence; other lines (headings, menus, names) are not counted.
    """
    ends = [count for count in map(count_sentences, paragraphs) if count]
    return len(ends) >= 2 and sum(ends) >= 8


def gold_is_story(gold: GoldPage) -> bool:
    """Return whether a gold text is an article: by its marks for paragraphs where it has some, else line by line."""
    if not gold.markup:
        return is_story(gold.text.splitlines())
    _, *parts = _MARK.split(gold.markup)
    return is_story(text for kind, text in zip(parts[::2], parts[1::2], strict=True) if kind.lower() == "p")


def tag_scores(corpora: Sequence[tuple[str, Pages]]) -> None:
    """Print F1 by the score of a tag."""
    print(f"| tag | {' | '.join(f'{name} ({len(pages)})' for name, pages in corpora)} |")
    print(f"|---|{'---|' * len(corpora)}")
    for score in TAG_SCORES:
        system = MssSimple(tag_score=score)
        means = [np.mean([word_bag(found_text(system, page), gold.text).f1 for gold, page in pages])
                 for _, pages in corpora]  # fmt: skip
        print(f"| {score:g} | {' | '.join(f'{mean:.3f}' for mean in means)} |", flush=True)


def articles(name: str, pages: Pages) -> None:
    """Print the figures on all pages of a corpus, on articles and on the rest."""
    system = MssCleaneval()
    found = [(found_text(system, page), gold.text) for gold, page in pages]
    rows = [(text_only(text, gold), *word_bag(text, gold)[:3]) for text, gold in found]
    table, stories = np.asarray(rows), np.asarray([gold_is_story(gold) for gold, _ in pages])
    for group, chosen in (("all", stories | True), ("articles", stories), ("others", ~stories)):
        if chosen.any():
            figures = " | ".join(f"{figure:.3f}" for figure in table[chosen].mean(axis=0))
            print(f"| {name}, {group} | {chosen.sum()} | {figures} |", flush=True)


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("tags", "articles"))
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--limit", type=int)
    wanted = parser.parse_args()
    corpora = [(folder.name, pages_of(folder, wanted.limit)) for folder in wanted.corpora]
    if wanted.what == "tags":
        tag_scores(corpora)
        return
    print("| mss-cleaneval | pages | text only | precision | recall | F1 |\n|---|---|---|---|---|---|")
    for name, pages in corpora:
        articles(name, pages)


if __name__ == "__main__":
    main()
