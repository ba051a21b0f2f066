"""Title, standfirst, author and date: what the page's data and the gold's fields say, found again on the page."""

from __future__ import annotations

import re
from datetime import date

import numpy as np

from ...document.metadata.authors import names_in
from ...document.metadata.dates import iso_date
from ...features.rows import Rows
from ...page.arrays import FloatArray
from .bylines import is_by_line, is_call
from .label_context import LabelContext, Vote, key_of

#: Words that a by-line or a date may have.
LINE_WORDS = 16
#: Lines that are looked at: between headline and text of no page stand more.
MOST_LINES = 400
#: Characters from which a description is more than a slogan.
DESCRIPTION = 40
_DESCRIPTIONS = ("description", "og:description", "twitter:description")
_AUTHORS = ("author", "creator", "article:author", "dc.creator", "citation_author", "parsely-author", "byl")
_DATES = (
    "datepublished", "datemodified", "datecreated", "article:published_time", "article:modified_time", "dc.date",
    "dcterms.created", "citation_publication_date", "parsely-pub-date", "pubdate", "date",
)  # fmt: skip
_DATE_LIKE = re.compile(r"\d.*(?:19|20)\d\d|(?:19|20)\d\d.*\d|\d{1,2}[./-]\d{1,2}[./-]\d\d", re.DOTALL)


def head_votes(scene: LabelContext) -> list[Vote]:
    """Return what is known of the rows around the headline."""
    return [*_titles(scene), *_standfirsts(scene), *_authors(scene), *_dates(scene)]


def _titles(scene: LabelContext) -> list[Vote]:
    """Vote the row that says the title as the page's headline, and doubt the others that say it.

    Among rows before the text it is the largest heading next to the text; without a heading, the only one.
    """
    before = min(scene.start + 1, len(scene.rows))
    places = [row for row, key in enumerate(scene.keys) if key in scene.titles]
    doubt = scene.none()
    doubt[places] = True
    usable = [row for row in places if row < before and not scene.in_menu[row]]
    headings = [row for row in usable if scene.rows.in_heading[row]]
    if headings:
        large = _largeness(scene.rows)
        best = max(headings, key=lambda row: (large[row], row))
    elif len(usable) == 1 and scene.rows.link_density[usable[0]] < 0.5 and scene.rows.words[usable[0]] >= 3:
        best = usable[0]
    else:
        return [Vote(witness="gold field", role="", rows=doubt)]
    claims = [_one(scene, scene.titles[scene.keys[best]], "title", [best])]
    doubt[best] = False
    return [*claims, Vote(witness="gold field", role="", rows=doubt)]


def _largeness(rows: Rows) -> FloatArray:
    """Return the size of each row's letters; without geometry, how high its heading is."""
    page = rows.page
    if page.geometry is not None:
        return page.geometry.font_size[rows.node].astype(np.float64).round()
    level = np.full(len(rows), 7.0)
    for number in range(6, 0, -1):
        level[page.below(page.has_tag(f"h{number}"))[rows.node]] = number
    return -level


def _by_witness(scene: LabelContext, role: str, found: list[tuple[str, int]]) -> list[Vote]:
    """Return one claim a witness, of all rows that it knows."""
    return [
        _one(scene, who, role, [row for one, row in found if one == who])
        for who in dict.fromkeys(who for who, _ in found)
    ]


def _one(scene: LabelContext, witness: str, role: str, places: list[int]) -> Vote:
    marks = scene.none()
    marks[places] = True
    return Vote(witness=witness, role=role, rows=marks)


def _standfirsts(scene: LabelContext) -> list[Vote]:
    """Vote the row before the text that says the page's description, and does not look like the text behind it."""
    if scene.gold.kind == "forum" or scene.gold.posts:
        return []
    said = [(who, key_of(value)) for who, name, value in scene.declared if name in _DESCRIPTIONS]
    first, last = scene.around_title
    found: dict[str, list[tuple[str, int]]] = {"standfirst": [], "": []}
    for row in range(first, min(last, scene.start + 1)):
        key = scene.keys[row]
        who = next((who for who, text in said if len(key) >= DESCRIPTION and text == key), "")
        if who and row < len(scene.rows) - 1:
            found["" if _like_the_next(scene, row) else "standfirst"].append((who, row))
    return [claim for role, rows in found.items() for claim in _by_witness(scene, role, rows)]


def _like_the_next(scene: LabelContext, row: int) -> bool:
    """Return whether a row is made as the paragraphs behind it, or none stand there to compare it with."""
    rows = scene.rows
    places = np.flatnonzero(scene.paragraphs)
    behind = places[np.searchsorted(places, row, side="right") :][:3].tolist()
    return not behind or any(_make(rows, row) == _make(rows, other) for other in behind)


def _make(rows: Rows, row: int) -> tuple[object, ...]:
    """Return how a row is made: tag and class of its element and of that around it, size and weight of its letters."""
    page, node = rows.page, int(rows.node[row])
    above = max(int(page.parent[node]), 0)
    called = [page.attributes_of(place).get("class", "") for place in (node, above)]
    look = (0.0, 0)
    if page.geometry is not None:
        look = float(page.geometry.font_size[node]), int(page.geometry.font_weight[node])
    return page.tag_of(node), page.tag_of(above), *called, *look


def _authors(scene: LabelContext) -> list[Vote]:
    """Vote short lines near the headline, or right behind the text, that hold an author's name and little else."""
    said = [("gold field", scene.gold.author), ("site rule", scene.gold.rules.author)]
    said += [(who, value) for who, name, value in scene.declared if name in _AUTHORS]
    said_names = [(who, key_of(name)) for who, value in said for name in names_in(value)]
    # Sites are named as authors, too; a logo is no by-line.
    names = [(who, name, name not in scene.sites) for who, name in said_names if len(name) > 1]
    found = []
    for row in _lines(scene):
        text, key = scene.beginnings[row], scene.keys[row]
        who = next((who for who, name, alone in names if is_by_line(text, key, name, alone=alone)), "")
        if who:
            found.append((who, row))
    return _by_witness(scene, "author", found)


def _lines(scene: LabelContext) -> list[int]:
    apart = ~scene.page.below(scene.page.has_tag("h1", "figure", "figcaption"))[scene.rows.node]
    short = scene.near_text & (scene.rows.words <= LINE_WORDS) & apart & ~scene.in_menu
    return [row for row in np.flatnonzero(short).tolist() if scene.keys[row] not in scene.titles][-MOST_LINES:]


def _dates(scene: LabelContext) -> list[Vote]:
    """Vote short lines near the headline, or right behind the text, that say a day on which the page was written."""
    language = scene.clues.language
    said = [("gold field", scene.gold.date), ("site rule", scene.gold.rules.date)]
    said += [(who, value) for who, name, value in scene.declared if name in _DATES]
    days = [(who, iso_date(value, language)[:10]) for who, value in said if value]
    days = [(who, day) for who, day in days if day]
    found = []
    for row in _lines(scene) if days else ():
        text = scene.beginnings[row]
        dated = _DATE_LIKE.search(text) and not is_call(text)
        shown = iso_date(text, language)[:10] if dated else ""
        who = next((who for who, day in days if shown and abs(_days(shown) - _days(day)) <= 1), "")
        if who:
            found.append((who, row))
    return _by_witness(scene, "date", found)


def _days(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def is_dated(text: str) -> bool:
    """Return whether a date may stand in a text."""
    return bool(_DATE_LIKE.search(text))
