"""The paragraphs of a document as blocks: where each stands on the page, what it is, and how sure the system was."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..page.arrays import FloatArray
from ..page.hidden import Hidden
from ..page.page import Page
from ..segment.blocks import leaf_boxes
from .content.content import Content
from .roles import LeafRoles

#: What a paragraph is called by the element that it stands in.
_KINDS = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading")
_KINDS |= dict.fromkeys(("li", "ul", "ol"), "list item")
_KINDS |= dict.fromkeys(("td", "th", "tr", "table", "thead", "tbody", "tfoot"), "table cell")
_KINDS |= {"dt": "term", "dd": "definition", "dl": "definition", "pre": "code", "blockquote": "quote"}
_KINDS |= {"caption": "caption", "figcaption": "caption", "aside": "footnote"}


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
        heading, paragraph, list item, term, definition, table cell, code, quote, caption or footnote.
    text : str
        Verbatim, white space as rendered.
    hidden : str or None
        Why a person does not see it (display, visibility, opacity, clip, zero_area, off_screen, overlay), where hidden
        text was asked to be marked; "" for what is seen; None where it was not asked.
    role : str or None
        What it is to a reader (:data:`~blocksight.page.role_names.ROLES`); None where the system does not tell.
    role_probability : float or None
        How likely that role is.
    """

    box: tuple[float, float, float, float] | None
    score: float | None
    kind: str
    text: str
    hidden: str | None = None
    role: str | None = None
    role_probability: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values; ``hidden`` only where it was asked for."""
        values: dict[str, Any] = {"box": self.box and list(self.box), "score": self.score, "kind": self.kind}
        values |= {"role": self.role, "role_probability": self.role_probability, "text": self.text}
        return values if self.hidden is None else values | {"hidden": self.hidden}


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockVerdict:
    """One block of the page, kept or not.

    Attributes
    ----------
    kept : bool
        Whether anything of it is content.
    probability : float or None
        Of content, as the system said; None where it says nothing, and for what is not seen.
    kind : str
        As of :class:`BlockScore`.
    box : tuple of float or None
        ``(x, y, width, height)`` in CSS pixels of the document; None without geometry.
    text : str
    role, role_probability : str or None, float or None
        As of :class:`BlockScore`.
    positive_contributions, negative_contributions : tuple of dict
        The columns that spoke most for and against it: ``column``, ``words`` to read, ``value``, and ``weight``, what
        it added to the decision. Empty where the system is no linear model.
    """

    kept: bool
    probability: float | None
    kind: str
    box: tuple[float, float, float, float] | None
    text: str
    role: str | None = None
    role_probability: float | None = None
    positive_contributions: tuple[dict[str, Any], ...] = ()
    negative_contributions: tuple[dict[str, Any], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        values: dict[str, Any] = {"kept": self.kept, "probability": self.probability, "kind": self.kind}
        values |= {"role": self.role, "role_probability": self.role_probability}
        values |= {"positive_contributions": list(self.positive_contributions)}
        values |= {"negative_contributions": list(self.negative_contributions)}
        return values | {"box": self.box and list(self.box), "text": self.text}


def kind_of(tag: str) -> str:
    """Return what a block is called by the element that it stands in."""
    return _KINDS.get(tag, "paragraph")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ParagraphColumns:
    """What is known of the paragraphs beside their text, column by column: little enough to outlive the page.

    Attributes
    ----------
    boxes : float64 (paragraphs, 4)
        ``[x, y, width, height]`` in CSS pixels of the document; NaN without a rendered line.
    lengths : int64 (leaves,)
        Characters of each text leaf of the page.
    scores : float (leaves,) or None
    reasons : uint8 (leaves,) or None
        Why each leaf is not seen.
    roles : LeafRoles or None
    """

    boxes: FloatArray
    lengths: NDArray[np.int64]
    scores: NDArray[np.floating[Any]] | None
    reasons: NDArray[np.uint8] | None
    roles: LeafRoles | None = None


def paragraph_columns(
    page: Page,
    content: Content,
    scores: NDArray[np.floating[Any]] | None,
    reasons: NDArray[np.uint8] | None,
    roles: LeafRoles | None = None,
) -> ParagraphColumns:
    """Collect what is known of the paragraphs of a page's content."""
    leaf_block = np.full(len(page.leaves), -1, dtype=np.int32)
    for number, paragraph in enumerate(content.paragraphs):
        leaf_block[paragraph.leaves] = number
    return ParagraphColumns(
        boxes=leaf_boxes(page, leaf_block, len(content.paragraphs)).astype(np.float64).round(2),
        lengths=np.fromiter(map(len, page.leaf_texts), dtype=np.int64, count=len(page.leaves)),
        scores=scores,
        reasons=reasons,
        roles=roles,
    )


def block_scores(content: Content, evidence: ParagraphColumns) -> tuple[BlockScore, ...]:
    """Write the paragraphs as blocks."""
    rows = zip(content.paragraphs, content.tags, evidence.boxes.tolist(), strict=True)
    return tuple(_block(paragraph.leaves, paragraph.text, tag, box, evidence) for paragraph, tag, box in rows)


def _block(leaves: list[int], text: str, tag: str, box: list[float], evidence: ParagraphColumns) -> BlockScore:
    role, likely = (None, None) if evidence.roles is None else evidence.roles.of(leaves, evidence.lengths)
    return BlockScore(
        box=None if math.isnan(box[0]) else (box[0], box[1], box[2], box[3]),
        score=_mean(leaves, evidence),
        kind=kind_of(tag),
        text=text,
        hidden=None if evidence.reasons is None else _reason(evidence.reasons[leaves]),
        role=role,
        role_probability=likely,
    )


def _reason(reasons: NDArray[np.uint8]) -> str:
    """A block of which anything is seen is not hidden."""
    return Hidden(int(reasons[0])).name.lower() if reasons.all() else ""


def _mean(leaves: list[int], evidence: ParagraphColumns) -> float | None:
    if evidence.scores is None:
        return None
    return float(np.average(evidence.scores[leaves], weights=evidence.lengths[leaves]))
