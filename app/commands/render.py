"""The command ``blocksight render``: a page to a file, a picture or an archive."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click

from ...render.options import Screenshot
from ...render.store import save
from ..job import start_job
from ..options import rendering


@click.command(epilog="Example: blocksight render https://example.org/app -o app.page --png app.png")
@click.argument("source")
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The page, for all commands here."
)
@click.option("--png", type=click.Path(dir_okay=False, path_type=Path), help="A picture of it.")
@click.option("--mhtml", type=click.Path(dir_okay=False, path_type=Path), help="An archive of it, for browsers.")
@click.option(
    "--screenshot",
    type=click.Choice(("full", "viewport", "none")),
    default="full",
    show_default=True,
    help="What of the page is pictured; the picture is also kept in -o.",
)
@rendering
def render(
    source: str, output: Path | None, png: Path | None, mhtml: Path | None, screenshot: str, **rendering: Any
) -> None:
    """Render a page once and keep it: it loads back with no browser on the machine."""
    if output is None and png is None and mhtml is None:
        raise click.UsageError("say what to write: -o PAGE, --png PICTURE or --mhtml ARCHIVE")
    if png is not None and screenshot == "none":
        raise click.UsageError("--png needs a picture: --screenshot full or viewport")
    pictured: Screenshot = "viewport" if screenshot == "viewport" else "full" if screenshot == "full" else ""
    job = start_job((source,), rendering, screenshot=pictured, mhtml=mhtml is not None)
    with job.run():
        for name, page in job.pages():
            for path, data, what in ((png, page.screenshot, "picture"), (mhtml, page.mhtml, "archive")):
                if path is None:
                    continue
                if data is None:
                    job.fail(name, f"this page was saved without a {what}; render it again")
                else:
                    job.write_bytes(path, data)
            if output is not None:
                job.write(output, partial(save, page))
            if not job.failures:
                click.echo(f"{output or png or mhtml}: {len(page)} nodes, {len(page.leaves)} text leaves", err=True)
