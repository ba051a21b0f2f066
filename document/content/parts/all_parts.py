"""All parts of the content that are not plain text, and the text to add to the marked one or to drop."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....page.arrays import BoolColumn, Marks
from ....page.page import Page
from .code import FoundCode, find_code
from .complete import missing_cells
from .embeds import find_boxes, find_embeds
from .emoji import find_emoji
from .footnotes import find_footnotes
from .formulas import find_formulas
from .headings import find_headings
from .images import FoundImages, Image, find_images
from .inline import Inset, Surroundings
from .preformatted import lines_kept
from .tex import FormulaSpan, tex_in_text


@dataclass(frozen=True, slots=True, kw_only=True)
class ContentParts:
    """The parts of a page's content.

    ``marks``, bool (leaves,), is the text to write: with captions and notes, not replaced by insets.
    ``insets`` replace elements, by row; ``omitted``, bool (nodes,), has no output at all; ``notes`` are label and
    symbol of each footnote, by row; ``verse``, bool (nodes,), marks texts in which line ends are kept; ``formulas``
    are those within texts, by row.
    """

    marks: Marks
    insets: Mapping[int, Inset]
    omitted: BoolColumn
    notes: Mapping[int, tuple[str, str]]
    code: FoundCode
    images: tuple[Image, ...]
    verse: BoolColumn
    formulas: Mapping[int, Sequence[FormulaSpan]]


def find_parts(page: Page, marks: Marks, *, images: bool = True, captions: bool = True) -> ContentParts:
    """Find the parts of the content of a page; unmarked captions are included if ``captions`` is set."""
    marks = marks | missing_cells(page, marks)
    around = Surroundings(page, marks)
    code = find_code(page)
    formulas = find_formulas(page, around)
    notes = find_footnotes(page, around)
    headings = find_headings(page, around)
    none = FoundImages(images=(), insets={}, captions=[])
    emoji = find_emoji(page, around)
    shown = find_images(page, around, taken=formulas.pictures | emoji.keys()) if images else none
    insets = (
        emoji | notes.insets | shown.insets | find_embeds(page, around) | find_boxes(page, around) | formulas.insets
    )
    insets = _outermost(page, insets)
    omitted = np.zeros(len(page), dtype=bool)
    omitted[[*insets, *formulas.omitted]] = True
    omitted = page.below(omitted)
    written = marks.copy()
    captioned = shown.captions if captions else ()
    along = [*notes.leaves, *captioned, *_summaries(page, marks), *headings.along]
    written[along] = around.seen[along]
    written[[*code.omitted, *notes.omitted, *headings.omitted]] = False
    written &= ~omitted[page.leaves]
    return ContentParts(
        marks=written,
        insets=insets,
        omitted=omitted,
        notes=notes.notes,
        code=code,
        images=shown.images,
        verse=lines_kept(page),
        formulas=tex_in_text(page, written),
    )


def _outermost(page: Page, insets: dict[int, Inset]) -> dict[int, Inset]:
    """Drop insets inside others."""
    kept, end = {}, -1
    for row in sorted(insets):
        if row >= end:
            kept[row], end = insets[row], int(page.end[row])
    return kept


def _summaries(page: Page, marks: Marks) -> list[int]:
    """Return the leaves of the summaries of marked details."""
    rows = np.flatnonzero(page.has_tag("summary"))
    owner = page.nearest(page.has_tag("details")) if len(rows) else rows
    found: list[int] = []
    for row in rows.tolist():
        above = int(owner[row])
        if above >= 0 and marks[slice(*page.leaf_range[above])].any():
            found += range(*page.leaf_range[row].tolist())
    return found
