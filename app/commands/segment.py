"""The command ``blocksight segment``: the tree of blocks of a page, in many formats, or a picture of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import click

from ...errors import PageFailed
from ...files.atomic import create_folder
from ...segment.methods import METHODS, segment_page
from ..block_pictures import Drawing, draw
from ..command_options import FILE, FOLDER, OneOf, rendering
from ..console import say
from ..job import Job, start_job

if TYPE_CHECKING:
    from ...page.page import Page
    from ...segment.blocks import Blocks, Pdoc
    from ...segment.pictures.crops import Crop

Format = Literal["tree", "json", "xml", "csv", "coco", "webis", "fitlayout"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segmented:
    """The result of a page: a picture of its blocks, the text to print, and a picture of each block."""

    picture: bytes | None
    printed: str
    crops: tuple[Crop, ...]


@click.command(epilog="Example: blocksight segment https://example.org/app --overlay blocks.png")
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
    help="Output format: a line or a row per block, JSON, XML, COCO boxes, or the formats of Webis and FitLayout.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@click.option("--xml", "as_xml", is_flag=True, help="The same as --format xml.")
@click.option(
    "--overlay",
    type=FILE,
    help="Draw the blocks over the screenshot: .png, or .html to slide through all degrees of coherence.",
)
@click.option("--content", is_flag=True, help="In the picture: content in green, the rest in red.")
@click.option("--separators", is_flag=True, help="In a .png: separators with their weights.")
@click.option("--inner", is_flag=True, help="In a .png: blocks that contain others, dashed.")
@click.option("--crop", type=FOLDER, help="Write a picture of each block to this folder, named by its id.")
@rendering
def segment(
    source: str,
    method: str,
    pdoc: str,
    form: Format | None,
    overlay: Path | None,
    crop: Path | None,
    *,
    as_json: bool,
    as_xml: bool,
    **options: Any,
) -> None:
    """Cut a page into blocks; print the tree, or draw it."""
    drawing, degree = None, _degree(pdoc)
    if overlay is not None:
        shown = {name: options[name] for name in ("content", "separators", "inner")}
        drawing = Drawing(suffix=overlay.suffix.lower(), method=method, pdoc=degree, **shown)
    chosen = _format(form, as_json=as_json, as_xml=as_xml, drawn=overlay is not None or crop is not None)
    work = partial(_segmented, method=method, pdoc=degree, form=chosen, drawing=drawing, cropped=crop is not None)
    job = start_job((source,), options, screenshot="full" if overlay is not None or crop is not None else "")
    with job.run():
        for _, result in job.results(work):
            if overlay is not None and result.picture is not None:
                job.write_bytes(overlay, result.picture)
            if crop is not None:
                _write_crops(job, crop, result.crops)
            if result.printed:
                click.echo(result.printed.rstrip("\n"))


def _format(form: Format | None, *, as_json: bool, as_xml: bool, drawn: bool) -> Format | None:
    """Return the format to print; None if only a picture is drawn."""
    flags: dict[Format, bool] = {"json": as_json, "xml": as_xml}
    formats = {name for name, given in flags.items() if given} | ({form} if form else set())
    if len(formats) > 1:
        raise click.UsageError(f"{' or '.join(sorted(formats))}, not both")
    return next(iter(formats), None if drawn else "tree")


def _degree(pdoc: str) -> Pdoc:
    return "auto" if pdoc == "auto" else int(pdoc)


def _segmented(
    page: Page, *, method: str, pdoc: Pdoc, form: Format | None, drawing: Drawing | None, cropped: bool
) -> Segmented:
    if page.geometry is None:
        raise PageFailed(page.url, "this page was saved without geometry; render it again")
    blocks = segment_page(page, method, pdoc)
    return Segmented(
        picture=None if drawing is None else draw(page, blocks, drawing),
        printed="" if form is None else _printed(page, blocks, form, method),
        crops=_crops(page, blocks) if cropped else (),
    )


def _printed(page: Page, blocks: Blocks, form: Format, method: str) -> str:
    match form:
        case "tree":
            return _tree(page, blocks)
        case "json":
            return _json(page, blocks, method)
        case "xml":
            from ...segment.export import to_xml

            return to_xml(page, blocks)
        case "csv":
            from ...segment.exchange.segmentation_table import to_csv

            return to_csv(page, blocks)
    return _exchanged(page, blocks, form, method).decode()


def _exchanged(page: Page, blocks: Blocks, form: Format, method: str) -> bytes:
    from ...segment.exchange.fitlayout import to_fitlayout
    from ...segment.exchange.segmentation_table import to_coco
    from ...segment.exchange.webis import to_webis

    if form == "webis":
        return to_webis(page, {method: blocks})
    return to_coco(page, blocks) if form == "coco" else to_fitlayout(page, blocks)


def _json(page: Page, blocks: Blocks, method: str) -> str:
    import orjson

    from ...segment.export import neighbour_relations, to_dict

    tree = to_dict(page, blocks)
    if method == "semantic":
        tree["relations"] = neighbour_relations(blocks)
    return orjson.dumps(tree).decode()


def _tree(page: Page, blocks: Blocks) -> str:
    lines, depth = [], list[int]()
    for row, parent in enumerate(blocks.parent.tolist()):
        depth.append(depth[parent] + 1 if parent >= 0 else 0)
        text = " ".join(" ".join(page.leaf_texts[leaf] for leaf in blocks.leaves_of(row).tolist()).split())
        box = " ".join(f"{value:.0f}" for value in blocks.box[row].tolist())
        lines.append(f"{'  ' * depth[row]}[{box}] doc {blocks.doc[row]}  {text[:60]}")
    return "\n".join(lines)


def _crops(page: Page, blocks: Blocks) -> tuple[Crop, ...]:
    from ...segment.pictures.crops import crops

    if page.screenshot is None:
        raise PageFailed(page.url, "this page was saved without a picture; render it again with --screenshot full")
    return tuple(crops(page, blocks))


def _write_crops(job: Job, folder: Path, crops: Sequence[Crop]) -> None:
    """Write the pictures; report blocks without a picture, or with a part of it, on standard error."""
    create_folder(folder)
    for picture in crops:
        if picture.why:
            say(f"block {picture.block}: {picture.why}" + ("" if picture.png else ", no picture"))
        if picture.png and not job.write_bytes(folder / f"block-{picture.block:04d}.png", picture.png):
            return
