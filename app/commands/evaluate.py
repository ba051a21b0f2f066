"""``blocksight evaluate``: systems measured on a corpus with gold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import click
import pandas as pd
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from ...classify.system import System
from ...classify.systems import ORACLES, SYSTEMS, system_named
from ...compare.evaluate import SPLITS, Evaluation, evaluate
from ...compare.measures.measures import MEASURES, Measure, measure_named
from ...compare.report.board import Board, Line, board
from ...compare.report.report import write_report
from ...compare.scoring import RAW, RENDERED
from ...gold.split import read_sites
from ...render.errors import BlocksightError, BrowserMissing

T = TypeVar("T")

#: Stands for every system among the names of some.
ALL = "all"
#: What --on means.
ON = {"raw": (RAW,), "rendered": (RENDERED,), "both": (RAW, RENDERED)}


def chosen_systems(_: click.Context, __: click.Parameter, value: str | None) -> tuple[System, ...] | None:
    """Turn names with commas between them into systems, "all" into all that are listed; None where none is named."""
    return None if value is None else _by_name(_spelled(value), system_named)


def _evaluated(_: click.Context, __: click.Parameter, value: str | None) -> tuple[System, ...]:
    """Do the same, with the upper bounds among the names: where there is gold, they can be told."""
    return SYSTEMS if value is None else _by_name(_spelled(value), _system_or_oracle)


def _system_or_oracle(name: str) -> System:
    return ORACLES[name]("") if name in ORACLES else system_named(name)


def _spelled(value: str) -> str:
    everything = ",".join(system.card.name for system in SYSTEMS)
    return ",".join(everything if name.strip() == ALL else name for name in value.split(","))


def _measures(_: click.Context, __: click.Parameter, value: str | None) -> tuple[Measure, ...]:
    return MEASURES if value is None else _by_name(value, measure_named)


def _by_name(value: str, named: Callable[[str], T]) -> tuple[T, ...]:
    try:
        return tuple(named(name) for name in dict.fromkeys(filter(None, (part.strip() for part in value.split(",")))))
    except ValueError as error:
        raise click.BadParameter(str(error)) from error


@contextmanager
def bar(what: str) -> Iterator[Callable[[str, int, int], None]]:
    """Show progress on standard error when a person is watching."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(
        *columns, TimeRemainingColumn(), console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        task = shown.add_task(what, total=None)
        yield lambda what, done, total: shown.update(task, description=what, completed=done, total=total or None)


@click.command("evaluate", epilog="Example: blocksight evaluate corpora/cleaneval --limit 60 --workers 2 -o results")
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option(
    "--systems", callback=_evaluated, metavar="NAME,...", help="Of `blocksight systems`, or all (the default)."
)
@click.option("--measures", callback=_measures, metavar="NAME,...", help="Default: all; the first one ranks.")
@click.option("--limit", type=click.IntRange(min=1), help="So many pages, the same every time.")
@click.option("--workers", type=click.IntRange(min=1), default=1, show_default=True, help="Pages at once.")
@click.option("--on", type=click.Choice(tuple(ON)), default="raw", show_default=True, help="What systems are given.")
@click.option("--split", type=click.Choice(SPLITS), default="dev", show_default=True, help="Pages for training or not.")
@click.option(
    "--sites",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Split of each site, whatever the corpus says: site<TAB>split a line.",
)
@click.option(
    "--seconds", type=click.FloatRange(min=0.1), default=60.0, show_default=True, help="For a system and a page."
)
@click.option(
    "--gallery", type=click.IntRange(min=0), default=12, show_default=True, help="Pages to show in the report."
)
@click.option("--browser", metavar="PROGRAM", help="The browser's program, instead of the one that is found.")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), required=True, help="Folder for the results."
)
def evaluate_command(
    corpus: Path,
    systems: tuple[System, ...],
    measures: tuple[Measure, ...],
    limit: int | None,
    workers: int,
    on: str,
    split: str,
    sites: Path | None,
    seconds: float,
    gallery: int,
    browser: str | None,
    output: Path,
) -> None:
    """Measure systems on a corpus of pages with gold.

    CORPUS is a folder in one of the usual forms. The results are scores.parquet, scores.csv and report.html in the
    folder given by -o; a run that was interrupted goes on from there.
    """
    wanted = Evaluation(
        corpus=corpus,
        out=output,
        systems=systems,
        measures=measures,
        inputs=ON[on],
        limit=limit,
        split=split,
        sites=read_sites(sites) if sites else None,
        workers=workers,
        seconds=seconds,
        executable=browser,
    )
    try:
        with bar("reading the corpus") as progress:
            table = evaluate(wanted, progress)
    except (BrowserMissing, ImportError) as error:
        raise click.ClickException(str(error)) from error
    except (BlocksightError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or output}: {error.strerror or error}") from error
    _complain(table)
    _report(wanted, table, gallery)


def _report(wanted: Evaluation, table: pd.DataFrame, gallery: int) -> None:
    try:
        _print_board(board(table, wanted.measures))
        with bar("writing the report") as progress:
            report = write_report(wanted, table, progress, pages=gallery)
    except (BlocksightError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{len(table)} rows in {wanted.out / 'scores.parquet'}; the report is {report}", err=True)


def _print_board(found: Board) -> None:
    """Print the leader board: aligned for a person, wide enough not to be cut for a pipe."""
    console = Console(width=None if Console().is_terminal else 200)
    table = Table(title=f"{found.title}: {found.measure.title}, mean and 95 % interval over {found.pages} pages")
    for name in ("system", "input"):
        table.add_column(name, no_wrap=True)
    for name in ("score", "interval", "below .5", "ms a page", "failed"):
        table.add_column(name, justify="right", no_wrap=True)
    for line in found.lines:
        table.add_row(*_cells(line))
    console.print(table)


def _cells(line: Line) -> tuple[str, ...]:
    score = line.score
    return (
        line.system,
        line.input,
        f"{score.value:.3f}",
        f"{score.low:.3f} to {score.high:.3f}",
        f"{line.poor:.0%}",
        f"{line.seconds * 1000:.1f}",
        str(line.failed or ""),
    )


def _complain(table: pd.DataFrame) -> None:
    """Name pages and systems that failed, on standard error."""
    wrong = table[table["error"].fillna("") != ""]
    for (page, source, error), rows in wrong.groupby(["page", "input", "error"], sort=False):
        who = "" if len(rows) > 1 else f", {rows['system'].iloc[0]}"
        click.echo(f"{page} ({source}{who}): {error}", err=True)
