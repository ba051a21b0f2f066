"""The command ``blocksight check``: whether pages have what is quoted from them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..command_options import FILE_THERE, OneOf, PageCommand, no_browser, rendering
from ..job import start_job

if TYPE_CHECKING:
    from ...document.quotations import QuoteCheck
    from ...page.page import Page

#: A longer file of quotations is no list of them.
_MOST_BYTES = 10_000_000


@click.command(cls=PageCommand, epilog="Example: blocksight check https://example.org/tea quotes.txt")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.argument("quotes", type=FILE_THERE, metavar="QUOTES")
@click.option("--format", "form", type=OneOf(("text", "json")), default="text", help="JSON is one object a line.")
@no_browser
@rendering
def check(sources: tuple[str, ...], quotes: Path, form: str, *, no_browser: bool, **rendering: Any) -> None:
    """Check quotations against what a page shows.

    SOURCE is an address, an HTML file, a saved page or an archive; QUOTES a text file with a quotation on each line.
    Each is found, similar (with other words: the nearest passage is printed), hidden (only in text that is not
    visible) or missing; with several pages, elsewhere if the first has not what another one has. The exit code is 1
    unless all are found.
    """
    import orjson

    from ...document.quotations import attributed

    lines = _read(quotes)
    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        pages = dict(job.results(partial(_checked, lines)))
        for one in attributed(pages.pop(job.sources[0], ()), pages.values()):
            click.echo(orjson.dumps(one.to_dict()).decode() if form == "json" else _line(one))
            if one.result != "found":
                job.failures.append(one.quote)


def _read(path: Path) -> tuple[str, ...]:
    """Return the lines of a file that are not blank."""
    if path.stat().st_size > _MOST_BYTES:
        raise click.BadParameter(f"{path} has more than {_MOST_BYTES / 1e6:g} MB: split it", param_hint="QUOTES")
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise click.BadParameter(f"{path} is no UTF-8 text (byte {error.start})", param_hint="QUOTES") from error
    if not (found := tuple(line.strip() for line in lines if line.strip())):
        raise click.BadParameter(f"{path} has no quotation: write one on each line", param_hint="QUOTES")
    return found


def _checked(quotes: tuple[str, ...], page: Page) -> tuple[QuoteCheck, ...]:
    from ...document.hidden_report import hidden_report
    from ...document.quotations import check_quote, seen_text

    seen, hidden = seen_text(page), hidden_report(page)
    return tuple(check_quote(quote, seen, hidden, page.url) for quote in quotes)


def _line(check: QuoteCheck) -> str:
    """Return a check in one line."""
    boxes = " ".join(f"[{', '.join(f'{number:g}' for number in box)}]" for box in check.boxes)
    about = {
        "found": boxes,
        "similar": f"{check.similarity:.2f}: {check.passage} {boxes}",
        "elsewhere": f"{check.url} {boxes}",
        "hidden": f"({check.reason})",
        "missing": "",
    }
    line = " ".join(f"{check.result}: {check.quote} | {about[check.result]}".removesuffix(" | ").split())
    return "".join(one if one.isprintable() else "\ufffd" for one in line)
