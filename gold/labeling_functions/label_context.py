"""What a witness says of a page's rows, and what all witnesses look at."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...document.metadata.json_ld import read_scripts
from ...document.metadata.page_metadata import RawMetadata, read_raw_metadata
from ...document.metadata.title import title_of
from ...document.metadata.urls import site_of
from ...features.alignment import LEAST_SHARE, word_shares
from ...features.rows import Rows
from ...page.arrays import FloatArray, Marks
from ...page.page import Page
from ..leaf_labels import row_gold
from ..pages import GoldPage

#: Who says it, the most trusted first.
WITNESSES = (
    "construction",
    "typed block",
    "post",
    "gold field",
    "comment text",
    "site rule",
    "json-ld",
    "meta",
    "microdata",
    "hentry",
    "tag",
    "class",
    "gold text",
)
#: Words of a row that is certainly of the text where the gold holds it.
BODY_WORDS = 10
#: Rows that may stand between headline and text, and behind the text, with by-line and date in them.
ROWS_BEFORE, ROWS_BEHIND = 6, 3
#: A line with name or date has no more characters.
LINE_CHARACTERS = 500

_MENU = re.compile(r"(?:^|[\s_-])(?:breadcrumbs?|crumbs?|path|navigation|menu)(?=[\s_-]|$)", re.IGNORECASE)
_LETTERS = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vote:
    """What a witness says.

    Attributes
    ----------
    witness : str
        One of :data:`WITNESSES`.
    role : str
        One of :data:`~blocksight.page.role_names.ROLES`, or "" for doubt: nobody who is trusted less is believed.
    rows : bool (rows,)
    """

    witness: str
    role: str
    rows: Marks


class LabelContext:
    """A page with its gold, and what several witnesses want to know of it; worked out when first asked for."""

    def __init__(self, page: Page, rows: Rows, gold: GoldPage) -> None:
        self.page, self.rows, self.gold = page, rows, gold

    @cached_property
    def clues(self) -> RawMetadata:
        """What the page declares of itself."""
        return read_raw_metadata(self.page, title_of(self.page))

    @cached_property
    def declared(self) -> list[tuple[str, str, str]]:
        """What data of the page say: witness, property in lower case, value."""
        said = [("json-ld", name.lower(), value) for name, value in read_scripts(self.clues.scripts)]
        said += [("microdata", name, value) for name, value in self.clues.items]
        return said + [("meta", name, value) for name, value in self.clues.named]

    @cached_property
    def beginnings(self) -> list[str]:
        """How each row begins: all of a line, and little of what would take long to search."""
        return [text[:LINE_CHARACTERS] for text in self.rows.texts]

    @cached_property
    def keys(self) -> list[str]:
        """Letters and digits of each row, in lower case."""
        return [key_of(text) for text in self.rows.texts]

    @cached_property
    def share(self) -> FloatArray:
        """Share of each row's words that the gold holds, NaN where it says nothing."""
        return row_gold(self.rows.texts, self.gold).share

    @cached_property
    def rules_share(self) -> FloatArray:
        """Share of each row's words that the rules of the page's site call body; NaN where they are not trusted."""
        if self.gold.rules.tier != "A" or not self.gold.rules.body:
            return np.full(len(self.rows), np.nan)
        return word_shares(self.rows.texts, self.gold.rules.body)

    @cached_property
    def kept(self) -> Marks:
        """Rows that the gold holds."""
        marks: Marks = np.nan_to_num(self.share) >= LEAST_SHARE
        return marks

    @cached_property
    def paragraphs(self) -> Marks:
        """Longer rows that the gold holds; where it says nothing, long rows."""
        plain = (self.rows.words >= BODY_WORDS) & (self.rows.link_density < LEAST_SHARE)
        titled = np.asarray([bool(key) and key in self.titles for key in self.keys], dtype=bool)
        held: Marks = self.kept & plain & ~titled
        long: Marks = (self.rows.long > 0) & ~titled
        return held if held.any() else long

    @cached_property
    def start(self) -> int:
        """First row of the text; the number of rows where there is none."""
        places = np.flatnonzero(self.paragraphs)
        return int(places[0]) if len(places) else len(self.rows)

    @cached_property
    def stop(self) -> int:
        """One past the last row of the text."""
        places = np.flatnonzero(self.paragraphs)
        return int(places[-1]) + 1 if len(places) else len(self.rows)

    @cached_property
    def titles(self) -> dict[str, str]:
        """What the page is called, as keys, and who says so."""
        said = [("gold field", self.gold.title), ("site rule", self.gold.rules.title)]
        said += [(who, value) for who, name, value in self.declared if name in ("headline", "og:title")]
        # Without a title element the rule takes any heading.
        said += [("meta", self.clues.bare_title)] if self.clues.title else []
        found: dict[str, str] = {}
        for who, value in said:
            key = key_of(value)
            if len(key) > 2 and key not in self.sites:
                found.setdefault(key, who)
        return found

    @cached_property
    def sites(self) -> set[str]:
        """What the site is called, as keys."""
        data = ("site", "publisher")
        named = [value for name, value in self.clues.named if name == "og:site_name"]
        named += [value for _, name, value in self.declared if name in data]
        return {key_of(value) for value in named} | {key_of(site_of(self.page))} - {""}

    @cached_property
    def in_menu(self) -> Marks:
        """Rows in what is made to find one's way on the site."""
        page = self.page
        marked = page.has_tag("nav")
        for name in ("class", "role", "aria-label"):
            column = page.attribute(name)
            menus = {code for code in set(column.tolist()) if code >= 0 and _MENU.search(page.strings[code][:200])}
            marked |= np.isin(column, list(menus))
        whole = page.has_tag("html", "body", "main", "article")
        marks: Marks = page.below(marked & ~whole)[self.rows.node]
        return marks

    @cached_property
    def around_title(self) -> tuple[int, int]:
        """Rows ``[first, last)`` in which by-line and date of the text stand, before it."""
        matched = [row for row in range(min(self.start + 2, len(self.rows))) if self.keys[row] in self.titles]
        first = matched[-1] - ROWS_BEHIND if matched else self.start - ROWS_BEFORE
        return max(first, 0), min(self.start + 2, len(self.rows))

    @cached_property
    def near_text(self) -> Marks:
        """Rows between headline and text, or right behind the text."""
        marks = np.zeros(len(self.rows), dtype=bool)
        first, last = self.around_title
        marks[first:last] = True
        marks[self.stop : self.stop + ROWS_BEHIND] = True
        return marks

    def none(self) -> Marks:
        """Return a column without a mark."""
        return np.zeros(len(self.rows), dtype=bool)

    def rows_in(self, nodes: Marks, least: float = LEAST_SHARE) -> Marks:
        """Mark the rows at least this share of whose text stands in some nodes."""
        length = self.page.leaf_lengths.astype(np.float64)
        inside = self.rows.summed(length * self.page.below(nodes)[self.page.leaves])
        marks: Marks = inside >= least * np.maximum(self.rows.summed(length), 1.0)
        return marks


def key_of(text: str) -> str:
    """Return letters and digits alone, in lower case."""
    return "".join(_LETTERS.findall(text.casefold()))
