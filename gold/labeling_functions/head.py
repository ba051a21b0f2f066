"""Labeling functions for title, standfirst, author and date: metadata and gold fields, found among the page's rows."""

from __future__ import annotations

import re
from datetime import date

import numpy as np

from ...features.rows import Rows
from ...page.arrays import FloatArray
from ...page.clean_text import letters_of
from ...page.metadata.authors import names_in
from ...page.metadata.dates import iso_date
from .bylines import is_boilerplate, is_byline_of
from .label_context import LabelContext, Vote, marked_rows

#: Words of a byline or a date.
LINE_WORDS = 16
#: Lines that are searched for names and dates.
MAX_LINES = 400
#: Characters from which a description is more than a slogan.
DESCRIPTION = 40
_DESCRIPTIONS = ("description", "og:description", "twitter:description")
_AUTHORS = ("author", "creator", "article:author", "dc.creator", "citation_author", "parsely-author", "byl")
_DATES = (
    "datepublished", "datemodified", "datecreated", "article:published_time", "article:modified_time", "dc.date",
    "dcterms.created", "citation_publication_date", "parsely-pub-date", "pubdate", "date",
)  # fmt: skip
_DATE_LIKE = re.compile(r"\d.*(?:19|20)\d\d|(?:19|20)\d\d.*\d|\d{1,2}[./-]\d{1,2}[./-]\d\d", re.DOTALL)


def head_votes(context: LabelContext) -> list[Vote]:
    """Return the votes by metadata and gold fields."""
    return [*_titles(context), *_standfirsts(context), *_authors(context), *_dates(context)]


def _titles(context: LabelContext) -> list[Vote]:
    """Vote for the row that is the page's headline, and veto all others with the text of the title.

    The headline is the largest heading before the text, the last of equal ones; without a heading, the only row.
    """
    before = min(context.start + 1, len(context.rows))
    titled = [row for row, key in enumerate(context.keys) if key in context.titles]
    candidates = [row for row in titled if row < before and not context.in_menu[row]]
    headings = [row for row in candidates if context.rows.in_heading[row]]
    if headings:
        size = _heading_size(context.rows)
        best = max(headings, key=lambda row: (size[row], row))
    elif len(candidates) == 1 and bool(
        context.rows.link_density[candidates[0]] < 0.5 and context.rows.words[candidates[0]] >= 3
    ):
        best = candidates[0]
    else:
        return [Vote(source="gold field", role="", rows=marked_rows(context, titled))]
    vetoed = marked_rows(context, [row for row in titled if row != best])
    source = context.titles[context.keys[best]]
    return [
        Vote(source=source, role="title", rows=marked_rows(context, [best])),
        Vote(source="gold field", role="", rows=vetoed),
    ]


def _heading_size(rows: Rows) -> FloatArray:
    """Return the font size of each row; without geometry, its heading level as a negative number."""
    page = rows.page
    if page.geometry is not None:
        return page.geometry.font_size[rows.node].astype(np.float64).round()
    level = np.full(len(rows), 7.0)
    for number in range(6, 0, -1):
        level[page.below(page.has_tag(f"h{number}"))[rows.node]] = number
    return -level


def _votes_by_source(context: LabelContext, role: str, matches: list[tuple[str, int]]) -> list[Vote]:
    return [
        Vote(source=source, role=role, rows=marked_rows(context, [row for other, row in matches if other == source]))
        for source in dict.fromkeys(source for source, _ in matches)
    ]


def _standfirsts(context: LabelContext) -> list[Vote]:
    """Vote for the row before the text that is the page's description; veto it if styled like the text after it."""
    if context.gold.kind == "forum" or context.gold.roles.posts:
        return []
    descriptions: dict[str, str] = {}
    for source, name, value in context.declared:
        if name in _DESCRIPTIONS:
            descriptions.setdefault(letters_of(value), source)
    first, last = context.around_title
    matches: dict[str, list[tuple[str, int]]] = {"standfirst": [], "": []}
    for row in range(first, min(last, context.start + 1)):
        key = context.keys[row]
        if len(key) >= DESCRIPTION and key in descriptions and row < len(context.rows) - 1:
            matches["" if _is_styled_like_text(context, row) else "standfirst"].append((descriptions[key], row))
    return [vote for role, rows in matches.items() for vote in _votes_by_source(context, role, rows)]


def _is_styled_like_text(context: LabelContext, row: int) -> bool:
    """Return whether a row has the style of one of the next three paragraphs, or there are none to compare with."""
    paragraphs = np.flatnonzero(context.paragraphs)
    following = paragraphs[np.searchsorted(paragraphs, row, side="right") :][:3].tolist()
    return not following or any(_style(context.rows, row) == _style(context.rows, other) for other in following)


def _style(rows: Rows, row: int) -> tuple[object, ...]:
    """Return tag and class of a row's element and of its parent, and the font size and weight."""
    page, node = rows.page, int(rows.node[row])
    parent = max(int(page.parent[node]), 0)
    classes = [page.attributes_of(element).get("class", "") for element in (node, parent)]
    font = (0.0, 0)
    if page.geometry is not None:
        font = float(page.geometry.font_size[node]), int(page.geometry.font_weight[node])
    return page.tag_of(node), page.tag_of(parent), *classes, *font


def _authors(context: LabelContext) -> list[Vote]:
    """Vote for short lines near the headline, or right after the text, with an author's name and little else."""
    roles = context.gold.roles
    stated = [("gold field", roles.author)]
    stated += [(source, value) for source, name, value in context.declared if name in _AUTHORS]
    names = [(source, letters_of(name)) for source, value in stated for name in names_in(value)]
    # Sites are stated as authors, too; a logo is no byline.
    names = [(source, name) for source, name in names if len(name) > 1]
    matches = []
    for row in _short_lines(context):
        line, key = context.lines[row], context.keys[row]
        for source, name in names:
            if is_byline_of(name, line, key, name_suffices=name not in context.site_names):
                matches.append((source, row))
                break
    return _votes_by_source(context, "author", matches)


def _short_lines(context: LabelContext) -> list[int]:
    page, rows = context.page, context.rows
    apart = ~page.below(page.has_tag("h1", "figure", "figcaption"))[rows.node]
    short = context.near_text & (rows.words <= LINE_WORDS) & apart & ~context.in_menu
    return [row for row in np.flatnonzero(short).tolist() if context.keys[row] not in context.titles][-MAX_LINES:]


def _dates(context: LabelContext) -> list[Vote]:
    """Vote for short lines near the headline, or right after the text, with the page's date, give or take a day."""
    roles = context.gold.roles
    stated = [("gold field", roles.date)]
    stated += [(source, value) for source, name, value in context.declared if name in _DATES]
    days = [(source, _day_number(value, context.language)) for source, value in stated]
    days = [(source, day) for source, day in days if day]
    matches = []
    for row in _short_lines(context) if days else ():
        line = context.lines[row]
        shown = _day_number(line, context.language) if is_dated(line) and not is_boilerplate(line) else 0
        source = next((source for source, day in days if shown and abs(shown - day) <= 1), "")
        if source:
            matches.append((source, row))
    return _votes_by_source(context, "date", matches)


def _day_number(text: str, language: str) -> int:
    """Return the ordinal of the day in a text, 0 if there is none."""
    day = iso_date(text, language)[:10] if text else ""
    return date.fromisoformat(day).toordinal() if day else 0


def is_dated(text: str) -> bool:
    """Return whether a text may contain a date."""
    return bool(_DATE_LIKE.search(text))
