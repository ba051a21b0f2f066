"""Reports as self-contained HTML pages: of an evaluation, and of an agreement."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import jinja2
import pandas as pd

from ...files.atomic import write_text
from ...processes.progress import Progress
from ...version import VERSION
from ..agreement import Agreement
from ..evaluate import EvaluationConfig
from ..measures.measures import Measure
from ..scoring import CORPUS
from .gains import gains, styled_pages
from .gallery import GalleryPage, KeptText, gallery_of, kept_boxes, picture
from .leaderboard import Leaderboard, rank_systems
from .pairwise import label, pagewise_comparisons, pairwise_differences, top_systems
from .plots import cpu_times, dot, opening_times, panels, scatter_plot

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


def report_html(
    table: pd.DataFrame, measures: Sequence[Measure], gallery: Sequence[GalleryPage] = (), *, convention: str = CORPUS
) -> str:
    """Return the report of an evaluation.

    ``table`` is the result of :func:`~blocksight.compare.evaluate.evaluate`, ``gallery`` that of
    :func:`~blocksight.compare.report.gallery.gallery_of`. ValueError if no page was measured.
    """
    ranking = rank_systems(table, measures)
    names = top_systems(ranking)
    return _ENVIRONMENT.get_template("report.html").render(
        title=f"Evaluation on {ranking.title}",
        convention=convention,
        version=VERSION,
        leaderboard=ranking,
        leaderboard_dots=[dot(row) for row in ranking.rows],
        figures=_other_figures(ranking, measures),
        gains=gains(table, ranking.measure),
        styled=styled_pages(table),
        panels=panels(table, ranking),
        scatter_plot=scatter_plot(table, ranking),
        differences=pairwise_differences(table, ranking.measure, names),
        labels=[label(name) for name in names],
        comparisons=pagewise_comparisons(table, ranking.measure, names),
        cpu_times=cpu_times(ranking),
        opening_times=opening_times(table),
        gallery=gallery,
        most_choices=len(names) + 1,
        failures=_failures(table),
    )


def comparison_html(agreements: Sequence[tuple[str, Agreement]]) -> str:
    """Return a report of agreements on pages without gold, each with the name of its source."""
    pages = [(source, agreement, _agreement_page(source, agreement)) for source, agreement in agreements]
    template = _ENVIRONMENT.get_template("comparison.html")
    most = max((len(agreement.names) for _, agreement in agreements), default=0)
    return template.render(title="Agreement of systems", version=VERSION, pages=pages, most_choices=most)


def _agreement_page(source: str, agreement: Agreement) -> GalleryPage:
    page = agreement.page
    rows = zip(agreement.names, agreement.marks, strict=True)
    kept = tuple(KeptText(name=name, boxes=kept_boxes(page, marks)) for name, marks in rows)
    return GalleryPage(id=source, about=page.title, kept=kept, picture=picture(page))


def _other_figures(ranking: Leaderboard, measures: Sequence[Measure]) -> list[Measure]:
    computed = {name for row in ranking.rows for name in row.figures}
    return [measure for measure in measures if measure.name in computed and measure != ranking.measure]


def _failures(table: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    failed = table[table["error"].fillna("") != ""]
    return [
        (str(page), str(source), ", ".join(rows["system"]) if len(rows) < 4 else f"{len(rows)} systems", str(error))
        for (page, source, error), rows in failed.groupby(["page", "input", "error"], sort=False)
    ]


def write_report(
    config: EvaluationConfig, table: pd.DataFrame, progress: Progress = lambda *_: None, *, pages: int = 12
) -> Path:
    """Write ``report.html`` into an evaluation's folder and return its path; ``pages`` are shown in its gallery."""
    path = config.out / "report.html"
    gallery = gallery_of(config, table, progress, pages=pages) if pages else []
    write_text(path, report_html(table, config.measures, gallery, convention=config.convention))
    return path
