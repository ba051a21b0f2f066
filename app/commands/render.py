"""The command ``blocksight render``: a page as a file, a screenshot or an archive."""

from __future__ import annotations

from dataclasses import dataclass
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
        for name, kept in job.results(_kept):
            for path, data, what in (
                (picture, kept.picture, "picture"),
                (mhtml, kept.archive, "archive"),
                (output, kept.page, "page"),
            ):
                if path is not None and data is None:
                    job.fail(name, f"this page was saved without a {what}; render it again")
                elif path is not None and data is not None:
                    job.write_bytes(path, data)
            if picture is not None and kept.drawn:
                say(f"{picture}: its lines as bars, since its screenshot was not finished")
            if not job.failures:
                say(f"{output or picture or mhtml}: {kept.nodes} nodes, {kept.leaves} text leaves")


#: What is in the picture, by the values of --screenshot.
_PICTURED: dict[str, Screenshot] = {"full": "full", "viewport": "viewport", "none": ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class _SaveTargets:
    page: bytes
    picture: bytes | None
    archive: bytes | None
    drawn: bool  # the picture shows boxes of lines, as there was no time for a screenshot
    nodes: int
    leaves: int


def _kept(page: Page) -> _SaveTargets:
    drawn = page.screenshot is None and page.partial and page.geometry is not None
    return _SaveTargets(
        page=dumps(page),
        picture=page_picture(page)[0] if drawn else page.screenshot,
        drawn=drawn,
        archive=page.mhtml,
        nodes=len(page),
        leaves=len(page.leaves),
    )
