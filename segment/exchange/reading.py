"""Segmentations by name or from a file, for comparisons."""

from __future__ import annotations

from pathlib import Path

from ...errors import unknown_name
from ...page.page import Page
from ..blocks import Blocks
from ..methods import METHODS
from ..segments import Segments
from ..vips.vips import vips
from .fitlayout import read_fitlayout
from .webis import fit_to_nodes, read_webis

#: Separator of a file and the name of one of its segmentations, and of ``vips`` and its PDoC.
FILE_SEPARATOR, PDOC_SEPARATOR = "#", ":"


def read_segments(page: Page, name: str, *, fit: bool = True) -> dict[str, Blocks | Segments]:
    """Return segmentations of a page with geometry by their names.

    A name is a method (``vips`` divides as people do, ``vips:6`` by a PDoC, ``targets`` ...) or a file: JSON of Webis
    (all its segmentations, or one, ``FILE#NAME``; with ``fit`` the segments are fitted to the nodes of the page) or XML
    of FitLayout.
    """
    method, _, pdoc = name.partition(PDOC_SEPARATOR)
    if method == "vips" and (pdoc.isdigit() or pdoc in ("", "auto")):
        return {name: vips(page, pdoc=int(pdoc) if pdoc.isdigit() else "auto")}
    if name in METHODS:
        return {name: METHODS[name](page)}
    path, _, segmentation = name.rpartition(FILE_SEPARATOR) if FILE_SEPARATOR in name else (name, "", "")
    if not Path(path).is_file():
        raise unknown_name("method or file of a segmentation", name, METHODS)
    return _read_file(page, Path(path), segmentation, fit=fit)


def _read_file(page: Page, path: Path, segmentation: str, *, fit: bool) -> dict[str, Blocks | Segments]:
    content = path.read_bytes()
    if content.lstrip()[:1] == b"<":
        return {path.name: read_fitlayout(page, content)}
    file = read_webis(content)
    segmentations: dict[str, Blocks | Segments] = {}
    for name in [segmentation] if segmentation else file.segmentations:
        segments = file.segments(name)
        segmentations[f"{path.name}{FILE_SEPARATOR}{name}"] = fit_to_nodes(page, segments) if fit else segments
    return segmentations
