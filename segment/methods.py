"""Segmentation methods by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from ..page.page import Page
from .blocks import Blocks, text_blocks


def _lazy(module: str, name: str) -> Callable[[Page], Blocks]:
    """Return a segmentation function that imports its module on the first call."""

    def segment(page: Page) -> Blocks:
        return cast(Blocks, getattr(import_module(module, __package__), name)(page))

    return segment


#: Segmentation methods, each with the parameters of its paper.
METHODS: dict[str, Callable[[Page], Blocks]] = {
    "paragraphs": text_blocks,
    "targets": _lazy(".targets", "target_nodes"),
    "vips": _lazy(".vips.vips", "vips"),
    "semantic": _lazy(".semantic", "semantic_blocks"),
    "heps": _lazy(".heps", "heps"),
}


def segment_page(page: Page, method: str, pdoc: int) -> Blocks:
    """Segment a page by the name of a method; ``pdoc`` (permitted degree of coherence) is for VIPS only."""
    if method != "vips":
        return METHODS[method](page)
    from .vips.vips import vips

    return vips(page, pdoc=pdoc)
