"""The segmentations by name."""

from __future__ import annotations

from collections.abc import Callable

from ..render.page import Page
from .blocks import Blocks, text_blocks
from .clusters import box_clusters
from .fusion import fused_blocks
from .heps import heps
from .semantic import semantic_blocks
from .targets import target_nodes
from .vips.vips import vips

#: Ways of cutting a page into blocks, each with its paper's parameters.
METHODS: dict[str, Callable[[Page], Blocks]] = {
    "paragraphs": text_blocks,
    "targets": target_nodes,
    "vips": vips,
    "semantic": semantic_blocks,
    "heps": heps,
    "bcs": box_clusters,
    "fusion": fused_blocks,
}


def cut(page: Page, method: str, pdoc: int) -> Blocks:
    """Cut a page into blocks by the name of a method; a degree of coherence is for VIPS only."""
    return vips(page, pdoc=pdoc) if method == "vips" else METHODS[method](page)
