"""The gallery of an evaluation: its disputed pages rendered once more, with pictures."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import pandas as pd

from ...classify.systems import system_named
from ...gold.pages import Case
from ...render.errors import BrowserMissing, PageFailed
from ...render.page import Page
from ...render.progress import Progress
from ...render.static import parse
from ...render.store import load, save
from ..evaluate import Evaluation
from ..measures.measures import Measure
from ..rendering import Renderer, saved_path
from ..scoring import BASELINE, RAW, RENDERED
from .board import board
from .contests import Name, contestants
from .gallery import Exhibit, exhibit, most_disputed


def gallery_of(
    wanted: Evaluation, table: pd.DataFrame, progress: Progress = lambda *_: None, *, pages: int = 12
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
    cases = {case.id: case for case in wanted.cases()}
    chosen = [cases[identity] for identity in ids]
    shown = _pictured(wanted, chosen, progress)
    exhibits = []
    for number, case in enumerate(chosen, 1):
        scores = _scores(table, ranking.measure, case.id)
        opened = _pages(wanted, case, {source for _, source in names})
        exhibits.append(exhibit(case, opened, systems, scores, shown.get(case.id), wanted.seconds))
        progress("gallery", number, len(chosen))
    return exhibits


def _scores(table: pd.DataFrame, measure: Measure, page: str) -> dict[Name, float]:
    rows = table[table["page"] == page]
    return {
        (str(system), str(source)): float(score)
        for system, source, score in zip(rows["system"], rows["input"], rows[measure.main], strict=True)
    }


def _pages(wanted: Evaluation, case: Case, inputs: set[str]) -> dict[str, Page]:
    pages = {}
    if RAW in inputs:
        pages[RAW] = parse(case.raw(), url=case.url or case.path.name, encoding=case.encoding)
    if RENDERED in inputs:
        pages[RENDERED] = load(saved_path(wanted.out, case))
    return pages


def _pictured(wanted: Evaluation, cases: Sequence[Case], progress: Progress) -> dict[str, Page]:
    """Render pages with a screenshot, or take those that were; pages that fail are left without."""
    paths = {case.id: saved_path(wanted.out, case, "gallery") for case in cases}
    missing = [case for case in cases if not paths[case.id].exists()]
    if missing:
        with suppress(BrowserMissing):
            _take_pictures(wanted, missing, progress)
    return {identity: load(path) for identity, path in paths.items() if path.exists()}


def _take_pictures(wanted: Evaluation, cases: Sequence[Case], progress: Progress) -> None:
    (wanted.out / "gallery").mkdir(exist_ok=True)
    with Renderer(wanted.corpus, cases, executable=wanted.executable, screenshot=True) as renderer:
        for number, case in enumerate(cases, 1):
            with suppress(PageFailed, OSError):
                save(renderer.open(case), saved_path(wanted.out, case, "gallery"))
            progress("screenshots", number, len(cases))
