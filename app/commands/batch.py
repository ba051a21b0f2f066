"""The command ``blocksight batch``: many sources into a folder, where an ended run goes on."""

from __future__ import annotations

import re
import sys
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...batch.batch_options import BatchOptions, RateLimits
from ...batch.output.shards import FORMS
from ..command_options import FOLDER, OneOf, no_browser, render_options, rendering
from ..console import ProgressBar, failures_named, say
from ..job import given_sources
from ..system_options import chosen_system, images, judged_by

if TYPE_CHECKING:
    from ...batch.run import Run

#: Seconds between two lines on how far it is, where nobody watches a bar.
_LINE_SECONDS = 30.0
_UNITS = {"m": 60, "h": 3600, "d": 86400, "w": 604800}
_POLITE = RateLimits()
_PLAIN = BatchOptions()


def _cluster(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """Read the address of a cluster; a source that stands after a bare ``--ray`` is none."""
    if value is None or value in ("", "auto", "local") or ":" in value:
        return value
    raise click.BadParameter(f"{value!r} is no HOST:PORT, auto or local; write --ray=auto, or --ray last")


def _since(_: click.Context, __: click.Parameter, value: str | None) -> float | None:
    """Read a time: a date, or how long ago."""
    if value is None:
        return None
    ago = re.fullmatch(r"(\d+)([mhdw])", value)
    if ago:
        return time.time() - int(ago[1]) * _UNITS[ago[2]]
    try:
        return datetime.fromisoformat(value).timestamp()
    except ValueError as error:
        raise click.BadParameter("should look like 2026-11-30, 2026-11-30T12:00 or 7d (m, h, d, w)") from error


@click.command(epilog="Example: blocksight batch urls.txt -o corpus")
@click.argument("sources", nargs=-1, metavar="[SOURCE]...")
@click.option("-o", "--output", type=FOLDER, required=True, metavar="DIR", help="Folder of the rows and the ledger.")
@click.option("--format", "form", type=OneOf(FORMS), default=_PLAIN.form, show_default=True, help="Files of the rows.")
@click.option(
    "--part-rows", type=click.IntRange(min=1), default=_PLAIN.part_rows, show_default=True, help="Rows of one."
)
@click.option("--markdown", is_flag=True, help="Also write each page's Markdown into a file of its own.")
@click.option(
    "--keep",
    type=OneOf(("pages", "warc")),
    multiple=True,
    help="Keep each rendered page (pages), or what the browser loaded for it (warc); may be given twice.",
)
@click.option("--column", help="Column of .csv and .jsonl lists that names the sources.")
@click.option("--workers", type=click.IntRange(min=1), default=_PLAIN.workers, show_default=True, help="Pages at once.")
@click.option(
    "--ray",
    "cluster",
    is_flag=False,
    flag_value="",
    callback=_cluster,
    metavar="[ADDRESS]",
    help="Let a cluster of Ray do it: HOST:PORT, auto, local, or the one that is found. All nodes must see DIR.",
)
@click.option("--retry", type=OneOf(("failed",)), help="Do again what failed in an earlier run.")
@click.option(
    "--since",
    callback=_since,
    metavar="WHEN",
    help="Do again what was not done since a date, or for so long (7d).",
)
@click.option(
    "--per-host",
    type=click.IntRange(min=1),
    default=_POLITE.per_host,
    show_default=True,
    help="Pages of a host at once.",
)
@click.option(
    "--delay",
    type=click.FloatRange(min=0),
    default=_POLITE.delay,
    show_default=True,
    help="Seconds between two pages of a host.",
)
@click.option("--ignore-robots", is_flag=True, help="Do not read robots.txt; for sites of your own.")
@click.option("--agent", default=_POLITE.agent, show_default=True, help="Name by which robots.txt is read.")
@click.option(
    "--tries",
    type=click.IntRange(min=1),
    default=_POLITE.tries,
    show_default=True,
    help="How often to ask a server that says it is busy (429, 503).",
)
@judged_by
@click.option(
    "--hidden",
    type=OneOf(("drop", "keep")),
    default=_PLAIN.hidden,
    show_default=True,
    help="What to do with text that a person does not see.",
)
@images
@no_browser
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@rendering
def batch(
    sources: tuple[str, ...],
    output: Path,
    retry: str | None,
    model: Path | None,
    system: str,
    keep: tuple[Any, ...],
    *,
    no_browser: bool,
    ignore_robots: bool,
    as_json: bool,
    cluster: str | None,
    **given: Any,
) -> None:
    """Extract many pages into a folder: a row for each, whatever became of it.

    SOURCE is an address, a file, a folder, a list (.txt, .csv, .jsonl; @FILE for any other name, @- for standard
    input), an archive (WARC, WACZ, HAR) of which every page is taken, or - for a page by standard input. Called again
    it goes on where it ended, without SOURCE as well.
    """
    if given["url"] or given["encoding"]:
        raise click.UsageError("--url and --encoding are for one page: use `blocksight extract`")
    with failures_named():
        polite = RateLimits(
            per_host=given["per_host"],
            delay=given["delay"],
            robots=not ignore_robots,
            agent=given["agent"],
            tries=given["tries"],
        )
        options = BatchOptions(
            render=render_options(given),
            browser=not no_browser,
            executable=given["browser"],
            system=chosen_system(system, model),
            hidden=given["hidden"],
            images=given["images"],
            workers=given["workers"],
            form=given["form"],
            part_rows=given["part_rows"],
            keep=tuple(dict.fromkeys(keep)),
            markdown=given["markdown"],
            column=given["column"],
            retry_failed=retry == "failed",
            since=given["since"],
            polite=polite,
        )
        _run(_run_of(output, options, cluster), output, sources, as_json=as_json)


def _run_of(output: Path, options: BatchOptions, cluster: str | None) -> Run:
    from ...batch.run import Run

    if cluster is None:
        return Run(output, options)
    if options.form != "parquet":
        raise click.UsageError("--ray writes Parquet: leave --format as it is")
    from ...batch.ray.ray_run import RayRun

    return RayRun(output, options, cluster)


def _run(begun: Run, output: Path, sources: tuple[str, ...], *, as_json: bool) -> None:
    import orjson

    with begun as run:
        if run.mended:
            say(f"{run.mended}; it was made anew from the files of rows")
        if run.again:
            say(f"{run.again:,} pages are done again")
        run.note(given_sources(sources, output / "inputs"))
        try:
            _watched(run)
        except KeyboardInterrupt:
            say(f"what was under way is kept; go on with: blocksight batch -o {output} and the same options")
            raise
        told = run.summary.told()
    if as_json:
        click.echo(orjson.dumps(told, option=orjson.OPT_INDENT_2).decode())
    else:
        failed = ", ".join(f"{kind} {count:,}" for kind, count in told["failed_by_kind"].items())
        say(
            f"{output}: {told['inputs']:,} inputs, {told['done']:,} done, {told['failed']:,} failed"
            + (f" ({failed}; --retry failed does them again)" if failed else "")
        )


def _watched(run: Run) -> None:
    """Do all that is to be done, and say how far it is: a bar for a person, lines for a log."""
    summary = run.summary
    summary.recount()
    told = time.monotonic()
    with ProgressBar("pages", summary.total) as bar:
        for _ in run.rows():
            words = f"pages, {summary.rate:.1f} a second"
            bar(
                f"{words}, {summary.failed()}" if summary.failures else words,
                summary.before + summary.rows,
                summary.total,
            )
            if not sys.stderr.isatty() and time.monotonic() - told > _LINE_SECONDS:
                told = time.monotonic()
                say(summary.line())
