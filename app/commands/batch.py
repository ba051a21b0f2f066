"""The command ``blocksight batch``: extract many pages into a folder, and continue an interrupted run."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...batch.batch_options import BatchOptions, RateLimits
from ...batch.output.ledger import NAME, read_counts
from ...batch.output.output import FORMATS
from ...batch.row_schema import FAILURES
from ...batch.sources.lists import check_lists
from ...errors import RunStopped
from ...files.buckets import is_bucket
from ...page.metadata.usage import USES
from ..command_options import (
    FOLDER,
    OneOf,
    PageCommand,
    browser_mode,
    chosen_system,
    chosen_systems,
    images,
    no_browser,
    program,
    refuse_page_options,
    render_options,
    rendering,
    system_options,
)
from ..console import ProgressBar, end_on_sigterm, report_errors, say

if TYPE_CHECKING:
    from ...batch.run import Run
    from ...classify.system import System

_UNITS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
_LIMITS = RateLimits()
_DEFAULTS = BatchOptions()


def _shard(_: click.Context, __: click.Parameter, value: str) -> tuple[int, int]:
    parts = re.fullmatch(r"(\d{1,9})/(\d{1,9})", value)
    if parts is None or not 1 <= int(parts[1]) <= int(parts[2]):
        raise click.BadParameter("should look like 1/4, from 1/4 to 4/4")
    return int(parts[1]), int(parts[2])


def _since(_: click.Context, __: click.Parameter, value: str | None) -> float | Path | None:
    if value is None:
        return None
    if (Path(value) / NAME).is_file():
        return Path(value)
    ago = re.fullmatch(r"(\d+)([mhdw])", value)
    if ago:
        return time.time() - int(ago[1]) * _UNITS[ago[2]]
    try:
        return datetime.fromisoformat(value).timestamp()
    except ValueError as error:
        raise click.BadParameter(
            "should look like 2026-11-30, 2026-11-30T12:00 or 7d (m, h, d, w), or be the folder of an earlier run"
        ) from error


@click.command(cls=PageCommand, epilog="Example: blocksight batch urls.txt -o corpus")
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option("-o", "--output", type=FOLDER, metavar="DIR", required=True, help="Folder of the rows and the ledger.")
@click.option("--format", type=OneOf(FORMATS), default=_DEFAULTS.format, help="Format of the rows.")
@click.option("--shard-rows", type=click.IntRange(min=1), default=_DEFAULTS.shard_rows, help="Rows of one file.")
@click.option("--save-pages", is_flag=True, help="Save each rendered page as a file, too.")
@click.option(
    "--archives",
    default="",
    metavar="PREFIX",
    help="Folder or bucket of the archives that an index names (url, filename, offset, length); by default its folder.",
)
@click.option("--column", help="Column of .csv and .jsonl lists with the sources.")
@click.option(
    "--shard", callback=_shard, metavar="I/N", default="1/1", help="Process part I of N only: on N computers, all."
)
@click.option("--workers", type=click.IntRange(min=1), default=_DEFAULTS.workers, help="Concurrent pages.")
@click.option(
    "--addresses-only",
    is_flag=True,
    help="Accept http(s) addresses only, for lists by others: a file that is named in one is a row with the reason.",
)
@click.option(
    "--retry",
    type=OneOf(("failed", *(kind for kind in FAILURES if kind != "failed"))),
    multiple=True,
    metavar="KIND",
    help="Repeat inputs that failed in an earlier run: all (failed) or those of a kind.",
)
@click.option(
    "--since",
    callback=_since,
    metavar="WHEN",
    help="Repeat inputs that were last done before a date, or longer ago than an age (7d); or the folder of an earlier "
    "run. Rows of pages that have not changed are carried over.",
)
@click.option("--per-host", type=click.IntRange(min=1), default=_LIMITS.per_host, help="Concurrent pages of a host.")
@click.option(
    "--delay",
    type=click.FloatRange(min=0),
    default=_LIMITS.delay,
    help="Seconds from the start of one page of a host to the next.",
)
@click.option("--ignore-robots", is_flag=True, help="Do not read robots.txt; for your own sites.")
@click.option(
    "--robots-agent", "robots_agent", default=_LIMITS.user_agent, help="Product token for which robots.txt is read."
)
@click.option(
    "--respect-usage",
    type=OneOf(USES),
    multiple=True,
    help="Leave out pages that reserve a use: by robots.txt, tdmrep.json, headers or meta elements.",
)
@click.option(
    "--max-attempts",
    type=click.IntRange(min=1),
    default=_LIMITS.max_attempts,
    help="Requests for a page whose failure may pass: a busy server, a fault of it, no connection, no answer.",
)
@system_options
@click.option(
    "--systems",
    callback=chosen_systems,
    metavar="NAME,...",
    help="More systems: a column with the text of each, and how far all agree.",
)
@click.option(
    "--hidden", type=OneOf(("drop", "keep")), default=_DEFAULTS.hidden, help="What to do with invisible text."
)
@images
@no_browser
@click.option("--status", is_flag=True, help="Print what is done, also during a run in DIR, and process nothing.")
@click.option("--summary", type=OneOf(("text", "json")), default="text", help="How to print the summary.")
@rendering
def batch(sources: tuple[str, ...], output: Path, model: Path | None, system: str, **options: Any) -> None:
    """Extract many pages into a folder: one row per page, also for failures.

    SOURCE is an address, a file, a folder, a list (.txt, .csv, .jsonl; @FILE for any other name, @- for standard
    input), or an archive (WARC, WACZ) with all its pages; all but addresses may be in a bucket (s3://, gs://, hf://).
    Called again, also without SOURCE, it continues an interrupted run.
    """
    if output.suffix.lower() in (".csv", ".json", ".jsonl", ".parquet") and not output.is_dir():
        raise click.UsageError(f"-o {output}: -o is a folder; it gets the files of rows (--format) and the ledger")
    if is_bucket(str(output).replace(":/", "://", 1)):
        raise click.UsageError("-o is a folder of this computer, with the ledger; copy its rows to the bucket")
    refuse_page_options(options, "use `blocksight extract`")
    mode = browser_mode(options, static=options["no_browser"])
    if options["status"]:
        with report_errors():
            _print_status(output, as_json=options["summary"] == "json")
        return
    from ...batch.run import Run

    used = chosen_system(system, model)
    with report_errors(), end_on_sigterm():
        check_lists(sources, options["column"])
        chosen = _batch_options(options | {"browser": mode, "executable": program(options["browser"])}, used)
        if not sources and not (output / NAME).exists():
            raise click.UsageError(f"name a SOURCE: {output} has no run to go on with")
        _run(Run(output, chosen), output, sources, as_json=options["summary"] == "json")


def _batch_options(options: dict[str, Any], system: System) -> BatchOptions:
    """Return the BatchOptions of a call; options have the names of fields."""
    limits = {field.name: options[field.name] for field in fields(RateLimits) if field.name in options}
    limits |= {"robots": not options["ignore_robots"], "user_agent": options["robots_agent"]}
    same = {field.name: options[field.name] for field in fields(BatchOptions) if field.name in options}
    same["systems"] = options["systems"] or ()
    return BatchOptions(render=render_options(options), system=system, limits=RateLimits(**limits), **same)


def _print_status(output: Path, *, as_json: bool) -> None:
    """Print the counts of the ledger of a folder, in which a run may be in progress."""
    done, waiting, failed = read_counts(output / NAME)
    if as_json:
        click.echo(json.dumps({"done": done, "waiting": waiting, "failed_by_kind": failed}, indent=2))
        return
    click.echo(f"{done:,} done, {sum(failed.values()):,} failed, {waiting:,} waiting")
    for kind, count in failed.items():
        click.echo(f"{count:>12,} {kind}")


def _run(new_run: Run, output: Path, sources: Iterable[str], *, as_json: bool) -> None:
    import orjson

    with new_run as run:
        if run.repeated:
            say(f"{run.repeated:,} pages are done again")
        try:
            _show_progress(run, sources)
        except KeyboardInterrupt:
            say("pages in progress are stored; continue with the same command")
            raise
        counts = run.summary.to_dict()
    if as_json:
        click.echo(orjson.dumps(counts, option=orjson.OPT_INDENT_2).decode())
    else:
        failed = ", ".join(f"{kind} {count:,}" for kind, count in counts["failed_by_kind"].items())
        say(
            f"{output}: {counts['inputs']:,} inputs, {counts['rows']:,} rows: "
            f"{counts['done']:,} done, {counts['failed']:,} failed"
            + (f" ({failed}; --retry KIND repeats those of a kind, --retry failed all)" if failed else "")
        )
    if waiting := counts["waiting"]:
        raise RunStopped(f"{output}: {waiting:,} inputs have no row: they are waiting")


def _show_progress(run: Run, sources: Iterable[str]) -> None:
    """Process all inputs, and those of sources, with a progress bar."""
    summary = run.summary
    with ProgressBar("pages", summary.total) as bar:
        for _ in run.rows(sources, eager=True):
            failed = f", {summary.failed()}" if summary.failures else ""
            bar(f"pages, {summary.pace()}{failed}", summary.before + summary.rows, summary.total)
