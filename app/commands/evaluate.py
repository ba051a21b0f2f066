"""The command ``blocksight evaluate``: systems scored on a corpus with gold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...compare.evaluate import SPLITS, EvaluationConfig
from ...compare.scoring import RAW, RENDERED
from ...errors import BlocksightError, BrowserMissing
from ..command_options import FOLDER, OneOf, named, spelled
from ..command_options import browser as browser_option
from ..command_options import sites as sites_option
from ..console import ProgressBar, complain, say, stdout_console

if TYPE_CHECKING:
    import pandas as pd

    from ...classify.system import System
    from ...compare.measures.measures import Measure
    from ...compare.report.leaderboard import Leaderboard

#: Inputs of --on.
ON = {"raw": (RAW,), "rendered": (RENDERED,), "both": (RAW, RENDERED)}


def _systems(_: click.Context, __: click.Parameter, value: str | None) -> tuple[System, ...]:
    """Parse names of systems, including upper bounds, which need the gold of the corpus."""
    from ...classify.systems import SYSTEMS

    return SYSTEMS if value is None else named(spelled(value), _system_or_oracle)


def _system_or_oracle(name: str) -> System:
    from ...classify.systems import ORACLES, system_named

    return ORACLES[name]("") if name in ORACLES else system_named(name)


def _measures(_: click.Context, __: click.Parameter, value: str | None) -> tuple[Measure, ...]:
    from ...compare.measures.measures import MEASURES, measure_named

    return MEASURES if value is None else named(value, measure_named)


@click.command(epilog="Example: blocksight evaluate corpora/cleaneval --limit 60 --workers 2 -o results")
@click.argument("corpus", type=click.Path(path_type=Path))
@click.option(
    "--systems", callback=_systems, metavar="NAME,...", help="Names from `blocksight systems`; all by default."
)
@click.option(
    "--measures", callback=_measures, metavar="NAME,...", help="Names of measures; all by default. The first one ranks."
)
@click.option("--limit", type=click.IntRange(min=1), help="Maximum number of pages (a fixed sample).")
@click.option("--workers", type=click.IntRange(min=1), default=1, help="Concurrent pages.")
@click.option("--on", type=OneOf(tuple(ON)), default="raw", help="Input of the systems.")
@click.option("--split", type=OneOf(SPLITS), default="dev", help="Pages to use; dev are those not used for training.")
@sites_option
@click.option("--seconds", type=click.FloatRange(min=0.1), default=60.0, help="Time limit for one system on one page.")
@browser_option
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder for the results.")
def evaluate(
    corpus: Path, systems: tuple[System, ...], measures: tuple[Measure, ...], output: Path, **options: Any
) -> None:
    """Measure systems on a corpus of pages with gold.

    CORPUS is a folder in one of the usual forms. The results are scores.parquet, scores.csv and report.html in the
    folder of -o. Called again, it does not render pages again.
    """
    from ...compare.evaluate import evaluate as evaluate_systems

    config = EvaluationConfig(
        corpus=corpus,
        out=output,
        systems=systems,
        measures=measures,
        inputs=ON[options["on"]],
        executable=options["browser"],
        **{name: options[name] for name in ("sites", "limit", "split", "workers", "seconds")},
    )
    try:
        with ProgressBar("reading the corpus") as bar:
            table = evaluate_systems(config, bar)
    except (BrowserMissing, ImportError) as error:
        raise click.ClickException(str(error)) from error
    except (BlocksightError, ValueError) as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        raise click.ClickException(f"{error.filename or output}: {error.strerror or error}") from error
    _complain(table)
    _report(config, table)


def _report(config: EvaluationConfig, table: pd.DataFrame) -> None:
    from ...compare.report.leaderboard import rank_systems
    from ...compare.report.report import write_report

    try:
        _print_board(rank_systems(table, config.measures))
        report = write_report(config, table)
    except (BlocksightError, ValueError) as error:
        raise click.ClickException(str(error)) from error
    say(f"{len(table)} rows in {config.out / 'scores.parquet'}; the report is {report}")


def _print_board(board: Leaderboard) -> None:
    from rich.table import Table

    about = f"{board.measure.title}, mean and 95 % interval over {board.pages} pages"
    table = Table(title=f"{board.title}: {about}")
    for name in ("system", "input"):
        table.add_column(name, no_wrap=True)
    for name in ("score", "interval", "below .5", "ms a page", "failed"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in board.rows:
        score, milliseconds = row.score, f"{row.seconds * 1000:.1f}"
        figures = f"{score.value:.3f}", f"{score.low:.3f} to {score.high:.3f}", f"{row.poor:.0%}", milliseconds
        table.add_row(row.system, row.input, *figures, str(row.failed or ""))
    stdout_console().print(table)


def _complain(table: pd.DataFrame) -> None:
    failed = table[table["error"].fillna("") != ""]
    for (page, source, error), rows in failed.groupby(["page", "input", "error"], sort=False):
        who = "" if len(rows) > 1 else f", {rows['system'].iloc[0]}"
        complain(f"{page} ({source}{who})", str(error))
