"""Figures of the papers of MSS and SCEDD, on any corpus.

Pages of the split ``dev`` are read as raw HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.classify.systems.cetd import Cetd
from blocksight.classify.systems.mss.simple import MssSimple
from blocksight.classify.systems.mss.trained import MssCleaneval
from blocksight.classify.systems.scedd import Scedd, rough_bytes
from blocksight.compare.measures.cleaneval import text_only
from blocksight.compare.measures.grading import SCEDD_TOLERANCE, scedd_error
from blocksight.compare.measures.overlap import word_bag
from blocksight.compare.outputs import system_output, try_marks
from blocksight.gold.pages import GoldPage
from blocksight.lexicon.words import count_sentences
from blocksight.page.arrays import Marks
from common import OpenPage, corpora_argument, limit_option, sample_pages, table_head, table_row
from numpy.typing import NDArray

# -- MSS (Pasternack and Roth, WWW 2009) ------------------------------------------------------------------------------

TAG_SCORES = (-20.0, -10.0, -7.0, -4.99, -4.5, -4.0, -3.5, -3.25, -3.0, -2.5, -2.14, -1.5, -1.0, -0.5)
_MARK = re.compile(r"<([phl])>", re.IGNORECASE)


def output_text(system: bs.System, page: bs.Page) -> str:
    """Return the output of a system, empty for a page that it refuses."""
    return system_output(page, try_marks(system, page)[0]).text


def is_story(paragraphs: Iterable[str]) -> bool:
    """Return whether paragraphs are an article: at least two of them, and eight sentences (section 4.1 of the paper).

    Ours: a paragraph contains the end of a sentence; other lines (headings, menus, names) are not counted.
    """
    ends = [count for count in map(count_sentences, paragraphs) if count]
    return len(ends) >= 2 and sum(ends) >= 8


def gold_is_story(gold: GoldPage) -> bool:
    """Return whether a gold text is an article: by its marks of paragraphs if it has any, else by its lines."""
    if not gold.structure.markup:
        return is_story(gold.text.splitlines())
    _, *parts = _MARK.split(gold.structure.markup)
    return is_story(text for kind, text in zip(parts[::2], parts[1::2], strict=True) if kind.lower() == "p")


@click.command()
@corpora_argument
@limit_option
def mss_tags(corpora: tuple[Path, ...], limit: int | None) -> None:
    """Measure simple MSS by the score of a tag, as in section 6.2.2 (the paper: above 90 % from -4.99 to -2.14)."""
    samples = {folder.name: sample_pages(folder, limit) for folder in corpora}
    table_head("tag", *(f"{name} ({len(pages)})" for name, pages in samples.items()))
    for score in TAG_SCORES:
        system = MssSimple(tag_score=score)
        means = [
            np.mean([word_bag(output_text(system, page), gold.text).f1 for gold, page in pages])
            for pages in samples.values()
        ]
        table_row(f"{score:g}", *(f"{mean:.3f}" for mean in means))


@click.command()
@corpora_argument
@limit_option
def mss_articles(corpora: tuple[Path, ...], limit: int | None) -> None:
    """Measure MSS on all pages and on articles alone, as at the end of section 7.7.

    Printed are CleanEval's text-only score, and precision, recall and F1 of words. In the paper people decided what an
    article is (61 % of CleanEval's pages); here it is a gold text with the two paragraphs and eight sentences of
    section 4.1.
    """
    system = MssCleaneval()
    table_head("mss-cleaneval", "pages", "text only", "precision", "recall", "F1")
    for folder in corpora:
        pages = sample_pages(folder, limit)
        texts = [(output_text(system, page), gold.text) for gold, page in pages]
        rows = np.asarray([(text_only(text, gold), *word_bag(text, gold)[:3]) for text, gold in texts])
        stories = np.asarray([gold_is_story(gold) for gold, _ in pages])
        for group, chosen in (("all", stories | True), ("articles", stories), ("others", ~stories)):
            if chosen.any():
                figures = [f"{figure:.3f}" for figure in rows[chosen].mean(axis=0)]
                table_row(f"{folder.name}, {group}", chosen.sum(), *figures)


# -- SCEDD (Xi, Guo and others, 2016, section 4) ----------------------------------------------------------------------

SHORT = 450
#: Upper ends of the bands of table 1, in bytes; those of the paper end at 450.
BANDS = (50, 100, 150, 200, 250, 300, 350, 400, 450, 1000, 2000, 4000, 8000)
BOTTOM = (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.99, 1.0)
TOP = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)


def is_wrong(gold: GoldPage, page: bs.Page, marks: Marks) -> bool:
    """Return whether the error of an output, as the paper defines it, is too large."""
    return min(scedd_error(system_output(page, marks).text, text) for text in gold.texts) > SCEDD_TOLERANCE


def print_lengths(pages: Sequence[OpenPage], sizes: Sequence[int]) -> None:
    """Print table 1."""
    wrong = np.asarray([is_wrong(gold, page, Cetd().mark(page)) for gold, page in pages])
    band = np.searchsorted(BANDS, sizes, side="right")
    table_head("bytes below", "pages", "wrong", "share", "pages up to here", "wrong", "share")
    for number, name in enumerate([*map(str, BANDS), "any"]):
        table_row(name, *length_cells(wrong[band == number]), *length_cells(wrong[band <= number]))


def length_cells(wrong: NDArray[np.bool_]) -> tuple[object, ...]:
    """Return pages, wrong pages and their share."""
    return len(wrong), wrong.sum(), f"{wrong.mean():.0%}" if len(wrong) else ""


@click.command()
@corpora_argument
@limit_option
@click.option("--all-lengths", is_flag=True, help="Count on all pages that the densest tag calls short.")
def scedd(corpora: tuple[Path, ...], limit: int | None, all_lengths: bool) -> None:
    """Measure short pages as the paper of SCEDD does; several corpora are counted together.

    Printed are how many pages are short by the densest tag (the paper), by the largest density sum (ours) and by the
    gold; table 1, pages and wrong pages of the density method (CETD) by bytes of the rough extraction, where a page is
    wrong if more than a fifth of the characters of the output are not in the gold; and figures 4 and 5, wrong pages of
    the method for short pages by its lowest and highest credible line, on pages whose gold is short.
    """
    pages = [pair for folder in corpora for pair in sample_pages(folder, limit)]
    by_tag, by_sum = ([rough_bytes(page, by_sum=rule) for _, page in pages] for rule in (False, True))
    by_gold = [min(len(text.encode("gb18030")) for text in gold.texts) for gold, _ in pages]
    rules = {"the densest tag, as in the paper": by_tag, "the largest density sum, ours": by_sum, "the gold": by_gold}
    for rule, sizes in rules.items():
        print(f"short by {rule}: {sum(size < SHORT for size in sizes)} of {len(pages)}")
    print()
    print_lengths(pages, by_sum)
    sizes = by_tag if all_lengths else by_gold
    short = [pair for pair, size in zip(pages, sizes, strict=True) if size < SHORT]
    for name, values in (("bottom_coefficient", BOTTOM), ("top_coefficient", TOP)):
        print()
        table_head(name, f"wrong of {len(short)}")
        for value in values:
            system = replace(Scedd(), **{name: value})  # type: ignore[arg-type]
            table_row(f"{value:g}", sum(is_wrong(gold, page, system.mark_short(page)) for gold, page in short))
