"""The command ``blocksight metadata``: pages to what they say of themselves."""

from __future__ import annotations

from typing import Any

import click

from ..options import rendering
from ..sources import start_job


@click.command(epilog="Example: blocksight metadata page.html --no-browser")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--no-browser", is_flag=True, help="Read raw HTML without a browser: no scripts, no geometry.")
@rendering
def metadata(sources: tuple[str, ...], *, no_browser: bool, **rendering: Any) -> None:
    """Print title, authors, dates and more of pages, one JSON object a line.

    SOURCE is an address, an HTML file, a saved page, or - for standard input. Each object names its source, and for
    each field that is known who says so: json-ld, opengraph, microdata, dublin core, meta, link, title, markup, address
    or text.
    """
    import orjson

    from ...classify.metadata.metadata import metadata as metadata_of_page

    job = start_job(sources, rendering, static=no_browser)
    with job.run():
        for source, page in job.pages():
            found = {"source": source} | metadata_of_page(page).to_json()
            click.echo(orjson.dumps(found).decode())
