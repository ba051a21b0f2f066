"""The command ``blocksight records``: posts, comments, products, cards and rows of pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...document.records.record import KINDS
from ...document.records.record_formats import without_header
from ...errors import PageFailed, WrapperUnreadable
from ..command_options import FILE, FILE_THERE, OneOf, no_browser, rendering
from ..console import say
from ..job import start_job

if TYPE_CHECKING:
    from ...document.records.record import RecordSet
    from ...document.records.wrapper import Wrapper
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
@click.option(
    "--learn", type=FILE, metavar="FILE", help="Write a wrapper of the main set into FILE, for other pages of the site."
)
@click.option(
    "--name", "names", multiple=True, metavar="COLUMN=NAME", help="With --learn: rename a column; may be repeated."
)
@click.option(
    "--wrapper", type=FILE_THERE, metavar="FILE", help="Read the records by a wrapper; fails if the page has changed."
)
@no_browser
@rendering
def records(
    sources: tuple[str, ...],
    form: str,
    kind: str,
    learn: Path | None,
    names: tuple[str, ...],
    wrapper: Path | None,
    *,
    no_browser: bool,
    **rendering: Any,
) -> None:
    """Print posts, comments, products, cards and rows of pages with their fields.

    SOURCE is an address, an HTML file, a saved page, an archive, - for standard input, or @FILE for a list of these.
    Each record is printed with its page, its set (main, secondary, navigation), its number, and its depth: 0, or more
    for a record inside another one.
    """
    if learn and wrapper:
        raise click.UsageError("--learn or --wrapper, not both")
    if names and not learn:
        raise click.UsageError("--name is for --learn")
    if learn and len(sources) > 1:
        raise click.UsageError("--learn takes one page")
    loaded = _read(wrapper) if wrapper else None
    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        if learn:
            for _, learned in job.results(partial(_learned, _renaming(names))):
                job.write(learn, learned.save)
            return
        for number, (source, (count, text)) in enumerate(job.results(partial(_written, form, kind, loaded))):
            if not count:
                say(f"{source}: no records found")
            click.echo(without_header(text) if form == "csv" and number else text, nl=False)


def _read(path: Path) -> Wrapper:
    from ...document.records.wrapper import load_wrapper

    try:
        return load_wrapper(path)
    except WrapperUnreadable as error:
        raise click.BadParameter(str(error), param_hint="--wrapper") from error


def _renaming(names: tuple[str, ...]) -> dict[str, str]:
    pairs = [name.partition("=") for name in names]
    if not all(old and new for old, _, new in pairs):
        raise click.UsageError("--name takes COLUMN=NAME")
    return {old.strip(): new.strip() for old, _, new in pairs}


def _learned(names: dict[str, str], page: Page) -> Wrapper:
    from ...document.records.wrapper import learn_wrapper, renamed

    try:
        return renamed(learn_wrapper(page), names)
    except ValueError as error:
        raise PageFailed(page.url, str(error)) from error


def _written(form: str, kind: str, wrapper: Wrapper | None, page: Page) -> tuple[int, str]:
    """Return the number of record sets, and their text."""
    from ...document.records.record_formats import csv_rows, json_lines, markdown

    sets = _sets(kind, wrapper, page)
    if form == "markdown":
        return len(sets), "\n".join(markdown(record_set) for record_set in sets)
    if form == "csv":
        return len(sets), csv_rows(sets, {"url": page.url}, () if wrapper is None else wrapper.columns)
    return len(sets), json_lines(sets, {"url": page.url})


def _sets(kind: str, wrapper: Wrapper | None, page: Page) -> list[RecordSet]:
    from ...document.records.record_sets import page_records
    from ...document.records.wrapper import apply_wrapper

    if wrapper is not None:
        return [apply_wrapper(page, wrapper)]
    kinds = {CONTENT: KINDS[:2], "all": KINDS}.get(kind, (kind,))
    return [record_set for record_set in page_records(page).sets if record_set.kind in kinds]
