"""Segmentations by name or from a file, for comparisons."""

from __future__ import annotations

from pathlib import Path

from ..errors import unknown_name
from ..page.page import Page
from .blocks import Blocks
from .methods import METHODS
from .segments import Segments
from .vips.vips import vips
from .webis import fit_to_nodes, read_webis

#: Separator of a file and the name of one of its segmentations, and of ``vips`` and its PDoC.
FILE_SEPARATOR, PDOC_SEPARATOR = "#", ":"


def read_segments(page: Page, name: str) -> dict[str, Blocks | Segments]:
    """Return segmentations of a page with geometry by their names.

    A name is a method (``vips`` divides as people do, ``vips:6`` by a PDoC, ``targets`` ...) or a file of Webis (all of
    its segmentations, or one, ``FILE#NAME``), whose segments are fitted to the nodes of the page.
    """
    method, _, pdoc = name.partition(PDOC_SEPARATOR)
    if method == "vips" and (pdoc.isdigit() or pdoc in ("", "auto")):
        return {name: vips(page, pdoc=int(pdoc) if pdoc.isdigit() else "auto")}
    if name in METHODS:
        return {name: METHODS[name](page)}
    path, _, segmentation = name.rpartition(FILE_SEPARATOR) if FILE_SEPARATOR in name else (name, "", "")
    if not Path(path).is_file():
        raise unknown_name("method or file of a segmentation", name, METHODS)
    file = read_webis(Path(path).read_bytes())
    return {
        f"{Path(path).name}{FILE_SEPARATOR}{one}": fit_to_nodes(page, file.segments(one))
        for one in ([segmentation] if segmentation else file.segmentations)
    }
