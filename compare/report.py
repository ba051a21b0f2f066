"""An evaluation, or an agreement, as one HTML page that needs nothing else: no network, no scripts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import jinja2
import pandas as pd

from ..classify.systems import system_named
from ..render.errors import BrowserMissing, PageFailed
from ..render.page import Page
from ..render.static import parse
from ..render.store import load, save
from ..render.version import VERSION
from .agreement import Agreement
from .board import GROUPS, Board, Line, board, by_group, with_groups
from .cases import Case
from .contests import Name, differences, duels, label, paired
from .evaluate import BASELINE, Evaluation
from .gallery import Exhibit, Kept, exhibit, kept_boxes, most_disputed, picture
from .measures import Measure
from .rendering import Progress, Renderer, saved_path
from .scoring import RAW, RENDERED

#: So many systems are set against each other and shown in the gallery.
CONTESTANTS = 6
#: So many are shown in the plots by group.
PLOTTED = 8

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A score with its interval."""

    label: str
    value: float
    low: float
    high: float
    visual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """An amount, and the same in words."""

    label: str
    amount: float
    words: str
    visual: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """Scores by one way of grouping pages: a heading and the systems' scores for each group."""

    title: str
    plots: tuple[tuple[str, tuple[Dot, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """A page's scores by two systems."""

    label: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """Two systems page by page."""

    x_label: str
    y_label: str
    points: tuple[Point, ...]


def report_html(table: pd.DataFrame, measures: Sequence[Measure], gallery: Sequence[Exhibit] = ()) -> str:
    """Write the report of an evaluation.

    Parameters
    ----------
    table : DataFrame
        As :func:`~blocksight.compare.evaluate.evaluate` gives it.
    measures : sequence of Measure
    gallery : sequence of Exhibit
        Pages to be shown (:func:`gallery_of`).

    Raises
    ------
    ValueError
        When no page was measured.
    """
    ranking = board(table, measures)
    names = contestants(ranking)
    template = _ENVIRONMENT.get_template("report.html")
    return template.render(
        title=f"Evaluation on {ranking.title}",
        version=VERSION,
        board=ranking,
        board_dots=[_dot(line) for line in ranking.lines],
        figures=_other_figures(ranking, measures),
        panels=_panels(table, ranking),
        pages=_pages_of_two(table, ranking),
        differences=differences(table, ranking.measure, names),
        labels=[label(name) for name in names],
        duels=duels(table, ranking.measure, names),
        cost=_cost(ranking),
        opening=_opening(table),
        gallery=gallery,
        most_choices=len(names),
        failures=_failures(table),
    )


def comparison_html(found: Sequence[tuple[str, Agreement]]) -> str:
    """Write a report of agreements on pages without gold, each with the name of its source."""
    exhibits = [(source, one, _comparison_exhibit(source, one)) for source, one in found]
    template = _ENVIRONMENT.get_template("comparison.html")
    most = max((len(one.names) for _, one in found), default=0)
    return template.render(title="Systems side by side", version=VERSION, pages=exhibits, most_choices=most)


def _comparison_exhibit(source: str, found: Agreement) -> Exhibit:
    rows = zip(found.names, found.marks, strict=True)
    kept = tuple(Kept(name=name, boxes=kept_boxes(found.page, marks)) for name, marks in rows)
    return Exhibit(id=source, about=found.page.title, kept=kept, picture=picture(found.page))


def contestants(ranking: Board, most: int = CONTESTANTS) -> list[Name]:
    """Give the first systems of a board, without the baseline, and behind them the baseline."""
    names = [(line.system, line.input) for line in ranking.lines]
    return [name for name in names if name[0] != BASELINE][:most] + [name for name in names if name[0] == BASELINE][:1]


def _dot(line: Line) -> Dot:
    score = line.score
    name = label((line.system, line.input))
    return Dot(label=name, value=score.value, low=score.low, high=score.high, visual=line.visual)


def _other_figures(ranking: Board, measures: Sequence[Measure]) -> list[Measure]:
    there = {name for line in ranking.lines for name in line.figures}
    return [measure for measure in measures if measure.name in there and measure != ranking.measure]


def _panels(table: pd.DataFrame, ranking: Board) -> list[Panel]:
    grouped = with_groups(table)
    lines = {(line.system, line.input): line for line in ranking.lines[:PLOTTED]}
    panels = []
    for column, title in GROUPS.items():
        found = by_group(grouped, column, ranking.measure)
        parts = found.groupby("group", sort=False)
        plots = tuple((f"{group} ({int(part['pages'].max())} pages)", _group(part, lines)) for group, part in parts)
        if plots:
            panels.append(Panel(title=title, plots=plots))
    return panels


def _group(part: pd.DataFrame, lines: dict[Name, Line]) -> tuple[Dot, ...]:
    """Scores in one group, in the order of the board."""
    rows = {
        (system, source): Dot(
            label=label((system, source)), value=value, low=low, high=high, visual=lines[system, source].visual
        )
        for _, system, source, _, value, low, high in part.itertuples(index=False, name=None)
        if (system, source) in lines
    }
    return tuple(rows[name] for name in lines if name in rows)


def _pages_of_two(table: pd.DataFrame, ranking: Board) -> Pages | None:
    """Best visual system against best other one; where there are not both, the best two."""
    lines = [line for line in ranking.lines if line.system != BASELINE]
    visual = next((line for line in lines if line.visual), None)
    plain = next((line for line in lines if not line.visual), None)
    pair = (plain, visual) if plain and visual else tuple(lines[1::-1])
    names: list[Name] = [(line.system, line.input) for line in pair if line]
    if len(names) < 2 or ranking.measure.lower:
        return None
    parts = paired(table, ranking.measure, names)
    columns = [parts[name][ranking.measure.main] for name in names]
    places = zip(columns[0].index, *columns, strict=True)
    points = tuple(Point(label=str(page), x=float(x), y=float(y)) for page, x, y in places)
    return Pages(x_label=label(names[0]), y_label=label(names[1]), points=points)


def _cost(ranking: Board) -> list[Bar]:
    return [
        Bar(
            label=label((line.system, line.input)),
            amount=line.seconds,
            words=f"{line.seconds * 1000:.1f} ms",
            visual=line.visual,
        )
        for line in sorted(ranking.lines, key=lambda line: line.seconds)
    ]


def _opening(table: pd.DataFrame) -> list[tuple[str, str]]:
    """Mean time to open a page, by input; none for pages that were opened by an earlier run that was killed."""
    opened = table.drop_duplicates(["page", "input"]).groupby("input")["open_seconds"].mean().dropna()
    words = {RAW: "Parsing raw HTML", RENDERED: "Rendering"}
    return [(words[str(source)], f"{seconds * 1000:.0f} ms") for source, seconds in opened.items()]


def _failures(table: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    wrong = table[table["error"].fillna("") != ""]
    return [
        (str(page), str(source), ", ".join(rows["system"]) if len(rows) < 4 else f"{len(rows)} systems", str(error))
        for (page, source, error), rows in wrong.groupby(["page", "input", "error"], sort=False)
    ]


# -- gallery --------------------------------------------------------------------------------------------------------


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
        exhibits.append(exhibit(case, opened, systems, scores, shown.get(case.id)))
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


def write_report(
    wanted: Evaluation, table: pd.DataFrame, progress: Progress = lambda *_: None, *, pages: int = 12
) -> Path:
    """Write ``report.html`` into an evaluation's folder and give its path; ``pages`` are shown in its gallery."""
    path = wanted.out / "report.html"
    gallery = gallery_of(wanted, table, progress, pages=pages) if pages else []
    path.write_text(report_html(table, wanted.measures, gallery), encoding="utf-8")
    return path
