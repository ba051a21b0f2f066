"""The report of an evaluation as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import jinja2
import pandas as pd

from ...files.atomic import write_text
from ...version import VERSION
from ..evaluate import EvaluationConfig
from ..measures.measures import Measure
from .leaderboard import pairwise_differences, rank_systems

_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


def report_html(table: pd.DataFrame, measures: Sequence[Measure]) -> str:
    """Return the report of an evaluation.

    ``table`` is the result of :func:`~blocksight.compare.evaluate.evaluate`. ValueError if no page was measured.
    """
    ranking = rank_systems(table, measures)
    computed = {name for row in ranking.rows for name in row.figures}
    return _ENVIRONMENT.get_template("report.html").render(
        title=f"Evaluation on {ranking.title}",
        version=VERSION,
        leaderboard=ranking,
        figures=[measure for measure in measures if measure.name in computed and measure != ranking.measure],
        differences=pairwise_differences(table, ranking.measure, ranking.compared),
        failures=_failures(table),
    )


def _failures(table: pd.DataFrame) -> list[tuple[str, str, str, str]]:
    failed = table[table["error"].fillna("") != ""]
    return [
        (str(page), str(source), ", ".join(rows["system"]) if len(rows) < 4 else f"{len(rows)} systems", str(error))
        for (page, source, error), rows in failed.groupby(["page", "input", "error"], sort=False)
    ]


def write_report(config: EvaluationConfig, table: pd.DataFrame) -> Path:
    """Write ``report.html`` into an evaluation's folder and return its path."""
    path = config.out / "report.html"
    write_text(path, report_html(table, config.measures))
    return path
