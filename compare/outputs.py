"""A system's answer in the forms that are measured: marks, plain text, and text with CleanEval's marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..classify.marked_segments import Segment, SegmentKind, segments_of
from ..classify.system import RoleSystem, System, marks_of, page_for
from ..classify.written import Stated, markdown_of, stated_of
from ..document.content.content import content_of
from ..document.content.keep_elements import HEADINGS
from ..document.content.plain_text import plain_text
from ..page.arrays import Marks
from ..page.page import Page

_LIST = frozenset({"li", "dt", "dd", "ul", "ol", "dl", "td", "th", "tr"})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """What a system found on a page.

    Attributes
    ----------
    page : Page
    marks : bool (leaves,)
    text : str
        As :attr:`~blocksight.document.document.Document.text` without the marks of lists and the like, which
        no gold has; whoever marked: one serialiser for all.
    markup : str
        The system's own segments, where it has some; else the same paragraphs, each behind ``<h>``, ``<l>`` (items of
        lists, cells of tables) or ``<p>``.
    markdown : str
        The content as Markdown, "" where nobody asked for it.
    stated : Stated or None
        Title, authors and date; None where nobody asked for them, or the system does not look for them.
    roles : int8 (leaves,) or None
        What each leaf is; None where nobody asked for it, or the system does not tell.
    """

    page: Page
    marks: Marks
    text: str
    markup: str
    markdown: str = ""
    stated: Stated | None = None
    roles: NDArray[np.int8] | None = None


def answer(page: Page, marks: Marks, segments: Sequence[Segment] | None = None) -> Answer:
    """Write down the marked text of a page.

    Parameters
    ----------
    page : Page
    marks : bool (leaves,)
    segments : sequence of Segment, optional
        What the system itself says of headings, paragraphs and items
        (:func:`~blocksight.classify.marked_segments.segments_of`).

    Raises
    ------
    ValueError
        When the marks have not one entry a text leaf.
    """
    if marks.shape != page.leaves.shape:
        raise ValueError(f"{marks.shape[0]} marks, but the page has {len(page.leaves)} text leaves")
    content = content_of(page, marks)
    if segments is None:
        parts = [f"<{_kind(tag)}> {one.text}" for one, tag in zip(content.paragraphs, content.tags, strict=True)]
    else:
        parts = list(map(str, segments))
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


def attempt_segments(system: System, page: Page) -> tuple[list[Segment] | None, str]:
    """Let a system name its segments, None where it has no such method; where it fails, none and the reason."""
    try:
        return segments_of(system, page), ""
    except Exception as problem:  # as above
        return [], f"{type(problem).__name__}: {problem}"


def attempt_markdown(system: System, page: Page, marks: Marks) -> tuple[str, str]:
    """Let a system write Markdown; where it fails, nothing and the reason."""
    try:
        return markdown_of(system, page, marks), ""
    except Exception as problem:  # as above
        return "", f"{type(problem).__name__}: {problem}"


def attempt_stated(system: System, page: Page) -> tuple[Stated | None, str]:
    """Let a system say title, authors and date; where it fails, nothing and the reason."""
    try:
        return stated_of(system, page), ""
    except Exception as problem:  # as above
        return Stated(), f"{type(problem).__name__}: {problem}"


def attempt_roles(system: System, page: Page) -> tuple[NDArray[np.int8] | None, str]:
    """Let a system tell roles, None where it does not; where it fails, none and the reason."""
    if not isinstance(system, RoleSystem):
        return None, ""
    try:
        return system.roles(page_for(system, page)), ""
    except Exception as problem:  # as above
        return np.full(len(page.leaves), -1, dtype=np.int8), f"{type(problem).__name__}: {problem}"


def _kind(tag: str) -> SegmentKind:
    if tag in HEADINGS:
        return SegmentKind.HEADING
    return SegmentKind.ITEM if tag in _LIST else SegmentKind.PARAGRAPH
