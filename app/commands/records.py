"""The command ``blocksight records``: posts, comments, products, cards and rows of pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...document.records.record import KINDS
from ...document.records.record_formats import csv_rows, table_rows, write_parquet
from ..command_options import FILE, OneOf, PageCommand, ends_in, no_browser, rendering
from ..console import say
from ..job import Job, start_job

if TYPE_CHECKING:
    from ...page.page import Page

CONTENT = "content"


@click.command(cls=PageCommand, epilog="Example: blocksight records https://example.org/topic/1 --kind main")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--format", "form", type=OneOf(("json", "csv")), default="json", help="JSON is one object a line.")
@click.option(
    "--kind",
    type=OneOf((CONTENT, "all", *KINDS)),
    default=CONTENT,
    help="Sets to print: all but navigation, all, or those of one kind.",
)
@click.option(
    "-o", "--output", type=FILE, callback=partial(ends_in, ".parquet"), help="Write a typed table: FILE.parquet."
)
@no_browser
@rendering
def records(
    sources: tuple[str, ...],
    form: str,
    kind: str,
    output: Path | None,
    *,
    no_browser: bool,
    **rendering: Any,
) -> None:
    """Print posts, comments, products, cards and rows of pages with their fields.

    SOURCE is an address, an HTML file, a saved page, an archive, - for standard input, or @FILE for a list of these.
    Each record is printed with its page, its set (main, secondary, navigation), its number, and its depth: 0, or more
    for a record inside another one.
    """
    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        _write(job, form, kind, output)


def _write(job: Job, form: str, kind: str, output: Path | None) -> None:
    """Print the records of each page, or write those of all pages as one table."""
    rows = list[dict[str, Any]]()
    for source, (count, found) in job.results(partial(_found, "csv" if output else form, kind)):
        if not count:
            say(f"{source}: no records found")
        if isinstance(found, str):
            click.echo(found, nl=False)
        else:
            rows += found
    if output and job.write(output, partial(write_parquet, rows)):
        say(f"{output}: {len(rows)} records")
    elif form == "csv" and not output:
        click.echo(csv_rows(rows), nl=False)


def _found(form: str, kind: str, page: Page) -> tuple[int, str | list[dict[str, Any]]]:
    """Return the number of record sets, and their text or, for tables, rows."""
    from ...document.records.record_formats import json_lines
    from ...document.records.record_sets import page_records

    kinds = {CONTENT: KINDS[:2], "all": KINDS}.get(kind, (kind,))
    sets = [record_set for record_set in page_records(page).sets if record_set.kind in kinds]
    return len(sets), json_lines(sets, page.url) if form == "json" else table_rows(sets, page.url)
