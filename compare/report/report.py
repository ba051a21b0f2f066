"""An evaluation, an agreement or a judging as one HTML page that needs nothing else; only the last has a script."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from pathlib import Path

import jinja2
import pandas as pd

from ...classify.system import System
from ...files.atomic import write_text
from ...processes.progress import Progress
from ...version import VERSION
from ..agreement import Agreement
from ..blind_judging import Case, key_of
from ..evaluate import EvaluationConfig
from ..measures.grading import Grade
from ..measures.measures import Measure
from ..scoring import CORPUS
from .exhibition import gallery_of
from .gallery import Exhibit, KeptText, kept_boxes, picture
from .leaderboard import Leaderboard, board
from .pairwise import contestants, differences, duels, label
from .plots import cost, dot, opening, pages_of_two, panels

#: The page on which a person judges, and whose answers stand there.
JUDGE, KEY = "judge.html", "key.json"
_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


def report_html(
    table: pd.DataFrame, measures: Sequence[Measure], gallery: Sequence[Exhibit] = (), *, convention: str = CORPUS
) -> str:
    """Write the report of an evaluation.

    Parameters
    ----------
    table : DataFrame
        As :func:`~blocksight.compare.evaluate.evaluate` gives it.
    measures : sequence of Measure
    gallery : sequence of Exhibit
        Pages to be shown (:func:`gallery_of`).
    convention : str
        What the scores are by.

    Raises
    ------
    ValueError
        When no page was measured.
    """
    ranking = board(table, measures)
    names = contestants(ranking)
    template = _ENVIRONMENT.get_template("report.html")
    return template.render(
        title=f"EvaluationConfig on {ranking.title}",
        convention=convention,
        version=VERSION,
        board=ranking,
        board_dots=[dot(line) for line in ranking.lines],
        figures=_other_figures(ranking, measures),
        panels=panels(table, ranking),
        pages=pages_of_two(table, ranking),
        differences=differences(table, ranking.measure, names),
        labels=[label(name) for name in names],
        duels=duels(table, ranking.measure, names),
        cost=cost(ranking),
        opening=opening(table),
        gallery=gallery,
        most_choices=len(names) + 1,
        failures=_failures(table),
    )


def comparison_html(found: Sequence[tuple[str, Agreement]]) -> str:
    """Write a report of agreements on pages without gold, each with the name of its source."""
    exhibits = [(source, one, _comparison_exhibit(source, one)) for source, one in found]
    template = _ENVIRONMENT.get_template("comparison.html")
    most = max((len(one.names) for _, one in found), default=0)
    return template.render(title="Systems side by side", version=VERSION, pages=exhibits, most_choices=most)


def write_judging(folder: Path, corpus: str, systems: tuple[System, System], found: Sequence[Case]) -> Path:
    """Write the page on which a person judges answers without names (:mod:`~blocksight.compare.blind_judging`).

    Parameters
    ----------
    folder : Path
        Gets :data:`JUDGE`, and :data:`KEY`, which says whose the answers are; made where it does not exist.
    corpus : str
    systems : tuple of System
    found : sequence of Case

    Returns
    -------
    Path
        Of the page.
    """
    run = secrets.token_hex(8)
    html = _ENVIRONMENT.get_template("judge.html").render(
        title="Which answer is better?",
        version=VERSION,
        run=run,
        corpus=corpus,
        cases=found,
        grades=[str(grade) for grade in Grade],
        most_choices=1,
    )
    folder.mkdir(parents=True, exist_ok=True)
    write_text(folder / KEY, json.dumps(key_of(run, corpus, systems, found), ensure_ascii=False, indent=1))
    write_text(folder / JUDGE, html)
    return folder / JUDGE


def _comparison_exhibit(source: str, found: Agreement) -> Exhibit:
    rows = zip(found.names, found.marks, strict=True)
    kept = tuple(KeptText(name=name, boxes=kept_boxes(found.page, marks)) for name, marks in rows)
    return Exhibit(id=source, about=found.page.title, kept=kept, picture=picture(found.page))


def _other_figures(ranking: Leaderboard, measures: Sequence[Measure]) -> list[Measure]:
    there = {name for line in ranking.lines for name in line.figures}
    return [measure for measure in measures if measure.name in there and measure != ranking.measure]


def _failures(table: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    wrong = table[table["error"].fillna("") != ""]
    return [
        (str(page), str(source), ", ".join(rows["system"]) if len(rows) < 4 else f"{len(rows)} systems", str(error))
        for (page, source, error), rows in wrong.groupby(["page", "input", "error"], sort=False)
    ]


def write_report(
    wanted: EvaluationConfig, table: pd.DataFrame, progress: Progress = lambda *_: None, *, pages: int = 12
) -> Path:
    """Write ``report.html`` into an evaluation's folder and give its path; ``pages`` are shown in its gallery."""
    path = wanted.out / "report.html"
    gallery = gallery_of(wanted, table, progress, pages=pages) if pages else []
    write_text(path, report_html(table, wanted.measures, gallery, convention=wanted.convention))
    return path
