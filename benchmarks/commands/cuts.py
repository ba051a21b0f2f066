"""Agreement of segmentations with the blocks that people would name, side by side."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import blocksight as bs
import click
import numpy as np
from blocksight.page.store import load, save
from blocksight.segment.pictures.overlay import overlay_png
from blocksight.segment.targets import target_nodes
from common import FOLDER, interval_cell, split_option, table_head, table_row
from numpy.typing import NDArray

from .labelled_layouts import OPTIONS, LabelledPage, agreement, counts, layouts, people_pages

METHODS: dict[str, Callable[[bs.Page], bs.Blocks]] = {
    "FIASCO (target nodes)": partial(target_nodes, share=1.0),
    "VIPS, PDoC 8": partial(bs.vips, pdoc=8),
    "VIPS, auto": bs.vips,
}
BEST = ("VIPS, best PDoC of each page", "VIPS, best cut of the tree")
#: Weights of precision, at which the best cut is sought.
_TRADES = (0.2, 0.35, 0.5, 0.65, 0.8)

Scores = tuple[float, float, float]


def leaf_rows(blocks: bs.Blocks) -> NDArray[np.intp]:
    """Return the blocks without others inside."""
    return np.setdiff1d(np.arange(len(blocks)), blocks.parent)


def score(method: Callable[[bs.Page], bs.Blocks], labelled: LabelledPage) -> Scores:
    """Return precision, recall and F1 of a segmentation on a page."""
    blocks = method(labelled.page)
    inside, total = counts(blocks, labelled)
    own = inside.copy()
    below = blocks.parent >= 0
    np.subtract.at(own, blocks.parent[below], inside[below])
    return agreement(own, total)


def best_cut(labelled: LabelledPage) -> Scores:
    """Return the scores of the best cut of the whole tree: for some trades of precision for recall, bottom-up."""
    blocks = bs.vips(labelled.page, pdoc=10)
    inside, total = counts(blocks, labelled)
    precise = (inside**2).sum(axis=1) / np.maximum(inside.sum(axis=1), 1e-9)
    complete = (inside**2 / total).sum(axis=1)
    return max(
        (_cut(blocks, inside, total, one * precise + (1 - one) * complete) for one in _TRADES), key=lambda s: s[2]
    )


def _cut(
    blocks: bs.Blocks, inside: NDArray[np.float64], total: NDArray[np.float64], value: NDArray[np.float64]
) -> Scores:
    below, parent = np.zeros(len(blocks)), blocks.parent.tolist()
    divided = np.zeros(len(blocks), dtype=bool)
    has_child = np.isin(np.arange(len(blocks)), blocks.parent)
    for row in range(len(blocks) - 1, -1, -1):
        divided[row] = has_child[row] and below[row] > value[row] + 1e-12
        if parent[row] >= 0:
            below[parent[row]] += below[row] if divided[row] else value[row]
    reached = np.zeros(len(blocks), dtype=bool)
    for row, above in enumerate(parent):
        reached[row] = above < 0 or (reached[above] and divided[above])
    return agreement(inside[reached & ~divided], total)


def scores_of(labelled: LabelledPage) -> dict[str, Scores]:
    """Return the scores of each method on a page, and those of the best cuts."""
    scores = {name: score(method, labelled) for name, method in METHODS.items()}
    degrees = [score(partial(bs.vips, pdoc=pdoc), labelled) for pdoc in range(1, 11)]
    return scores | {BEST[0]: max(degrees, key=lambda s: s[2]), BEST[1]: best_cut(labelled)}


def print_scores(title: str, pages: dict[str, dict[str, Scores]], extremes: int) -> list[str]:
    """Print the means over pages, and the best and worst pages of the adaptive cut; return their names."""
    print(f"\n{title}, {len(pages)} pages: BCubed over characters, 95 % intervals\n")
    table_head("", "precision", "recall", "F1")
    for name in (*METHODS, *BEST):
        table_row(name, *(interval_cell([page[name][part] for page in pages.values()]) for part in range(3)))
    ordered = sorted(pages, key=lambda page: (-pages[page]["VIPS, auto"][2], page))
    chosen = [*ordered[:extremes], *ordered[-extremes:]]
    print()
    table_head("page", *METHODS, *BEST)
    for page in chosen:
        table_row(page, *(f"{pages[page][name][2]:.2f}" for name in (*METHODS, *BEST)))
    return chosen


@click.command()
@click.argument("folder", type=FOLDER)
@click.option("--rendered", type=FOLDER, required=True, help="Folder that keeps rendered pages.")
@click.option("--people", type=FOLDER, help="Also a corpus with blocks of people, as for the command people.")
@split_option
@click.option("--pictures", type=FOLDER, help="Draw the best and the worst pages of FOLDER, by the adaptive cut, here.")
@click.option("--extremes", default=10, show_default=True, help="Number of best pages, and of worst ones.")
def cuts(folder: Path, rendered: Path, people: Path | None, split: str, pictures: Path | None, extremes: int) -> None:
    """Measure FIASCO, VIPS at PDoC 8 and its adaptive cut against blocks that people would name.

    FOLDER has HTML pages whose elements name blocks (``data-block``), as fixtures/layouts. The figures for VIPS, auto,
    on pages that trained it are too high: ``fit-cut`` prints those of folds.
    """
    found = {labelled.name: labelled for labelled in layouts(folder, rendered)}
    chosen = print_scores(folder.name, {name: scores_of(one) for name, one in found.items()}, extremes)
    if pictures is not None:
        pictures.mkdir(parents=True, exist_ok=True)
        for name in chosen:
            page = found[name].page
            (pictures / f"{name}.png").write_bytes(small_picture(page))
    if people is not None:
        named: Iterator[LabelledPage] = people_pages(people, rendered, split)
        print_scores(f"{people.name}, {split}", {one.name: scores_of(one) for one in named}, extremes)


#: Forms of a page: zoom, pixels of the screen for each CSS pixel, and markup after its content.
SENTENCE = "The tide comes in twice a day, and with it the ferries that bring the post. "
LONGER = f"<div style='clear:both;padding:40px'>{f'<p>{SENTENCE * 4}</p>' * 40}</div>"
FORMS = {
    **{f"zoom {zoom}": (zoom, 1.0, "") for zoom in (0.5, 0.67, 0.75, 1.25, 1.5, 2, 3)},
    **{f"device scale {scale}": (1, float(scale), "") for scale in (1.5, 2, 3)},
    "40 paragraphs below": (1, 1.0, LONGER),
}
_TAG = re.compile(r"<html\b")
#: Scroll bars are as wide at every zoom, and would make the layout of zoomed pages wider or narrower.
_NO_BARS = "<style>*{scrollbar-width:none!important}</style></head>"


def together(blocks: bs.Blocks, leaves: int) -> set[frozenset[int]]:
    """Return the sets of text leaves in one block each, of the first leaves."""
    block = blocks.leaf_block[:leaves]
    return {frozenset(np.flatnonzero(block == row).tolist()) for row in np.unique(block[block >= 0]).tolist()}


def nested(blocks: bs.Blocks, leaves: int) -> set[frozenset[int]]:
    """Return the sets of text leaves in each block with all inside it, of the first leaves: the tree."""
    inside: list[set[int]] = [set() for _ in range(len(blocks))]
    for leaf, innermost in enumerate(blocks.leaf_block[:leaves].tolist()):
        if innermost >= 0:
            inside[innermost].add(leaf)
    for row in range(len(blocks) - 1, 0, -1):
        inside[blocks.parent[row]] |= inside[row]
    return {frozenset(leaves_inside) for leaves_inside in inside if leaves_inside}


def alike(one: bs.Page, other: bs.Page) -> dict[str, bool]:
    """Return whether the tree, the adaptive cut, PDoC 8, and every PDoC have the same texts in one block each."""
    count = len(one.leaves)
    cut = {
        pdoc: together(bs.vips(one, pdoc=pdoc), count) == together(bs.vips(other, pdoc=pdoc), count)
        for pdoc in ("auto", *range(1, 11))
    }
    return {
        "tree": nested(bs.vips(one, pdoc=10), count) == nested(bs.vips(other, pdoc=10), count),
        "auto": cut["auto"],
        "PDoC 8": cut[8],
        "PDoC 1 to 10": all(cut[pdoc] for pdoc in range(1, 11)),
    }


def opened_in(form: str, sources: dict[str, str], kept: Path | None) -> Iterator[tuple[str, bs.Page]]:
    """Yield the pages of some sources in a form, "" for as they are; rendered ones are kept in a folder if given."""
    zoom, scale, more = FORMS[form] if form else (1, 1.0, "")
    window = (round(1280 * zoom), round(800 * zoom))
    folder = None if kept is None else kept / (form or "as it is")
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    with bs.Browser(options=replace(OPTIONS, viewport=window, device_scale=scale, screenshot="")) as browser:
        for name, source in sources.items():
            path = None if folder is None else folder / f"{name}.page"
            if path is not None and path.exists():
                yield name, load(path)
                continue
            changed = source.replace("</head>", _NO_BARS, 1)
            changed = _TAG.sub(f"<html style='zoom: {zoom}'", changed, count=1) if zoom != 1 else changed
            changed = changed.replace("</body>", f"{more}</body>") if "</body>" in changed else changed + more
            page = browser.open(changed.encode())
            if path is not None:
                save(page, path)
            yield name, page


@click.command()
@click.argument("folders", type=FOLDER, nargs=-1, required=True)
@click.option("--form", "forms", type=click.Choice(tuple(FORMS)), multiple=True, help="Only these forms.")
@click.option("--rendered", type=FOLDER, help="Folder that keeps rendered pages, FORM/NAME.page.")
def steady(folders: tuple[Path, ...], forms: tuple[str, ...], rendered: Path | None) -> None:
    """Count the pages that are cut alike if they are zoomed, on a denser screen, or longer.

    FOLDERS have HTML pages. The window grows with the zoom and there are no scroll bars, so that the layout is
    the same. Pages whose texts are not
    the same in both forms (other ones are hidden) are not compared.
    """
    files = [path for folder in folders for path in sorted(folder.glob("*.html"))]
    sources = {path.stem: path.read_text(encoding="utf-8") for path in files}
    pages = dict(opened_in("", sources, rendered))
    table_head("form", "compared", "tree", "auto", "PDoC 8", "PDoC 1 to 10", "other cuts")
    for form in forms or FORMS:
        found = {
            name: alike(pages[name], other)
            for name, other in opened_in(form, sources, rendered)
            if np.array_equal(shown(pages[name])[: len(pages[name].leaves)], shown(other)[: len(pages[name].leaves)])
        }
        columns = np.sum([list(one.values()) for one in found.values()], axis=0).tolist()
        table_row(form, len(found), *columns, ", ".join(name for name, one in found.items() if not one["auto"]))


def shown(page: bs.Page) -> NDArray[np.bool_]:
    """Return the text leaves that are in blocks."""
    return bs.vips(page, pdoc=1).leaf_block >= 0


def small_picture(page: bs.Page) -> bytes:
    """Return a small PNG of the adaptive cut of a page."""
    import io

    from PIL import Image

    picture = Image.open(io.BytesIO(overlay_png(page, bs.vips(page), title="VIPS, auto"))).convert("RGB")
    picture.thumbnail((420, 900))
    drawn = io.BytesIO()
    picture.quantize(64).save(drawn, format="PNG", optimize=True)
    return drawn.getvalue()
