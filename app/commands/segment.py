"""The command ``blocksight segment``: a page to a tree of blocks, or a picture of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from ...render.errors import PageFailed
from ...segment.methods import METHODS
from ...segment.vips.vips import vips
from ..options import FILE, OneOf, rendering
from ..sources import start_job

if TYPE_CHECKING:
    from ...classify.model.model import Model
    from ...features.table import Table
    from ...render.arrays import FloatArray
    from ...render.page import Page
    from ...segment.blocks import Blocks

#: How a tree is printed; not at all where a picture is drawn instead.
Form = Literal["tree", "json", "xml", ""]

#: Features that are shown of a block, beside its words and its probability.
SHOWN = (
    "link_density",
    "font_size",
    "font_bold",
    "contrast",
    "solidity1",
    "solidity2_log",
    "solidity3",
    "convexity",
    "lines_log",
    "line_difference",
    "gap_before",
    "gap_after",
)


@click.command(epilog="Example: blocksight segment https://example.org/app --overlay blocks.png")
@click.argument("source")
@click.option(
    "--method", type=OneOf(tuple(METHODS)), default="vips", show_default=True, help="How the page is cut into blocks."
)
@click.option(
    "--pdoc", type=click.IntRange(1, 10), default=8, show_default=True, help="VIPS: permitted degree of coherence."
)
@click.option(
    "--overlay",
    type=FILE,
    help="Draw the blocks over the screenshot: .png, or .html to slide through all degrees of coherence.",
)
@click.option("--content", is_flag=True, help="In the picture: green what is content, red what is not.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print the tree as JSON, for semantic blocks with their relations."
)
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
    form: Form = "xml" if as_xml else "json" if as_json else "tree" if overlay is None else ""
    drawn = None if overlay is None else overlay.suffix.lower()
    work = partial(_segmented, method=method, pdoc=pdoc, form=form, drawn=drawn, content=content)
    job = start_job((source,), rendering, screenshot="full" if overlay is not None else "")
    with job.run():
        for _, (picture, lines) in job.results(work):
            if overlay is not None and picture is not None:
                job.write_bytes(overlay, picture)
            if lines:
                click.echo(lines)


def _segmented(
    page: Page, *, method: str, pdoc: int, form: Form, drawn: str | None, content: bool
) -> tuple[bytes | None, str]:
    """Return the picture of a page's blocks, where one is asked for, and what to print of them."""
    if page.geometry is None:
        raise PageFailed(page.url, "this page was saved without geometry; render it again")
    blocks = _cut(method, page, pdoc)
    picture = None if drawn is None else _picture(page, blocks, drawn, method, pdoc, content)
    match form:
        case "xml":
            return picture, _xml(page, blocks)
        case "json":
            return picture, _json(page, blocks, method)
        case "tree":
            return picture, _tree(page, blocks)
    return picture, ""


def _cut(method: str, page: Page, pdoc: int) -> Blocks:
    return vips(page, pdoc=pdoc) if method == "vips" else METHODS[method](page)


def _xml(page: Page, blocks: Blocks) -> str:
    from ...segment.export import to_xml

    return to_xml(page, blocks)


def _json(page: Page, blocks: Blocks, method: str) -> str:
    import orjson

    from ...segment.export import related, to_json

    tree = to_json(page, blocks)
    if method == "semantic":
        tree["relations"] = related(blocks)
    return orjson.dumps(tree).decode()


def _tree(page: Page, blocks: Blocks) -> str:
    lines, depth = [], list[int]()
    for row, parent in enumerate(blocks.parent.tolist()):
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in blocks.leaves_of(row).tolist()).split())
        box = " ".join(f"{value:.0f}" for value in blocks.box[row].tolist())
        lines.append(f"{'  ' * depth[row]}[{box}] doc {blocks.doc[row]}  {text[:60]}")
    return "\n".join(lines)


def _picture(page: Page, blocks: Blocks, drawn: str, method: str, pdoc: int, content: bool) -> bytes:
    if drawn not in {".html", ".htm"}:
        return _draw(page, blocks, content=content)
    steps = range(1, 11) if method == "vips" else (pdoc,)
    return _draw_html(page, partial(_cut, method), steps, pdoc, content=content).encode()


def _draw(page: Page, blocks: Blocks, *, content: bool) -> bytes:
    """Draw blocks over the screenshot as a PNG; green what is content, red what is not, where that is asked for."""
    from ...classify.systems.blocksight import Blocksight
    from ...segment.overlay import overlay_png

    return overlay_png(page, blocks, marked=Blocksight().mark(page).tolist() if content else None)


def _draw_html(
    page: Page, make: Callable[[Page, int], Blocks], steps: Sequence[int], shown: int, *, content: bool
) -> str:
    """Draw a segmentation at several degrees of coherence as one HTML file, with features and scores.

    Parameters
    ----------
    page : Page
        With geometry.
    make : callable
        Returns the blocks of a page at a permitted degree of coherence.
    steps : sequence of int
        Those degrees.
    shown : int
        The one to begin with.
    content : bool
        Green what is content, red what is not.
    """
    from ...classify.systems.blocksight import Blocksight
    from ...segment.overlay_html import Layer, overlay_html

    system = Blocksight()
    judged = system.judge(page)
    model = system.model_for(page)
    measured = model.measure(page)
    layers = []
    for step in steps:
        blocks = make(page, step)
        columns = _columns(page, blocks, judged.probability) | _reasons(blocks, model, measured)
        layers.append(Layer(name=str(step), blocks=blocks, columns=columns))
    marked = judged.marks.tolist() if content else None
    return overlay_html(page, layers, shown=list(steps).index(shown), marked=marked)


def _reasons(blocks: Blocks, model: Model, measured: Table) -> dict[str, list[float | str | None]]:
    """Return in words what spoke for and against each block."""
    from ...classify.model.reasons import reasons

    found = reasons(model, measured, blocks.leaf_block, len(blocks))
    said = [["; ".join(reason.words for reason in side) or None for side in sides] for sides in found]
    return {"for content": [sides[0] for sides in said], "against": [sides[1] for sides in said]}


def _columns(page: Page, blocks: Blocks, probability: FloatArray) -> dict[str, list[float | str | None]]:
    """Return one value a block; blocks without text of their own have none."""
    import numpy as np

    from ...features.table import measure

    table = measure(page, blocks)
    known = np.isfinite(probability)
    weight = table.rows.leaf_words * known
    words, sure = table.rows.summed(weight), table.rows.summed(weight * np.nan_to_num(probability))
    rows = {"words": table.rows.words, "probability of content": sure / np.where(words > 0, words, np.nan)}
    rows |= {name: table.columns[name] for name in SHOWN}
    found: dict[str, list[float | str | None]] = {}
    for name, values in rows.items():
        column = np.full(len(blocks), np.nan)
        column[table.rows.block] = values
        found[name] = column.tolist()
    return found
