"""The command ``blocksight segment``: the tree of blocks of a page, in many formats, or an HTML page of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Segmented:
    """The result of a page: an HTML page of its blocks, and the text to print."""

    overlay: bytes
    printed: str


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
    work = partial(
        _segmented,
        method=method,
        pdoc="auto" if pdoc == "auto" else int(pdoc),
        form=form or ("tree" if overlay is None else None),
        overlay=None if overlay is None else partial(_overlay, content),
    )
    job = start_job((source,), options, screenshot="" if overlay is None else "full")
    with job.run():
        for _, result in job.results(work):
            if overlay is not None:
                job.write_bytes(overlay, result.overlay)
            if result.printed:
                click.echo(result.printed.rstrip("\n"))


def _segmented(
    page: Page,
    *,
    method: str,
    pdoc: Pdoc,
    form: Format | None,
    overlay: Callable[[Page, str, Pdoc], bytes] | None,
) -> Segmented:
    if page.geometry is None:
        raise PageFailed(page.url, "this page was saved without geometry; render it again")
    return Segmented(
        overlay=b"" if overlay is None else overlay(page, method, pdoc),
        printed="" if form is None else _printed(page, segment_page(page, method, pdoc), form),
    )


def _overlay(content: bool, page: Page, method: str, pdoc: Pdoc) -> bytes:
    from ...inspector.page_file import page_file

    return page_file(page, method, pdoc, color="verdict" if content else "blocks").encode()


def _printed(page: Page, blocks: Blocks, form: Format) -> str:
    import orjson

    from ...segment.export import to_dict

    return _tree(page, blocks) if form == "tree" else orjson.dumps(to_dict(page, blocks)).decode()


def _tree(page: Page, blocks: Blocks) -> str:
    lines, depth = [], list[int]()
    for row, parent in enumerate(blocks.parent.tolist()):
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in blocks.leaves_of(row).tolist()).split())
        box = " ".join(f"{value:.0f}" for value in blocks.box[row].tolist())
        lines.append(f"{'  ' * depth[row]}[{box}] doc {blocks.doc[row]}  {text[:60]}")
    return "\n".join(lines)
