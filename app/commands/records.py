"""The command ``blocksight records``: posts, comments, products, cards and rows of pages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ...document.records.record import KINDS
from ...document.records.record_formats import without_header
from ..command_options import OneOf, no_browser, rendering
from ..console import say
from ..job import start_job

if TYPE_CHECKING:
    from ...page.page import Page

CONTENT = "content"


@click.command(epilog="Example: blocksight records https://example.org/topic/1 --kind main")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--format", "form", type=OneOf(("json", "csv", "markdown")), default="json", help="JSON is one object a line."
)
@click.option(
    "--kind",
    type=OneOf((CONTENT, "all", *KINDS)),
    default=CONTENT,
    help="Sets to print: all but navigation, all, or those of one kind.",
)
@no_browser
@rendering
def records(sources: tuple[str, ...], form: str, kind: str, *, no_browser: bool, **rendering: Any) -> None:
    """Print posts, comments, products, cards and rows of pages with their fields.

    SOURCE is an address, an HTML file, a saved page, an archive, - for standard input, or @FILE for a list of these.
    Each record is printed with its page, its set (main, secondary, navigation), its number, and its depth: 0, or more
    for a record inside another one.
    """
    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        for number, (source, (count, text)) in enumerate(job.results(partial(_written, form, kind))):
            if not count:
                say(f"{source}: no records found")
            click.echo(without_header(text) if form == "csv" and number else text, nl=False)


def _written(form: str, kind: str, page: Page) -> tuple[int, str]:
    """Return the number of record sets, and their text."""
    from ...document.records.record_formats import csv_rows, json_lines, markdown
    from ...document.records.record_sets import page_records

    kinds = {CONTENT: KINDS[:2], "all": KINDS}.get(kind, (kind,))
    sets = [record_set for record_set in page_records(page).sets if record_set.kind in kinds]
    if form == "markdown":
        return len(sets), "\n".join(markdown(record_set) for record_set in sets)
    if form == "csv":
        return len(sets), csv_rows(sets, {"url": page.url})
    return len(sets), json_lines(sets, {"url": page.url})
