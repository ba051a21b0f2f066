"""Reports as self-contained HTML pages: of an evaluation, and of the agreement of systems."""

from __future__ import annotations

import base64
import io
from collections.abc import Hashable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
import numpy as np
import pandas as pd
from PIL import Image

from ...files.atomic import write_text
from ...page.arrays import Marks
from ...page.page import Page
from ...segment.blocks import leaf_boxes, text_blocks
from ...version import VERSION
from ..agreement import Agreement
from ..evaluate import EvaluationConfig
from ..measures.measures import Measure
from .leaderboard import GROUPS, Leaderboard, by_group, pairwise_differences, rank_systems

#: Width of a picture, and where a long page is cut, in CSS pixels of the page.
PICTURE_WIDTH, TALLEST = 720, 3000
_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).with_name("templates")),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)


class Picture(NamedTuple):
    """A screenshot: a small WebP as a ``data:`` URL, and the size of the area that it shows in CSS pixels."""

    url: str
    width: float
    height: float


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
        groups=_groups(table, ranking),
        differences=pairwise_differences(table, ranking.measure, ranking.compared),
        failures=_failures(table),
    )


def _groups(table: pd.DataFrame, ranking: Leaderboard) -> list[tuple[str, list[tuple[str, list[dict[Hashable, Any]]]]]]:
    """Return the compared systems' figures for each way of grouping pages: its title, and rows by group."""
    names = list(zip(table["system"], table["input"], strict=True))
    grouped = table[[name in ranking.compared for name in names]]
    grouped = grouped.assign(look=grouped["styled"].map({True: "styled", False: "plain"}))
    tables = []
    for column, title in GROUPS.items():
        rows = by_group(grouped, column, ranking.measure).to_dict("records")
        by_name = [(str(name), list(part)) for name, part in groupby(rows, key=lambda row: row["group"])]
        tables += [(title, by_name)] if by_name else []
    return tables


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


def comparison_html(agreements: Sequence[tuple[str, Agreement]]) -> str:
    """Return a report of agreements on pages without gold, each with the name of its source."""
    pages = []
    for source, agreement in agreements:
        rows = zip(agreement.names, agreement.marks, strict=True)
        overlays = [(name, kept_boxes(agreement.page, marks)) for name, marks in rows]
        pages.append((source, agreement, picture(agreement.page), overlays))
    most = max((len(agreement.names) for _, agreement in agreements), default=0)
    template = _ENVIRONMENT.get_template("comparison.html")
    return template.render(title="Agreement of systems", version=VERSION, pages=pages, most_choices=most)


def kept_boxes(page: Page, marks: Marks) -> list[list[float]]:
    """Return the boxes of the marked lines of each paragraph within the picture: x, y, width and height."""
    blocks = text_blocks(page)
    boxes = leaf_boxes(page, np.where(marks, blocks.leaf_block, -1).astype(np.int32), len(blocks))
    inside = boxes[np.isfinite(boxes[:, 0]) & (boxes[:, 1] < TALLEST)]
    return [list(map(float, box)) for box in inside.astype(np.float64).round(1)]


def picture(page: Page) -> Picture | None:
    """Return a small picture of a page's screenshot; None without one."""
    if page.screenshot is None:
        return None
    image = Image.open(io.BytesIO(page.screenshot)).convert("RGB")
    image = image.crop((0, 0, image.width, min(image.height, TALLEST)))
    small = image.resize((PICTURE_WIDTH, max(round(image.height * PICTURE_WIDTH / image.width), 1)))
    out = io.BytesIO()
    small.save(out, "WEBP", quality=45)
    url = f"data:image/webp;base64,{base64.b64encode(out.getvalue()).decode()}"
    return Picture(url=url, width=float(image.width), height=float(image.height))
