"""Pictures of a page's blocks with their features and scores, for the command ``segment``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from ..segment.methods import segment_page

if TYPE_CHECKING:
    from ..classify.model.contributions import Contribution
    from ..classify.model.model import Model
    from ..features.block_table import Table
    from ..page.arrays import FloatArray
    from ..page.page import Page
    from ..segment.blocks import Blocks, Pdoc

#: Features of a block in the picture, with its words and its probability.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Style of a drawing of blocks: ".html" and ".htm" as HTML, any other suffix as a PNG."""

    suffix: str
    method: str
    pdoc: Pdoc
    content: bool = False
    separators: bool = False
    inner: bool = False


def draw(page: Page, blocks: Blocks, drawing: Drawing) -> bytes:
    """Draw blocks over the screenshot of their page."""
    if drawing.suffix in {".html", ".htm"}:
        steps: tuple[Pdoc, ...] = ("auto", *range(1, 11)) if drawing.method == "vips" else (drawing.pdoc,)
        make = partial(segment_page, page, drawing.method)
        return _draw_html(page, make, steps, drawing).encode()
    from ..classify.systems.blocksight import Blocksight
    from ..segment.pictures.overlay import overlay_png

    return overlay_png(
        page,
        blocks,
        marked=Blocksight().mark(page).tolist() if drawing.content else None,
        separators=drawing.separators,
        inner=drawing.inner,
        title=_title(drawing),
    )


def _title(drawing: Drawing) -> str:
    return f"VIPS, PDoC {drawing.pdoc}" if drawing.method == "vips" else f"Method: {drawing.method}"


def _draw_html(page: Page, make: Callable[[Pdoc], Blocks], steps: Sequence[Pdoc], drawing: Drawing) -> str:
    """Draw a segmentation at several degrees of coherence as one HTML file, with features and scores."""
    from ..classify.systems.blocksight import Blocksight
    from ..segment.pictures.overlay_html import Layer, overlay_html

    system = Blocksight()
    judged = system.judge(page)
    model = system.model_for(page)
    measured = model.measure(system.as_judged(page))
    layers = []
    for step in steps:
        blocks = make(step)
        columns = _columns(page, blocks, judged.probability) | _reasons(blocks, model, measured)
        layers.append(Layer(name=str(step), blocks=blocks, columns=columns))
    marked = judged.marks.tolist() if drawing.content else None
    shown = list(steps).index(drawing.pdoc)
    return overlay_html(page, layers, shown=shown, marked=marked, method=f"Method: {drawing.method}")


def _reasons(blocks: Blocks, model: Model, measured: Table) -> dict[str, list[float | str | None]]:
    """Return in words what contributed for and against each block."""
    from ..classify.model.contributions import block_contributions

    contributions = block_contributions(model, measured, blocks.leaf_block, len(blocks))
    return {
        "for content": [_words(one.positive) for one in contributions],
        "against": [_words(one.negative) for one in contributions],
    }


def _words(contributions: Sequence[Contribution]) -> str | None:
    return "; ".join(one.words for one in contributions) or None


def _columns(page: Page, blocks: Blocks, probability: FloatArray) -> dict[str, list[float | str | None]]:
    """Return one value a block; blocks without text of their own have none."""
    import numpy as np

    from ..features.block_table import measure

    table = measure(page, blocks, columns=SHOWN)
    known = np.isfinite(probability)
    weight = table.rows.leaf_words * known
    words, sure = table.rows.summed(weight), table.rows.summed(weight * np.nan_to_num(probability))
    rows = {"words": table.rows.words, "probability of content": sure / np.where(words > 0, words, np.nan)}
    rows |= {name: table.columns[name] for name in SHOWN}
    columns: dict[str, list[float | str | None]] = {}
    for name, values in rows.items():
        column = np.full(len(blocks), np.nan)
        column[table.rows.block] = values
        columns[name] = column.tolist()
    return columns
