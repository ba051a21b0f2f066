"""The command ``blocksight metadata``: title, authors, dates and more of pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..command_options import PageCommand, no_browser, rendering
from ..job import start_job

if TYPE_CHECKING:
    from ...page.page import Page


@click.command(cls=PageCommand, epilog="Example: blocksight metadata page.html --no-browser")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@no_browser
@rendering
def metadata(sources: tuple[str, ...], *, no_browser: bool, **rendering: Any) -> None:
    """Print title, authors, dates and more of pages, one JSON object a line.

    SOURCE is an address, an HTML file, a saved page, or - for standard input. Each object has its source, and for
    each field its origin: json-ld, opengraph, microdata, dublin core, meta, link, title, markup, address
    or text.
    """
    import orjson

    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        for source, values in job.results(_metadata):
            click.echo(orjson.dumps({"source": source} | values).decode())


def _metadata(page: Page) -> dict[str, Any]:
    from ...page.metadata.metadata import metadata as metadata_of_page

    return metadata_of_page(page).to_dict()
