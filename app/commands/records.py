"""The command ``blocksight records``: posts, comments, products, cards and rows of pages."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...document.records.record import KINDS
from ...document.records.record_formats import csv_rows, table_rows, write_parquet
from ...errors import WrapperUnreadable
from ..command_options import FILE, FILE_THERE, OneOf, PageCommand, ends_in, no_browser, rendering
from ..console import complain, say
from ..job import Job, start_job

if TYPE_CHECKING:
    from ...document.records.record import RecordSet
    from ...document.records.wrapper import Wrapper
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
@click.option(
    "--learn",
    type=FILE,
    metavar="FILE",
    help="Write a wrapper of the main sets into FILE, for other pages of the site.",
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
    output: Path | None,
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
    if learn and (wrapper or output):
        raise click.UsageError("--learn, or --wrapper and -o, not both")
    if names and not learn:
        raise click.UsageError("--name is for --learn")
    loaded = _read(wrapper) if wrapper else None
    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        if learn:
            _learn(job, learn, _renaming(names))
        else:
            _write(job, form, kind, output, loaded)


def _write(job: Job, form: str, kind: str, output: Path | None, wrapper: Wrapper | None) -> None:
    """Print the records of each page, or write those of all pages as one table."""
    rows = list[dict[str, Any]]()
    for source, (count, lost, found) in job.results(partial(_found, "csv" if output else form, kind, wrapper)):
        if not count:
            say(f"{source}: no records found")
        if lost:
            complain(source, f"no {', '.join(lost)}, which all had: the site may have changed; learn a new wrapper")
        if isinstance(found, str):
            click.echo(found, nl=False)
        else:
            rows += found
    columns = () if wrapper is None else wrapper.columns
    if output and job.write(output, partial(write_parquet, rows, columns)):
        say(f"{output}: {len(rows)} records")
    elif form == "csv" and not output:
        click.echo(csv_rows(rows, columns), nl=False)


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


def _learn(job: Job, path: Path, names: dict[str, str]) -> None:
    from ...document.records.wrapper import joined, learn_wrapper, renamed

    learned = [wrapper for _, wrapper in job.results(learn_wrapper)]
    if learned:
        try:
            job.write(path, renamed(joined(learned), names).save)
        except ValueError as error:
            job.fail(str(path), str(error))


def _found(
    form: str, kind: str, wrapper: Wrapper | None, page: Page
) -> tuple[int, list[str], str | list[dict[str, Any]]]:
    """Return the number of record sets, the columns that a wrapper missed, and their text or, for tables, rows."""
    from ...document.records.record_formats import json_lines

    sets = _sets(kind, wrapper, page)
    always = [] if wrapper is None else [name for name, share in wrapper.shares.items() if share == 1]
    lost = [name for name in always if name not in sets[0].columns]
    return len(sets), lost, json_lines(sets, page.url) if form == "json" else table_rows(sets, page.url)


def _sets(kind: str, wrapper: Wrapper | None, page: Page) -> list[RecordSet]:
    from ...document.records.record_sets import page_records
    from ...document.records.wrapper import apply_wrapper

    if wrapper is not None:
        return [apply_wrapper(page, wrapper)]
    kinds = {CONTENT: KINDS[:2], "all": KINDS}.get(kind, (kind,))
    return [record_set for record_set in page_records(page).sets if record_set.kind in kinds]
