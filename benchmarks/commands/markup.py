"""Accuracy on pages with less markup: the same text and picture, and fewer names and semantic elements."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from blocksight.classify.system import page_for
from blocksight.classify.systems import as_system
from blocksight.compare.measures.significance import grouped_difference
from blocksight.features.visual.styled import is_styled
from blocksight.gold.anonymised import Markup, with_markup
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

#: Systems of the table by default.
SYSTEMS = ("blocksight", "blocksight-dom")


@click.command()
@corpora_argument
@limit_option
@click.option("--rendered", type=FOLDER, required=True, help="Folder with rendered pages, CORPUS/ID.page.")
@click.option("--systems", type=List(str), default=SYSTEMS, show_default=True, help="Names, separated by commas.")
def markup(corpora: tuple[Path, ...], limit: int | None, rendered: Path, systems: list[str]) -> None:
    """Measure word-bag F1 on styled pages as they are, and on copies of them with less markup.

    Each copy has the geometry of the original: what a person sees is the same. The loss is that against the original,
    with its interval by resampling sites.
    """
    pages = [
        (gold, page) for folder in corpora for gold, page in sample_pages(folder, limit, rendered) if is_styled(page)
    ]
    if not pages:
        skip("there are no rendered pages with style sheets")
    sites = [gold.site for gold, _ in pages]
    print(f"{len(pages)} styled pages of {len(set(sites))} sites")
    table_head("system", *(f"{kind}" for kind in Markup))
    for name in systems:
        system = as_system(name)
        scores = {
            kind: np.asarray(
                [[system_f1(system, gold, page_for(system, with_markup(page, kind)))] for gold, page in pages]
            )
            for kind in Markup
        }
        cells = [f"{scores[Markup.ORIGINAL].mean():.3f}"]
        for kind in list(Markup)[1:]:
            loss = grouped_difference(scores[kind], scores[Markup.ORIGINAL], sites)
            cells.append(f"{scores[kind].mean():.3f} ({loss.value:+.3f} [{loss.low:+.3f}, {loss.high:+.3f}])")
        table_row(name, *cells)
