"""The command ``blocksight map``: regions and controls of pages, for programs that act on them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ...errors import PageFailed
from ..command_options import FILE, OneOf, PageCommand, rendering
from ..job import start_job

if TYPE_CHECKING:
    from ...page.page import Page

_PICTURES = ("png", "webp")


@click.command(cls=PageCommand, epilog="Example: blocksight map https://example.org/app --tokens 800")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "--format", "form", type=OneOf(("text", "json")), default="text", help="An outline, or one object a line."
)
@click.option("--tokens", type=click.IntRange(min=100), default=1500, help="Most tokens of the outline.")
@click.option("--within", metavar="PART", default="", help="window, dialog, a region's LETTER, or a CSS selector.")
@click.option("--only", type=OneOf(("controls",)), default=None, help="Without the text between the controls.")
@click.option(
    "--picture", type=FILE, metavar="FILE", help="Draw the numbers on the screenshot: FILE.png or FILE.webp; one page."
)
@rendering
def map(  # noqa: A001 (the command's name)
    sources: tuple[str, ...],
    form: str,
    tokens: int,
    within: str,
    only: str | None,
    picture: Path | None,
    **rendering: Any,
) -> None:
    """Print the regions and controls of pages: what is where, what is covered, what can be clicked.

    SOURCE is an address, an HTML file, a saved page, an archive, - for standard input, or @FILE for a list of these.
    Links have a number and a name, other controls also their role; JSON has a selector for Playwright for each.
    """
    if picture and (len(sources) > 1 or picture.suffix[1:].lower() not in _PICTURES):
        raise click.UsageError("--picture takes one page and a FILE.png or FILE.webp")
    job = start_job(sources, rendering, screenshot="full" if picture else "")
    scope = {"within": within, "only": only or ""}
    work = partial(_mapped, form, tokens, scope, picture.suffix[1:].lower() if picture else "")
    with job.run():
        for source, (text, drawn) in job.results(work):
            if len(job.sources) > 1 and form == "text":
                click.echo(f"=== {source}")
            click.echo(text, nl=form == "json")
            if picture is not None and drawn is not None:
                job.write_bytes(picture, drawn)


def _mapped(form: str, tokens: int, scope: dict[str, Any], picture: str, page: Page) -> tuple[str, bytes | None]:
    import orjson

    from ...document.map.map_builder import page_map
    from ...document.map.map_marks import draw_marks

    if page.geometry is None:
        raise PageFailed(page.url, "a map needs geometry: render the page with a browser")
    try:
        found = page_map(page, **scope)
    except ValueError as error:
        raise PageFailed(page.url, str(error)) from error
    text = orjson.dumps(found.to_dict()).decode() if form == "json" else found.to_text(tokens=tokens)
    drawn = draw_marks(page, found, form="webp" if picture == "webp" else "png") if picture else None
    return text, drawn
