"""The command ``blocksight metadata``: title, authors, dates and more of pages."""

from __future__ import annotations

from typing import Any

import click

from ..command_options import PageCommand, no_browser, rendering
from ..job import start_job


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

    from ..mcp.page_tools import page_metadata

    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        for source, values in job.results(page_metadata):
            click.echo(orjson.dumps({"source": source} | values).decode())
