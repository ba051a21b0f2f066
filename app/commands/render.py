"""The command ``blocksight render``: a page as a file, a screenshot or an archive."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from ...page.page import Page
from ...page.store import dumps
from ...render.render_options import Screenshot
from ...segment.pictures.page_picture import page_picture
from ..command_options import FILE, OneOf, PageCommand, ends_in, rendering
from ..console import say
from ..job import start_job


@click.command(
    cls=PageCommand, epilog="Example: blocksight render https://example.org/app -o app.page --picture app.png"
)
@click.argument("source")
@click.option("-o", "--output", type=FILE, callback=partial(ends_in, ".page"), help="The page, for all commands.")
@click.option("--picture", type=FILE, callback=partial(ends_in, ".png"), help="Its screenshot: FILE.png.")
@click.option("--mhtml", type=FILE, callback=partial(ends_in, ".mhtml .mht"), help="An archive of it, for browsers.")
@click.option(
    "--screenshot",
    type=OneOf(("full", "viewport", "none")),
    default="full",
    help="How much of the page is in the picture. The picture is also kept in -o.",
)
@rendering
def render(
    source: str, output: Path | None, picture: Path | None, mhtml: Path | None, screenshot: str, **rendering: Any
) -> None:
    """Render a page once and keep it.

    Every command reads the saved page, and needs no browser for it.
    """
    if not (output or picture or mhtml):
        raise click.UsageError("name a file to write: -o PAGE, --picture PICTURE or --mhtml ARCHIVE")
    if picture is not None and screenshot == "none":
        raise click.UsageError("--picture needs one: --screenshot full or viewport")
    job = start_job((source,), rendering, screenshot=_PICTURED[screenshot], mhtml=mhtml is not None)
    with job.run():
        for name, (page, image, archive, drawn, size) in job.results(_kept):
            files = ((picture, image, "picture"), (mhtml, archive, "archive"), (output, page, "page"))
            for path, data, what in files:
                if path is not None and data is None:
                    job.fail(name, f"this page was saved without a {what}; render it again")
                elif path is not None and data is not None:
                    job.write_bytes(path, data)
            if picture is not None and drawn:
                say(f"{picture}: its lines as bars, since its screenshot was not finished")
            if not job.failures:
                say(f"{output or picture or mhtml}: {size}")


#: What is in the picture, by the values of --screenshot.
_PICTURED: dict[str, Screenshot] = {"full": "full", "viewport": "viewport", "none": ""}


def _kept(page: Page) -> tuple[bytes, bytes | None, bytes | None, bool, str]:
    """Return page, picture and archive, whether the picture was drawn for want of time, and what was saved."""
    drawn = page.screenshot is None and page.partial and page.geometry is not None
    picture = page_picture(page)[0] if drawn else page.screenshot
    return dumps(page), picture, page.mhtml, drawn, f"{len(page)} nodes, {len(page.leaves)} text leaves"
