"""Segmentations by name or from a file: one entrance for all that can be compared."""

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

#: Stands between a file and the name of one of its segmentations, and between ``vips`` and its PDoC.
OF_FILE, OF_METHOD = "#", ":"


def read_segments(page: Page, name: str, *, fit: bool = True) -> dict[str, Blocks | Segments]:
    """Return segmentations of a page by what they are called.

    Parameters
    ----------
    page : Page
        With geometry.
    name : str
        A method (``vips``, ``vips:6`` for a PDoC, ``targets`` ...), or a file: JSON of Webis (all its segmentations, or
        one, ``FILE#NAME``) or XML of FitLayout.
    fit : bool
        Whether the segments of a Webis file are fitted to the nodes of the page.

    Raises
    ------
    SegmentationUnreadable
        When a file cannot be read.
    ValueError
        When there is no such method or file.
    """
    method, _, pdoc = name.partition(OF_METHOD)
    if method == "vips" and pdoc.isdigit():
        return {name: vips(page, pdoc=int(pdoc))}
    if name in METHODS:
        return {name: METHODS[name](page)}
    path, _, wanted = name.rpartition(OF_FILE) if OF_FILE in name else (name, "", "")
    if not Path(path).is_file():
        raise unknown_name("method or file of a segmentation", name, METHODS)
    return _of_file(page, Path(path), wanted, fit=fit)


def _of_file(page: Page, path: Path, wanted: str, *, fit: bool) -> dict[str, Blocks | Segments]:
    written = path.read_bytes()
    if written.lstrip()[:1] == b"<":
        return {path.name: read_fitlayout(page, written)}
    file = read_webis(written)
    found: dict[str, Blocks | Segments] = {}
    for name in [wanted] if wanted else file.segmentations:
        segments = file.segments(name)
        found[f"{path.name}{OF_FILE}{name}"] = fit_to_nodes(page, segments) if fit else segments
    return found
