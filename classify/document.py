"""The extracted document: what is marked on a page, as text, Markdown, HTML and JSON."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..render.page import Page
from ..segment.blocks import leaf_boxes
from .outlining import Outline
from .serialise import Writer, markdown
from .system import Marks
from .title import title_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One paragraph of the content.

    Attributes
    ----------
    box : tuple of float or None
        ``(x, y, width, height)`` in CSS pixels of the document; None where it was not rendered.
    score : float or None
        Probability of content; None from systems that give none.
    kind : str
        heading, paragraph, list item, table cell, code, quote, caption, term or definition.
    text : str
    """

    box: tuple[float, float, float, float] | None
    score: float | None
    kind: str
    text: str

    def to_json(self) -> dict[str, Any]:
        """Give it as plain values."""
        box = None if self.box is None else [round(value, 2) for value in self.box]
        score = None if self.score is None else round(self.score, 4)
        return {"box": box, "score": score, "kind": self.kind, "text": self.text}


@dataclass(frozen=True, kw_only=True, eq=False)
class Document:
    """The content of a page. Every character of it stands in the page, in the page's order.

    Attributes
    ----------
    url, title, language : str
    system : str
        Name of the system that chose.
    partial : bool
        True when the page was still loading when it was taken.
    page : Page
    marks : bool (leaves,)
        The page's text leaves that are content.
    scores : float64 (leaves,) or None
        Probability of content; NaN where there is none.
    """

    url: str
    title: str
    language: str
    system: str
    partial: bool
    page: Page
    marks: Marks
    scores: NDArray[np.float64] | None = None

    @cached_property
    def _writer(self) -> Writer:
        return Writer(Outline(self.page, self.marks))

    @cached_property
    def text(self) -> str:
        """Plain text; "" where the page has no main text."""
        return self._writer.text()

    @cached_property
    def html(self) -> str:
        """Clean HTML: headings, lists, tables, code, quotes, links and emphasis."""
        return self._writer.html()

    @cached_property
    def markdown(self) -> str:
        """Markdown of :attr:`html`."""
        return markdown(self.html)

    @cached_property
    def blocks(self) -> tuple[Passage, ...]:
        """The paragraphs, each with its box and score."""
        paragraphs = self._writer.paragraphs
        row = np.full(len(self.page.leaves), -1, dtype=np.int32)
        for index, paragraph in enumerate(paragraphs):
            row[paragraph.leaves] = index
        boxes = leaf_boxes(self.page, row, len(paragraphs)).tolist()
        return tuple(
            Passage(
                box=None if np.isnan(box[0]) else (box[0], box[1], box[2], box[3]),
                score=self._score(paragraph.leaves),
                kind=self._writer.outline.kind(paragraph),
                text=self._writer.paragraph_text(paragraph),
            )
            for paragraph, box in zip(paragraphs, boxes, strict=True)
        )

    def _score(self, leaves: list[int]) -> float | None:
        if self.scores is None:
            return None
        known = self.scores[leaves]
        known = known[np.isfinite(known)]
        return float(known.mean()) if len(known) else None

    def to_json(self) -> dict[str, Any]:
        """Give the document as plain values; the layout is stable."""
        return {
            "url": self.url,
            "title": self.title,
            "language": self.language,
            "system": self.system,
            "text": self.text,
            "markdown": self.markdown,
            "html": self.html,
            "blocks": [passage.to_json() for passage in self.blocks],
            "partial": self.partial,
            "overlays": [],
        }


def document(
    page: Page,
    marks: Marks,
    *,
    title: str | None = None,
    system: str = "",
    scores: NDArray[np.float64] | None = None,
) -> Document:
    """Make a document of marks on a page.

    Parameters
    ----------
    page : Page
    marks : bool (leaves,)
    title : str, optional
        By default :func:`~blocksight.classify.title.title_of` finds it.
    system : str
        Name of the system that marked.
    scores : float64 (leaves,), optional
        Probability of content of each leaf.

    Raises
    ------
    ValueError
        When the marks do not fit the page.
    """
    if marks.shape != page.leaves.shape:
        raise ValueError(f"there are {len(page.leaves)} text leaves on the page, but {len(marks)} marks")
    return Document(
        url=page.url,
        title=title_of(page) if title is None else title,
        language=page.language,
        system=system,
        partial=page.partial,
        page=page,
        marks=marks,
        scores=scores,
    )
