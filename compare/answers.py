"""A system's answer in the forms that are measured: marks, plain text, and text with CleanEval's marks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..classify.document.content import content_of
from ..classify.document.plain_text import plain_text
from ..classify.document.structure import HEADINGS
from ..classify.system import System, marks_of
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
        As :attr:`~blocksight.classify.document.document.Document.text` without the marks of lists and the like, which
        no gold has; whoever marked: one serialiser for all.
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
    content = content_of(page, marks)
    parts = [f"{_segment(tag)} {one.text}" for one, tag in zip(content.paragraphs, content.tags, strict=True)]
    return Answer(page=page, marks=marks, text=plain_text(content.root, marks=False), markup="\n".join(parts))


def attempt(system: System, page: Page) -> tuple[Marks, str]:
    """Let a system mark a page, without geometry if it is no visual one; where it fails, no marks and the reason.

    Returns
    -------
    bool (leaves,)
    str
        "" where all went well.
    """
    try:
        marks = marks_of(system, page)
    except Exception as problem:  # one system's fault is its own result, not the end of the others'
        return np.zeros(len(page.leaves), dtype=bool), f"{type(problem).__name__}: {problem}"
    return marks, ""


def _segment(tag: str) -> str:
    if tag in HEADINGS:
        return "<h>"
    return "<l>" if tag in _LIST else "<p>"
