"""Segmentation methods by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

from ..page.page import Page
from .blocks import Blocks, Pdoc, text_blocks


def _lazy(module: str, name: str, **options: Any) -> Callable[[Page], Blocks]:
    """Return a segmentation function that imports its module on the first call."""

    def segment(page: Page) -> Blocks:
        return cast(Blocks, getattr(import_module(module, __package__), name)(page, **options))

    return segment


#: Segmentation methods, each with the parameters of its paper. VIPS has one PDoC: the rows of data sets and models must
#: not change with the numbers that the adaptive cut has learned.
METHODS: dict[str, Callable[[Page], Blocks]] = {
    "paragraphs": text_blocks,
    "targets": _lazy(".targets", "target_nodes"),
    "vips": _lazy(".vips.vips", "vips", pdoc=8),
    "semantic": _lazy(".semantic", "semantic_blocks"),
}


def segment_page(page: Page, method: str, pdoc: Pdoc = "auto") -> Blocks:
    """Segment a page by the name of a method; ``pdoc`` (permitted degree of coherence) is for VIPS only."""
    if method != "vips":
        return METHODS[method](page)
    from .vips.vips import vips

    return vips(page, pdoc=pdoc)
