"""The command ``blocksight segment``: the tree of blocks of a page, in many formats, or an HTML page of it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from ...errors import PageFailed
from ...segment.methods import METHODS, segment_page
from ..command_options import FILE, OneOf, PageCommand, ends_in, rendering
from ..job import start_job

if TYPE_CHECKING:
    from ...page.page import Page
    from ...segment.blocks import Blocks, Pdoc

Format = Literal["tree", "json"]


@click.command(cls=PageCommand, epilog="Example: blocksight segment https://example.org/app --overlay blocks.html")
@click.argument("source")
@click.option("--method", type=OneOf(tuple(METHODS)), default="vips", help="Segmentation method.")
@click.option(
    "--pdoc",
    type=OneOf(("auto", *map(str, range(1, 11)))),
    default="auto",
    help="VIPS: permitted degree of coherence, 1 (the page) to 10; auto divides as people do.",
)
@click.option(
    "--format",
    "form",
    type=OneOf(get_args(Format)),
    help="Output format: a line per block, or JSON.",
)
@click.option(
    "--overlay",
    type=FILE,
    callback=partial(ends_in, ".html .htm"),
    help="Write an HTML page of the blocks over the screenshot, with all degrees of coherence and the document.",
)
@click.option("--content", is_flag=True, help="In the overlay: content in green, the rest in red.")
@rendering
def segment(
    source: str,
    method: str,
    pdoc: str,
    form: Format | None,
    overlay: Path | None,
    *,
    content: bool,
    **options: Any,
) -> None:
    """Cut a page into blocks; print the tree, or draw it."""
    degree: Pdoc = "auto" if pdoc == "auto" else int(pdoc)
    color = "" if overlay is None else "verdict" if content else "blocks"
    work = partial(_segmented, method, degree, form or ("" if overlay else "tree"), color)
    job = start_job((source,), options, screenshot="" if overlay is None else "full")
    with job.run():
        for _, (drawn, printed) in job.results(work):
            if overlay is not None:
                job.write_bytes(overlay, drawn.encode())
            if printed:
                click.echo(printed.rstrip("\n"))


def _segmented(method: str, pdoc: Pdoc, form: str, color: str, page: Page) -> tuple[str, str]:
    """Return the HTML page of the blocks, if it has a color, and the text to print in a format."""
    import orjson

    from ...segment.export import to_dict

    if page.geometry is None:
        raise PageFailed(page.url, "this page was saved without geometry; render it again")
    overlay = ""
    if color:
        from ...inspector.page_file import page_file

        overlay = page_file(page, method, pdoc, color=color)
    if not form:
        return overlay, ""
    blocks = segment_page(page, method, pdoc)
    return overlay, _tree(page, blocks) if form == "tree" else orjson.dumps(to_dict(page, blocks)).decode()


def _tree(page: Page, blocks: Blocks) -> str:
    lines, depth = [], list[int]()
    for row, parent in enumerate(blocks.parent.tolist()):
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in blocks.leaves_of(row).tolist()).split())
        box = " ".join(f"{value:.0f}" for value in blocks.box[row].tolist())
        lines.append(f"{'  ' * depth[row]}[{box}] doc {blocks.doc[row]}  {text[:60]}")
    return "\n".join(lines)
