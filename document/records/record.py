"""Records: sets of posts, comments, cards or rows, each with its fields, text and position."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...page.arrays import Marks
from ...page.lazy import Lazy
from ...page.page import Page

#: Kinds of record sets.
KINDS = ("main", "secondary", "navigation")

Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Source:
    """The part of the page from which the HTML of a record is written, and its marks."""

    page: Page
    marks: Marks


# Without slots: the markup is kept once it has been written.
@dataclass(frozen=True, kw_only=True)
class Record:
    """One record of a set."""

    fields: dict[str, str]  # those of FIELDS that it has: text as displayed, absolute URLs
    quotes: tuple[str, ...] = ()  # part of the text, and ``blockquote`` in the HTML
    box: Box | None = None  # (x, y, width, height) in CSS pixels of the document
    selector: tuple[str, ...] = ()  # CSS selector, one step for the document, each frame and each shadow root
    leaves: tuple[int, ...] = ()  # of its text
    records: tuple[Record, ...] = ()  # inside it: replies to a comment
    revealed: str | None = None  # name of what was clicked to show any of it; None for what is visible without a click
    source: Lazy[Source] | None = field(default=None, repr=False, compare=False)

    @property
    def text(self) -> str:
        """The text without author, date, buttons, signature; "" if there is none."""
        return self.fields.get("text", "")

    @cached_property
    def html(self) -> str:
        """The text as clean HTML."""
        source = None if self.source is None else self.source.value
        if source is None or not source.marks.any():
            return ""
        # lxml is needed only here.
        from ..content.content import content_of

        return content_of(source.page, source.marks, captions=False).xml()

    def every(self) -> Iterator[tuple[int, Record]]:
        """Yield the record and those inside it, each with its depth from 0, in document order."""
        yield 0, self
        for inner in self.records:
            yield from ((depth + 1, record) for depth, record in inner.every())

    @property
    def values(self) -> dict[str, Any]:
        """The fields, the amount of the price as a float."""
        typed = {"amount": float(amount)} if (amount := self.fields.get("amount")) else {}
        return {**self.fields, **typed}

    def to_dict(self, *, markup: bool = True) -> dict[str, Any]:
        """Return the record as plain values: typed fields, ``html`` if ``markup``, box, selector, and inner records."""
        values = self.values | ({"html": self.html} if markup else {})
        values |= {"box": None if self.box is None else list(self.box), "selector": list(self.selector)}
        if self.revealed is not None:
            values["revealed"] = self.revealed
        if self.quotes:
            values["quotes"] = list(self.quotes)
        if self.records:
            values["records"] = [record.to_dict(markup=markup) for record in self.records]
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordSet:
    """Records with the same template, in document order."""

    kind: str  # one of KINDS; at most one set is "main"
    record_type: str
    probability: float  # of being content, not a secondary set or navigation
    direction: str  # "column", "row" or "grid"; "" if not rendered
    selector: tuple[str, ...]  # of the element around all of them
    columns: tuple[str, ...]  # fields that they have
    records: tuple[Record, ...]

    def __len__(self) -> int:
        return len(self.records)

    def every(self) -> Iterator[tuple[int, Record]]:
        """Yield all records, each before those inside it, with its depth from 0."""
        for record in self.records:
            yield from record.every()

    def to_dict(self) -> dict[str, Any]:
        """Return the set as plain values; posts and comments have their HTML."""
        markup = self.record_type in ("post", "comment")
        return {
            "kind": self.kind,
            "type": self.record_type,
            "probability": self.probability,
            "direction": self.direction,
            "selector": list(self.selector),
            "columns": list(self.columns),
            "records": [record.to_dict(markup=markup) for record in self.records],
        }
