"""Comparison of segmentations, for the command ``compare --blocks``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any, get_args

import click

from ..errors import PageFailed, SegmentationUnreadable
from .console import stdout_console
from .job import start_job

if TYPE_CHECKING:
    from ..page.page import Page

#: Names of two segmentations, the unit, precision, recall and F1 of the first against the second (None if undefined).
Row = tuple[str, str, str, float | None, float | None, float | None]


def compare_segmentations(
    sources: Sequence[str], names: Sequence[str], options: dict[str, Any], *, as_json: bool
) -> None:
    """Print extended BCubed of each pair of segmentations of each page."""
    import orjson

    options = options | {"device_scale": 1.0}
    job = start_job(tuple(sources), options, screenshot="full")
    with job.run():
        for source, rows in job.results(partial(_compared, names=tuple(names))):
            if as_json:
                keys = ("one", "other", "over", "precision", "recall", "f1")
                pairs = [dict(zip(keys, row, strict=True)) for row in rows]
                click.echo(orjson.dumps({"source": source, "pairs": pairs}).decode())
            else:
                _print(source, rows)


def _compared(page: Page, *, names: tuple[str, ...]) -> list[Row]:
    from ..segment.reading import read_segments

    if page.geometry is None:
        raise PageFailed(page.url, "this page was saved without geometry; render it again")
    try:
        segmentations = {name: blocks for spec in names for name, blocks in read_segments(page, spec).items()}
    except (SegmentationUnreadable, ValueError, OSError) as error:
        raise PageFailed(page.url, str(error)) from error
    if len(segmentations) < 2:
        raise PageFailed(page.url, f"two segmentations are needed, there is {', '.join(segmentations)} only")
    return [row for one, other in combinations(segmentations, 2) for row in _scores(page, one, other, segmentations)]


def _scores(page: Page, one: str, other: str, segmentations: dict[str, Any]) -> list[Row]:
    from ..compare.segmentation.bcubed import Over, compare_blocks

    rows: list[Row] = []
    for over in get_args(Over):
        try:
            scores = compare_blocks(page, segmentations[one], segmentations[other], over=over)
        except (ImportError, ValueError):
            # Only edges need a screenshot and scikit-image.
            continue
        numbers = (scores.precision, scores.recall, scores.f1)
        precision, recall, f1 = (None if math.isnan(number) else round(number, 4) for number in numbers)
        rows.append((one, other, over, precision, recall, f1))
    return rows


def _print(source: str, rows: Sequence[Row]) -> None:
    from rich.table import Table

    table = Table(title=f"{source}: extended BCubed of the first against the second", title_justify="left")
    for name in ("first", "second", "over"):
        table.add_column(name)
    for name in ("precision", "recall", "F1"):
        table.add_column(name, justify="right")
    before = ("", "")
    for one, other, over, *numbers in rows:
        pair = (one, other) if (one, other) != before else ("", "")
        table.add_row(*pair, over, *("" if number is None else f"{number:.3f}" for number in numbers))
        before = (one, other)
    stdout_console().print(table)
