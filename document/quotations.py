"""Quotations, checked against what a page shows: found, found with other words, hidden, on another page, or missing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from difflib import SequenceMatcher
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..lexicon.words import lower, word_spans, words
from ..page.arrays import MOSTLY, FloatColumn, IntColumn
from ..page.invisible_characters import strip_invisible
from ..page.page import Page
from ..page.visibility import invisible_leaves
from .hidden_report import HiddenReport
from .line_columns import LEFTWARD, Box, merged, visible

Result = Literal["found", "similar", "elsewhere", "hidden", "missing"]
#: Quotation marks and dashes in all forms are alike.
_ALIKE = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u2032", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-")
)
_ENDS = "\"' .\u2026"
#: The similarity from which a passage has the quotation in other words. Of 338 sentences of 40 pages, in which each
#: fifth word was replaced, 97 % have as much; of sentences of other pages none has .5.
_SIMILAR = MOSTLY
#: Occurrences of a quotation, and of its words, that are compared, and passages that have most of them.
_MOST_OCCURRENCES, _MOST_PASSAGES = 1000, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteCheck:
    """The result of a check of one quotation.

    Attributes
    ----------
    quote : str
    result : str
        "found": visible on the page, whatever its case, white space and forms of quotation marks and dashes; "similar":
        with other words; "elsewhere": not on this page, but on another; "hidden": only in text that is not visible;
        "missing".
    passage : str
        The nearest passage, verbatim; "" if no word of the quotation is there.
    similarity : float
        Of the passage: the share of equal words, 0 to 1.
    boxes : tuple of (float, float, float, float)
        Rectangles of the passage, one a line; () if the page was not rendered.
    url : str
        Of the page that has it.
    reason : str
        Why hidden text is hidden; else "".
    """

    quote: str
    result: Result
    passage: str = ""
    similarity: float = 0.0
    boxes: tuple[Box, ...] = ()
    url: str = ""
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the check as plain values."""
        return asdict(self) | {"boxes": [list(box) for box in self.boxes]}


