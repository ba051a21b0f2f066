"""The command ``blocksight diff``: what changed between two pages, block by block."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..command_options import OneOf, PageCommand, chosen_system, no_browser, rendering, system_options
from ..job import start_job

if TYPE_CHECKING:
    from ...classify.system import System
    from ...document.block_scores import BlockScore
    from ...page.page import Page


@click.command(cls=PageCommand, epilog="Example: blocksight diff november.page december.page")
@click.argument("old")
@click.argument("new")
@click.option("--format", "form", type=OneOf(("text", "json")), default="text", help="JSON is one object a line.")
@system_options
@no_browser
@rendering
def diff(old: str, new: str, form: str, system: str, model: Path | None, *, no_browser: bool, **rendering: Any) -> None:
    """Print what changed in the content of a page, block by block.

    OLD and NEW are saved pages, HTML files, addresses or archives. Each block is a line after "-" if it was removed,
    "+" if it was added; one that changed is both. The exit code is 1 if there is a difference.
    """
    import orjson

    from ...document.difference import block_changes

    job = start_job((old, new), rendering, static=no_browser)
    with job.run():
        pages = [blocks for _, blocks in job.results(partial(_blocks, chosen_system(system, model)))]
        for change in block_changes(*pages) if len(pages) > 1 else ():
            job.failures.append(change.change)
            if form == "json":
                click.echo(orjson.dumps(change.to_dict()).decode())
                continue
            for sign, block in (("-", change.old), ("+", change.new)):
                if block is not None:
                    click.echo(f"{sign} {_line(block.text)}")


def _blocks(system: System, page: Page) -> tuple[BlockScore, ...]:
    from ...document.extract import extract

    return extract(page, system=system).blocks


def _line(text: str) -> str:
    """Return a text in one line without characters that control a terminal."""
    return "".join(one if one.isprintable() else "\ufffd" for one in " ".join(text.split()))
