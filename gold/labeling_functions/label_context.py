"""The votes of labeling functions, and the context of a page that they read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ...features.alignment import LEAST_SHARE
from ...features.rows import Rows
from ...page.arrays import FloatArray, Marks
from ...page.clean_text import letters_of
from ...page.metadata.json_ld import read_scripts
from ...page.metadata.page_metadata import RawMetadata, read_raw_metadata
from ...page.metadata.title import title_of
from ...page.page import Page
from ...page.urls import site_of
from ..pages import GoldPage

#: Sources of votes, the most trusted first.
SOURCES = (
    "construction",
    "typed block",
    "post",
    "gold field",
    "comment text",
    "json-ld",
    "meta",
    "microdata",
    "hentry",
    "tag",
    "class",
    "gold text",
)
#: Words from which a row in the gold is certainly a paragraph of the text.
BODY_WORDS = 10
#: Rows between headline and text, and after the text, that may contain byline and date.
ROWS_BEFORE, ROWS_AFTER = 6, 3
#: Characters of a row that are searched for names and dates.
LINE_CHARACTERS = 500

_MENU = re.compile(r"(?:^|[\s_-])(?:breadcrumbs?|crumbs?|path|navigation|menu)(?=[\s_-]|$)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vote:
    """The vote of a labeling function for a role of some rows."""

    source: str  # Of :data:`SOURCES`: the evidence on which the vote rests
    #: Of :data:`~blocksight.page.role_names.ROLES`, or "" for a veto: less trusted sources are ignored on these rows.
    role: str
    rows: Marks  # bool (rows,)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LabelContext:
    """A page, its gold, and what several labeling functions need of them."""

    page: Page
    rows: Rows
    gold: GoldPage
    share: FloatArray  # float64 (rows,): Share of each row's words in the gold; NaN without gold
    in_gold: Marks  # bool (rows,): Rows of which at least half is in the gold
    paragraphs: Marks  # bool (rows,): Longer rows in the gold; without such rows, all long rows
    start: int  # First paragraph and one past the last; the number of rows if there is none
    stop: int
    lines: list[str]  # The first characters of each row, and its letters and digits in lower case
    keys: list[str]
    #: list of (str, str, str): Source, property in lower case, and value of the page's metadata.
    declared: list[tuple[str, str, str]]
    language: str  # The attribute ``lang`` as written
    site_names: set[str]  # Keys of the names of the site
    titles: dict[str, str]  # Keys of the page's titles, and their sources
    in_menu: Marks  # bool (rows,): Rows in navigation elements, by tag, role or name
    around_title: tuple[int, int]  # (int, int): Rows ``[first, last)`` before the text that may contain byline and date
    near_text: Marks  # bool (rows,): These rows, and those right after the text


def label_context(rows: Rows, gold: GoldPage, share: FloatArray) -> LabelContext:
    """Compute the context of a page's rows; ``share`` is the share of each row's words in the gold, NaN without."""
    page = rows.page
    metadata = read_raw_metadata(page, title_of(page))
    declared = [
        *(("json-ld", name.lower(), value) for name, value in read_scripts(metadata.scripts)),
        *(("microdata", name, value) for name, value in metadata.items),
        *(("meta", name, value) for name, value in metadata.named),
    ]
    site_names = _site_names(page, metadata, declared)
    titles = _titles(gold, metadata, declared, site_names)
    keys = [letters_of(text) for text in rows.texts]
    in_gold: Marks = np.nan_to_num(share) >= LEAST_SHARE
    paragraphs = _paragraphs(rows, in_gold, np.asarray([bool(key) and key in titles for key in keys], dtype=bool))
    positions = np.flatnonzero(paragraphs)
    start, stop = (int(positions[0]), int(positions[-1]) + 1) if len(positions) else (len(rows), len(rows))
    around_title = _around_title(keys, titles, start)
    near_text = np.zeros(len(rows), dtype=bool)
    near_text[slice(*around_title)] = True
    near_text[stop : stop + ROWS_AFTER] = True
    return LabelContext(
        page=page,
        rows=rows,
        gold=gold,
        share=share,
        in_gold=in_gold,
        paragraphs=paragraphs,
        start=start,
        stop=stop,
        lines=[text[:LINE_CHARACTERS] for text in rows.texts],
        keys=keys,
        declared=declared,
        language=metadata.language,
        site_names=site_names,
        titles=titles,
        in_menu=_in_menu(page)[rows.node],
        around_title=around_title,
        near_text=near_text,
    )


def _site_names(page: Page, metadata: RawMetadata, declared: list[tuple[str, str, str]]) -> set[str]:
    names = [value for name, value in metadata.named if name == "og:site_name"]
    names += [value for _, name, value in declared if name in ("site", "publisher")]
    return {letters_of(name) for name in [*names, site_of(page)]} - {""}


def _titles(
    gold: GoldPage, metadata: RawMetadata, declared: list[tuple[str, str, str]], site_names: set[str]
) -> dict[str, str]:
    stated = [("gold field", gold.roles.title)]
    stated += [(source, value) for source, name, value in declared if name in ("headline", "og:title")]
    # Without a title element, the bare title is that of any heading.
    stated += [("meta", metadata.bare_title)] if metadata.title else []
    titles: dict[str, str] = {}
    for source, value in stated:
        key = letters_of(value)
        if len(key) > 2 and key not in site_names:
            titles.setdefault(key, source)
    return titles


def _paragraphs(rows: Rows, in_gold: Marks, is_title: Marks) -> Marks:
    paragraphs: Marks = in_gold & (rows.words >= BODY_WORDS) & (rows.link_density < LEAST_SHARE) & ~is_title
    long: Marks = (rows.long > 0) & ~is_title
    return paragraphs if paragraphs.any() else long


def _around_title(keys: list[str], titles: dict[str, str], start: int) -> tuple[int, int]:
    last = min(start + 2, len(keys))
    matched = [row for row in range(last) if keys[row] in titles]
    first = matched[-1] - ROWS_AFTER if matched else start - ROWS_BEFORE
    return max(first, 0), last


def _in_menu(page: Page) -> Marks:
    """Return the nodes in navigation elements, bool (nodes,)."""
    marked = page.has_tag("nav")
    for name in ("class", "role", "aria-label"):
        marked = marked | page.attribute_matches(name, lambda value: bool(_MENU.search(value[:200])))
    return page.below(marked & ~page.has_tag("html", "body", "main", "article"))


def rows_within(rows: Rows, nodes: Marks, least: float = LEAST_SHARE) -> Marks:
    """Return the rows with at least this share of their text inside some nodes, bool (rows,)."""
    page = rows.page
    length = page.leaf_lengths.astype(np.float64)
    inside = rows.summed(length * page.below(nodes)[page.leaves])
    marks: Marks = inside >= least * np.maximum(rows.summed(length), 1.0)
    return marks


def marked_rows(context: LabelContext, numbers: list[int]) -> Marks:
    """Return the rows with these numbers, bool (rows,)."""
    marks = np.zeros(len(context.rows), dtype=bool)
    marks[numbers] = True
    return marks


def matching_rows(context: LabelContext, matches: Callable[[str], object]) -> Marks:
    """Return the rows whose line matches, bool (rows,)."""
    return np.fromiter((bool(matches(line)) for line in context.lines), dtype=bool, count=len(context.lines))