@dataclass(frozen=True, kw_only=True, eq=False)
class SeenText:
    """The visible text of a page, and its rendered lines in this order.

    ``box``, float32 (lines, 4), is ``[x, y, width, height]`` in CSS pixels; ``start`` and ``length``, int32 (lines,),
    are the place of each line in ``text``.
    """

    text: str
    box: FloatColumn
    start: IntColumn
    length: IntColumn

    @cached_property
    def _solid(self) -> tuple[str, NDArray[np.int64]]:
        return _solid(self.text)

    @cached_property
    def _spans(self) -> list[tuple[int, int]]:
        return word_spans(self.text)

    @cached_property
    def _words(self) -> list[str]:
        return [lower(self.text[start:end]) for start, end in self._spans]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for number, word in enumerate(self._words):
            places[word].append(number)
        return places

    def find(self, quote: str) -> tuple[int, int] | None:
        """Return the range of the first occurrence of a quotation; its words begin and end where those of it do."""
        solid, raw = self._solid
        wanted, at = _solid(quote)[0], -1
        for _ in range(_MOST_OCCURRENCES if wanted else 0):
            at = solid.find(wanted, at + 1)
            if at < 0:
                return None
            first, last = int(raw[at]), int(raw[at + len(wanted) - 1]) + 1
            passage, around = words(self.text[first:last]), words(self.text[max(first - 1, 0) : last + 1])
            # A part of a word is joined with the character around it.
            if passage == words(quote) and passage in (around[: len(passage)], around[1 : len(passage) + 1]):
                return first, last
        return None

    def nearest(self, quote: str) -> tuple[int, int, float] | None:
        """Return the range of the passage with most words of a quotation in their order, and its similarity."""
        wanted = words(quote)[:100]
        votes: Counter[int] = Counter()
        for number, word in enumerate(wanted):
            for place in self._places.get(word, ())[:_MOST_OCCURRENCES]:
                votes[(place - number) // len(wanted)] += 1
        best: tuple[int, int, float] | None = None
        for part, _ in votes.most_common(_MOST_PASSAGES):
            low = max((part - 1) * len(wanted), 0)
            matcher = SequenceMatcher(None, self._words[low : low + 4 * len(wanted)], wanted, autojunk=False)
            blocks = [block for block in matcher.get_matching_blocks() if block.size]
            for number, begin in enumerate(blocks):
                equal = 0
                for block in blocks[number:]:
                    equal += block.size
                    first, last = low + begin.a, low + block.a + block.size
                    similarity = 2 * equal / (last - first + len(wanted))
                    if best is None or similarity > best[2]:
                        best = first, last, similarity
        return None if best is None else (self._spans[best[0]][0], self._spans[best[1] - 1][1], round(best[2], 2))

    def boxes(self, first: int, last: int) -> tuple[Box, ...]:
        """Return the rectangles of a range of the text, one a line; in a part of a line all characters are as wide."""
        boxes: list[Box] = []
        for line in np.flatnonzero((self.start < last) & (self.start + self.length > first)).tolist():
            at, size = int(self.start[line]), int(self.length[line])
            left, right = max(first, at), min(last, at + size)
            x, y, width, height = self.box[line].tolist()
            if not LEFTWARD.search(self.text[at : at + size]):
                x, width = x + (left - at) * width / size, (right - left) * width / size
            boxes.append((round(x, 2), round(y, 2), round(width, 2), round(height, 2)))
        return visible(merged(boxes))


def seen_text(page: Page) -> SeenText:
    """Return what a page shows: blocks and lines of the source are apart by a line break."""
    leaves = np.flatnonzero(~invisible_leaves(page))
    rows = page.leaves[leaves]
    breaks = np.cumsum(page.has_tag("br"))[rows]
    apart = (np.diff(page.owner[rows], prepend=-1) != 0) | (np.diff(breaks, prepend=0) != 0)
    texts = [strip_invisible(page.leaf_texts[leaf]) for leaf in leaves.tolist()]
    parts = [f"\n{text}" if new else text for text, new in zip(texts, apart.tolist(), strict=True)]
    geometry, nothing = page.geometry, np.zeros(0, dtype=np.int32)
    if geometry is None or not len(rows):
        return SeenText(text="".join(parts), box=np.zeros((0, 4), np.float32), start=nothing, length=nothing)
    first = np.cumsum([*map(len, parts)]) - [*map(len, texts)]
    leaf = np.minimum(np.searchsorted(rows, geometry.line_node), len(rows) - 1)
    lines = np.flatnonzero((rows[leaf] == geometry.line_node) & (geometry.line_length > 0))
    lines = lines[np.argsort(leaf[lines], kind="stable")]
    start = (first[leaf[lines]] + geometry.line_start[lines]).astype(np.int32)
    return SeenText(text="".join(parts), box=geometry.line_box[lines], start=start, length=geometry.line_length[lines])


def check_quote(quote: str, seen: SeenText, hidden: HiddenReport, url: str) -> QuoteCheck:
    """Check a quotation against what a page shows and hides."""
    bare = strip_invisible(quote).replace("\0", "").translate(_ALIKE).strip().strip(_ENDS)
    if found := seen.find(bare):
        text, boxes = seen.text[slice(*found)], seen.boxes(*found)
        return QuoteCheck(quote=quote, result="found", passage=text, similarity=1.0, boxes=boxes, url=url)
    wanted = _solid(bare)[0]
    if passage := next((one for one in hidden.passages if wanted and wanted in _solid(one.text)[0]), None):
        return QuoteCheck(quote=quote, result="hidden", url=url, reason=passage.reason)
    if (near := seen.nearest(bare)) is None:
        return QuoteCheck(quote=quote, result="missing")
    first, last, similarity = near
    result: Result = "similar" if similarity >= _SIMILAR else "missing"
    boxes = seen.boxes(first, last)
    return QuoteCheck(
        quote=quote, result=result, passage=seen.text[first:last], similarity=similarity, boxes=boxes, url=url
    )


def attributed(checks: Sequence[QuoteCheck], others: Iterable[Sequence[QuoteCheck]]) -> tuple[QuoteCheck, ...]:
    """Return the checks of one page, those as "elsewhere" that it has not and another page has."""
    rest = [*others]
    found = (
        next((one[number] for one in rest if one[number].result == "found"), None) for number in range(len(checks))
    )
    return tuple(
        check if check.result == "found" or other is None else replace(other, result="elsewhere")
        for check, other in zip(checks, found, strict=True)
    )


def _solid(text: str) -> tuple[str, NDArray[np.int64]]:
    """Return a text in lower case without white space and controls, and the place of each of its characters."""
    blank = [ord(one) for one in set(text) if one < " " or one.isspace()]
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    solid = lower(text.translate(dict.fromkeys(blank))).translate(_ALIKE)
    return solid, np.flatnonzero(~np.isin(codes, blank))
