"""A system's answer in the forms that are measured: marks, plain text, and text with CleanEval's marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..classify.document.markup import plain_text, tree
from ..classify.document.passages import passages
from ..classify.document.structure import HEADINGS, kept_elements
from ..classify.system import System
from ..render.arrays import Marks
from ..render.page import Page

_LIST = frozenset({"li", "dt", "dd", "ul", "ol", "dl", "td", "th", "tr"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """What a system found on a page.

    Attributes
    ----------
    page : Page
    marks : bool (leaves,)
    text : str
        As :attr:`~blocksight.classify.document.document.Document.text`, whoever marked: one serialiser for all.
    markup : str
        The same paragraphs, each behind ``<h>``, ``<l>`` (items of lists, cells of tables) or ``<p>``.
    """

    page: Page
    marks: Marks
    text: str
    markup: str


def answer(page: Page, marks: Marks) -> Answer:
    """Write down the marked text of a page.

    Raises
    ------
    ValueError
        When the marks have not one entry a text leaf.
    """
    if marks.shape != page.leaves.shape:
        raise ValueError(f"{marks.shape[0]} marks, but the page has {len(page.leaves)} text leaves")
    kept = kept_elements(page, marks)
    found = passages(page, marks, kept)
    parts = [f"{_segment(kept.tags.get(one.row, ''))} {one.text}" for one in found if one.runs]
    return Answer(page=page, marks=marks, text=plain_text(tree(page, kept, found)), markup="\n".join(parts))


def attempt(system: System, page: Page) -> tuple[Marks, str]:
    """Let a system mark a page, without geometry if it is no visual one; where it fails, no marks and the reason.

    Returns
    -------
    bool (leaves,)
    str
        "" where all went well.
    """
    try:
        marks = np.asarray(system.mark(page if system.card.visual else page.without_geometry()), dtype=bool)
        if marks.shape != page.leaves.shape:
            raise ValueError(f"{marks.shape} marks for {len(page.leaves)} text leaves")
    except Exception as problem:  # one system's fault is its own result, not the end of the others'
        return np.zeros(len(page.leaves), dtype=bool), f"{type(problem).__name__}: {problem}"
    return marks, ""


def _segment(tag: str) -> str:
    if tag in HEADINGS:
        return "<h>"
    return "<l>" if tag in _LIST else "<p>"
