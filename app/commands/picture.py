"""Pictures of a page's blocks with what is known of them: features and scores, which the segmenter cannot have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...classify.systems.blocksight import Blocksight
from ...features.table import measure
from ...render.page import Page
from ...segment.blocks import Blocks
from ...segment.overlay import overlay_png
from ...segment.overlay_html import Layer, overlay_html

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


def draw(page: Page, blocks: Blocks, *, content: bool) -> bytes:
    """Draw blocks over the screenshot as a PNG; green what is content, red what is not, where that is asked for."""
    return overlay_png(page, blocks, marked=Blocksight().mark(page).tolist() if content else None)


def draw_html(
    page: Page, make: Callable[[Page, int], Blocks], steps: Sequence[int], shown: int, *, content: bool
) -> str:
    """Draw a segmentation at several degrees of coherence as one HTML file, with features and scores.

    Parameters
    ----------
    page : Page
        With geometry.
    make : callable
        Gives the blocks of a page at a permitted degree of coherence.
    steps : sequence of int
        Those degrees.
    shown : int
        The one to begin with.
    content : bool
        Green what is content, red what is not.
    """
    judged = Blocksight().judge(page)
    layers = []
    for step in steps:
        blocks = make(page, step)
        layers.append(Layer(name=str(step), blocks=blocks, columns=_columns(page, blocks, judged.probability)))
    marked = judged.marks.tolist() if content else None
    return overlay_html(page, layers, shown=list(steps).index(shown), marked=marked)


def is_html(path: Path) -> bool:
    """Return by its name whether a picture is to be HTML."""
    return path.suffix.lower() in {".html", ".htm"}


def _columns(page: Page, blocks: Blocks, probability: NDArray[np.float64]) -> dict[str, list[float | str | None]]:
    """Return one value a block; blocks without text of their own have none."""
    table = measure(page, blocks, columns=SHOWN)
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
