"""The command ``blocksight segment``: a page to a tree of blocks, or a picture of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click
import orjson

from ...render.page import Page
from ...segment.blocks import Blocks
from ...segment.export import to_json, to_xml
from ...segment.methods import METHODS
from ...segment.vips.vips import vips
from ..job import start_job
from ..options import rendering
from . import picture as picturing


@click.command(epilog="Example: blocksight segment https://example.org/app --overlay blocks.png")
@click.argument("source")
@click.option("--method", type=click.Choice(tuple(METHODS)), default="vips", show_default=True)
@click.option("--pdoc", type=click.IntRange(1, 10), default=8, show_default=True, help="Permitted degree of coherence.")
@click.option(
    "--overlay",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the blocks over the screenshot: .png, or .html to slide through all degrees of coherence.",
)
@click.option("--content", is_flag=True, help="In the picture: green what is content, red what is not.")
@click.option("--json", "as_json", is_flag=True, help="Print the tree as JSON.")
@click.option("--xml", "as_xml", is_flag=True, help="Print the tree as XML.")
@rendering
def segment(
    source: str,
    method: str,
    pdoc: int,
    overlay: Path | None,
    *,
    content: bool,
    as_json: bool,
    as_xml: bool,
    **rendering: Any,
) -> None:
    """Cut a page into blocks; print the tree, or draw it."""
    if as_json and as_xml:
        raise click.UsageError("--json or --xml, not both")
    job = start_job((source,), rendering, screenshot="full" if overlay is not None else "")
    with job.run():
        for _, page in job.pages():
            if page.geometry is None:
                job.fail(source, "this page was saved without geometry; render it again")
                continue
            blocks = _cut(method, page, pdoc)
            if overlay is not None:
                job.write_bytes(overlay, _picture(page, blocks, overlay, method, pdoc, content))
            if as_xml:
                click.echo(to_xml(page, blocks))
            elif as_json:
                click.echo(orjson.dumps(to_json(page, blocks)).decode())
            elif overlay is None:
                _print_tree(page, blocks)


def _picture(page: Page, blocks: Blocks, path: Path, method: str, pdoc: int, content: bool) -> bytes:
    if not picturing.is_html(path):
        return picturing.draw(page, blocks, content=content)
    steps = range(1, 11) if method == "vips" else (pdoc,)
    return picturing.draw_html(page, partial(_cut, method), steps, pdoc, content=content).encode()


def _cut(method: str, page: Page, pdoc: int) -> Blocks:
    return vips(page, pdoc=pdoc) if method == "vips" else METHODS[method](page)


def _print_tree(page: Page, blocks: Blocks) -> None:
    depth: list[int] = []
    for row, parent in enumerate(blocks.parent.tolist()):
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in blocks.leaves_of(row).tolist()).split())
        box = " ".join(f"{value:.0f}" for value in blocks.box[row].tolist())
        click.echo(f"{'  ' * depth[row]}[{box}] doc {blocks.doc[row]}  {text[:60]}")
