"""Segmentation methods by name."""

from __future__ import annotations

from collections.abc import Callable

from ..page.page import Page
from .blocks import Blocks, Pdoc, text_blocks
from .targets import target_nodes


def segment_page(page: Page, method: str, pdoc: Pdoc = "auto") -> Blocks:
    """Segment a page by the name of a method; ``pdoc`` (permitted degree of coherence) is for VIPS only."""
    if method != "vips":
        return METHODS[method](page)
    from .vips.vips import vips  # imported on use: most commands cut no page by it

    return vips(page, pdoc=pdoc)


def _vips(page: Page) -> Blocks:
    return segment_page(page, "vips", 8)


#: Segmentation methods, each with the parameters of its paper. VIPS has one PDoC: the rows of data sets and models must
#: not change with the numbers that the adaptive cut has learned.
METHODS: dict[str, Callable[[Page], Blocks]] = {"paragraphs": text_blocks, "targets": target_nodes, "vips": _vips}
