"""Accuracy on pages with less markup: the same text and picture, and fewer names and semantic elements."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from blocksight.classify.system import System, page_for
from blocksight.classify.systems import as_system
from blocksight.compare.measures.significance import difference
from blocksight.features.visual.styled import is_styled
from blocksight.gold.anonymised import Markup, with_markup
from blocksight.gold.pages import GoldPage
from blocksight.page.arrays import FloatArray
from blocksight.page.page import Page
from common import (
    FOLDER,
    List,
    corpora_argument,
    limit_option,
    sample_pages,
    skip,
    system_f1,
    table_head,
    table_row,
)

#: Copies that are made of a page.
COPIES = [kind for kind in Markup if kind not in (Markup.ORIGINAL, Markup.REBUILT)]
#: Systems of the table by default.
SYSTEMS = ("blocksight", "blocksight-dom")


@click.command()
@corpora_argument
@limit_option
@click.option("--rendered", type=FOLDER, required=True, help="Folder with rendered pages, CORPUS/ID.page.")
@click.option("--systems", type=List(str), default=SYSTEMS, show_default=True, help="Names, separated by commas.")
@click.option("--rebuilt", type=FOLDER, multiple=True, help="Corpus of rebuilt pages with the ids of their originals.")
def markup(
    corpora: tuple[Path, ...], limit: int | None, rendered: Path, systems: list[str], rebuilt: tuple[Path, ...]
) -> None:
    """Measure word-bag F1 on styled pages as they are, and on copies of them with less markup.

    Each copy has the geometry of the original: what a person sees is the same. The loss is that against the original,
    with its interval by resampling sites. With ``--rebuilt``, a last column has pages that were rebuilt as plain boxes,
    against their originals among the pages of the table.
    """
    pages = _styled(corpora, limit, rendered)
    if not pages:
        skip("there are no rendered pages with style sheets")
    sites = [gold.site for gold, _ in pages]
    print(f"{len(pages)} styled pages of {len(set(sites))} sites")
    by_name = {(gold.site, gold.id): row for row, (gold, _) in enumerate(pages)}
    again = [each for each in _styled(rebuilt, None, rendered) if (each[0].site, each[0].id) in by_name]
    originals = [by_name[gold.site, gold.id] for gold, _ in again]
    last = [f"rebuilt ({len(again)} pages)"] * bool(rebuilt)
    table_head("system", *(f"{kind}" for kind in (Markup.ORIGINAL, *COPIES)), *last)
    for name in systems:
        system = as_system(name)
        known = _scores(system, pages, Markup.ORIGINAL)
        cells = [f"{known.mean():.3f}"]
        cells += [_cell(_scores(system, pages, kind), known, sites) for kind in COPIES]
        if again:
            cells.append(
                _cell(_scores(system, again, Markup.REBUILT), known[originals], [sites[row] for row in originals])
            )
        table_row(name, *cells, *["-"] * (bool(rebuilt) and not again))


def _styled(corpora: tuple[Path, ...], limit: int | None, rendered: Path) -> list[tuple[GoldPage, Page]]:
    """Return the rendered pages of some corpora that have style sheets."""
    return [each for folder in corpora for each in sample_pages(folder, limit, rendered) if is_styled(each[1])]


def _scores(system: System, pages: list[tuple[GoldPage, Page]], kind: Markup) -> FloatArray:
    """Return the F1 of a system on copies of pages, float64 (pages, 1)."""
    return np.asarray([[system_f1(system, gold, page_for(system, with_markup(page, kind)))] for gold, page in pages])


def _cell(scores: FloatArray, known: FloatArray, sites: list[str]) -> str:
    """Return a mean with its difference from known scores."""
    loss = difference(scores, known, groups=sites)
    return f"{scores.mean():.3f} ({loss.value:+.3f} [{loss.low:+.3f}, {loss.high:+.3f}])"
