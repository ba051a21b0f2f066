"""The gallery of an evaluation: its disputed pages rendered once more, with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count

import pandas as pd

from ...classify.systems import system_named
from ...errors import BrowserMissing
from ...gold.pages import GoldPage
from ...gold.rendered import OFFLINE, missing_pages, read_page, render_missing, saved_path
from ...page.page import Page
from ...page.store import load
from ...processes.progress import Progress
from ..evaluate import EvaluationConfig
from ..measures.measures import Measure
from ..scoring import BASELINE, RENDERED
from .gallery import Exhibit, exhibit, most_disputed
from .leaderboard import board
from .pairwise import Name, contestants


def gallery_of(
    wanted: EvaluationConfig, table: pd.DataFrame, progress: Progress = lambda *_: None, *, pages: int = 12
) -> list[Exhibit]:
    """Show the pages on which the first systems of the board disagree most.

    Each page is rendered once more for its screenshot and kept in the folder's ``gallery``; without a browser there
    are no pictures.
    """
    ranking = board(table, wanted.measures)
    names = contestants(ranking)
    known = {system.card.name: system for system in wanted.systems}
    systems = [(known.get(name) or system_named(name), source) for name, source in names]
    ids = most_disputed(table, ranking.measure, [name for name in names if name[0] != BASELINE], pages)
    golds = {gold.id: gold for gold in wanted.pages()}
    chosen = [golds[identity] for identity in ids]
    shown = _pictured(wanted, chosen, progress)
    exhibits = []
    for number, gold in enumerate(chosen, 1):
        scores = _scores(table, ranking.measure, gold.id)
        opened = _pages(wanted, gold, {source for _, source in names})
        exhibits.append(exhibit(gold, opened, systems, scores, shown.get(gold.id), wanted.seconds))
        progress("gallery", number, len(chosen))
    return exhibits


def _scores(table: pd.DataFrame, measure: Measure, page: str) -> dict[Name, float]:
    rows = table[table["page"] == page]
    return {
        (str(system), str(source)): float(score)
        for system, source, score in zip(rows["system"], rows["input"], rows[measure.main], strict=True)
    }


def _pages(wanted: EvaluationConfig, gold: GoldPage, inputs: set[str]) -> dict[str, Page]:
    return {source: read_page(gold, wanted.rendered if source == RENDERED else None) for source in inputs}


def _pictured(wanted: EvaluationConfig, golds: Sequence[GoldPage], progress: Progress) -> dict[str, Page]:
    """Render pages with a screenshot, or take those that were; pages that fail are left without."""
    folder = wanted.out / "gallery"
    missing = missing_pages(golds, folder, screenshot=True)
    done = count(1)

    def note(*_: object) -> None:
        progress("screenshots", next(done), len(missing))

    with suppress(BrowserMissing):
        options = replace(OFFLINE, screenshot="full")
        render_missing(missing, folder, options=options, executable=wanted.executable, done=note)
    paths = {gold.id: saved_path(folder, gold) for gold in golds}
    return {identity: load(path) for identity, path in paths.items() if path.exists()}
