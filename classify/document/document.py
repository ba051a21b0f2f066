"""What comes out: the content of a page as text, Markdown, HTML and JSON, and the blocks that it came from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from ...render.arrays import IntColumn, Marks
from ...render.overlays import Overlay, find_overlays
from ...render.page import Hidden, Page
from ...segment.blocks import leaf_boxes
from .markdown import to_markdown
from .markup import plain_text, tree
from .passages import Passage, passages
from .structure import Kept, kept_elements
from .title import title_of

_KINDS = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading")
_KINDS |= dict.fromkeys(("li", "ul", "ol"), "list item")
_KINDS |= dict.fromkeys(("td", "th", "tr", "table", "thead", "tbody", "tfoot"), "table cell")
_KINDS |= {"dt": "term", "dd": "definition", "dl": "definition", "pre": "code", "blockquote": "quote"}
_KINDS |= {"caption": "caption", "figcaption": "caption"}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockScore:
    """One paragraph of the content.

    Attributes
    ----------
    box : tuple of float or None
        ``(x, y, width, height)`` of its rendered lines in CSS pixels of the document; None without geometry.
    score : float or None
        Mean score of its text leaves, weighted by their length; None where no scores were given.
    kind : str
        heading, paragraph, list item, term, definition, table cell, code, quote or caption.
    text : str
        Verbatim, white space as rendered.
    hidden : str or None
        Why a person does not see it (display, visibility, opacity, clip, zero_area, off_screen, overlay), where hidden
        text was asked to be marked; "" for what is seen; None where it was not asked.
    """

    box: tuple[float, float, float, float] | None
    score: float | None
    kind: str
    text: str
    hidden: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as plain values; ``hidden`` only where it was asked for."""
        values = {"box": self.box and list(self.box), "score": self.score, "kind": self.kind, "text": self.text}
        return values if self.hidden is None else values | {"hidden": self.hidden}


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The content of a page.

    Attributes
    ----------
    url, title, language : str
        "" where unknown.
    system : str
        Name of the system that chose the content.
    text : str
        Plain text in which every character that is no white space comes verbatim from the page, in its order:
        paragraphs are parted by a blank line, items and rows by a newline, cells by a tab.
    markdown : str
        CommonMark with tables.
    html : str
        Clean markup: headings, lists, tables, code, quotes, links and emphasis.
    blocks : tuple of BlockScore
        One a paragraph.
    overlays : tuple of Overlay
        What lay over the page: consent notices, dialogs, bars.
    partial : bool
        True when the page was still loading at its deadline.
    confidence : float or None
        How well the text is expected to hit the content, 0 to 1 (an expected F1); a low value is a warning. None where
        the system cannot say.
    """

    url: str
    title: str
    language: str
    system: str
    text: str
    markdown: str
    html: str
    blocks: tuple[BlockScore, ...]
    partial: bool
    overlays: tuple[Overlay, ...]
    confidence: float | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the document as plain dicts, lists, strings and numbers, its boxes as ``[x, y, width, height]``."""
        return {
            "url": self.url,
            "title": self.title,
            "language": self.language,
            "system": self.system,
            "confidence": self.confidence,
            "text": self.text,
            "markdown": self.markdown,
            "html": self.html,
            "blocks": [block.to_json() for block in self.blocks],
            "partial": self.partial,
            "overlays": [overlay.to_json() for overlay in self.overlays],
        }


