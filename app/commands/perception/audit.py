"""The command ``blocksight audit``: layout facts for accessibility."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....errors import PageFailed
from ...command_options import FILE, rendering
from ...job import expand_lists, start_job

if TYPE_CHECKING:
    from ....page.page import Page


@click.command(epilog="Example: blocksight audit https://example.org/app --picture audit.png")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option("--picture", type=FILE, metavar="FILE", help="Draw the findings on the screenshot, as PNG; one page.")
@rendering
def audit(sources: tuple[str, ...], picture: Path | None, **rendering: Any) -> None:
    """Print what may be hard to see or to use, one JSON object a page.

    Contrast of text (WCAG 2.2, 1.4.3), blocks that are read in another order than that of the document, headings whose
    size differs from their level, and targets below 24 pixels (2.5.8).
    """
    if picture and len(sources) > 1:
        raise click.UsageError("--picture takes one page")
    job = start_job(expand_lists(sources), rendering, screenshot="full" if picture else "")
    with job.run():
        for _, (text, drawn) in job.results(partial(_audited, picture is not None)):
            click.echo(text)
            if picture is not None and drawn is not None:
                job.write_bytes(picture, drawn)


def _audited(drawn: bool, page: Page) -> tuple[str, bytes | None]:
    import orjson

    from ....document.map.audit_picture import draw_audit
    from ....document.map.page_audit import page_audit

    if page.geometry is None:
        raise PageFailed(page.url, "an audit needs geometry: render the page with a browser")
    result = page_audit(page)
    return orjson.dumps(result.to_dict()).decode(), draw_audit(page, result) if drawn else None