def document(
    page: Page,
    marks: Marks,
    *,
    title: str | None = None,
    system: str = "blocksight",
    scores: NDArray[np.floating[Any]] | None = None,
    reasons: NDArray[np.uint8] | None = None,
    order: IntColumn | None = None,
    confidence: float | None = None,
) -> Document:
    r"""Write down the marked text of a page.

    Parameters
    ----------
    page : Page
    marks : bool (leaves,)
        True for content; no mark at all gives an empty document.
    title : str, optional
        By default :func:`~blocksight.classify.document.title.title_of` the page.
    system : str
        Name of whoever marked.
    scores : float (leaves,), optional
        How sure it was of each leaf.
    reasons : uint8 (leaves,), optional
        Why each leaf is not seen (:class:`~blocksight.render.page.Hidden`), to be told block by block.
    order : int32 (leaves,), optional
        The leaves in the order in which their paragraphs are written, such as
        :func:`~blocksight.segment.order.reading_order`; by default the document's.
    confidence : float, optional
        How well the marks are expected to hit the content.

    Returns
    -------
    Document

    Raises
    ------
    ValueError
        When ``marks`` or ``scores`` have not one entry a leaf, or ``order`` does not name each leaf once.

    Examples
    --------
    >>> from blocksight.render.static import parse
    >>> page = parse("<h1>Tea</h1><p>Boil <b>fresh</b> water.</p><p>Share this</p>")
    >>> document(page, np.array([True, True, True, True, False])).markdown
    '# Tea\n\nBoil **fresh** water.\n'
    """
    for name, column in (("marks", marks), ("scores", scores), ("reasons", reasons)):
        if column is not None and np.shape(column) != page.leaves.shape:
            raise ValueError(f"{name}: {np.shape(column)}, but the page has {len(page.leaves)} text leaves")
    chosen = np.asarray(marks, dtype=bool)
    kept = kept_elements(page, chosen)
    found = passages(page, chosen, kept)
    if order is not None:
        found = _ordered(found, order, len(page.leaves))
    root = tree(page, kept, found)
    elements = [etree.tostring(element, encoding="unicode", method="html") for element in root]
    return Document(
        url=page.url,
        title=title_of(page) if title is None else title,
        language=page.language,
        system=system,
        text=plain_text(root),
        markdown=to_markdown("".join(etree.tostring(element, encoding="unicode") for element in root)),
        html="\n".join(elements),
        blocks=_blocks(page, kept, [passage for passage in found if passage.runs], scores, reasons),
        partial=page.partial,
        overlays=find_overlays(page),
        confidence=confidence,
    )


def _ordered(found: list[Passage], order: IntColumn, leaves: int) -> list[Passage]:
    """Sort paragraphs by their first leaf; rules and empty cells stay behind what they follow."""
    if not np.array_equal(np.sort(order), np.arange(leaves)):
        raise ValueError(f"order must name each of the {leaves} text leaves once")
    place = np.argsort(order)
    ranks: list[int] = []
    for passage in found:
        before = ranks[-1] if ranks else -1
        ranks.append(int(place[passage.leaves].min()) if passage.leaves else before)
    return [found[number] for number in np.argsort(ranks, kind="stable")]


def _blocks(
    page: Page,
    kept: Kept,
    found: list[Passage],
    scores: NDArray[np.floating[Any]] | None,
    reasons: NDArray[np.uint8] | None,
) -> tuple[BlockScore, ...]:
    leaf_block = np.full(len(page.leaves), -1, dtype=np.int32)
    for number, passage in enumerate(found):
        leaf_block[passage.leaves] = number
    boxes = leaf_boxes(page, leaf_block, len(found)).astype(np.float64).round(2).tolist()
    return tuple(
        BlockScore(
            box=None if math.isnan(box[0]) else (box[0], box[1], box[2], box[3]),
            score=None if scores is None else _mean(page, passage.leaves, scores),
            kind=_KINDS.get(kept.tags.get(passage.row, ""), "paragraph"),
            text=passage.text,
            hidden=None if reasons is None else _reason(reasons[passage.leaves]),
        )
        for passage, box in zip(found, boxes, strict=True)
    )


def _reason(reasons: NDArray[np.uint8]) -> str:
    """A block of which anything is seen is not hidden."""
    return Hidden(int(reasons[0])).name.lower() if reasons.all() else ""


def _mean(page: Page, leaves: list[int], scores: NDArray[np.floating[Any]]) -> float:
    lengths = [len(page.leaf_texts[leaf]) for leaf in leaves]
    return float(np.average(scores[leaves], weights=lengths))
