"""Title, standfirst, author and date: what the page's data and the gold's fields say, found again on the page."""

from __future__ import annotations

import re
from datetime import date

import numpy as np

from ...features.declared.dates import iso_date
from ...features.declared.people import names_in
from ...features.rows import Rows
from ...render.arrays import Marks
from .claims import Claim, Scene, declared, key_of

#: Words that a by-line or a date may have, and those beside the name.
LINE_WORDS, BESIDE_NAME = 16, 4
#: Characters from which a description is more than a slogan.
DESCRIPTION = 40
_DESCRIPTIONS = ("description", "og:description", "twitter:description")
_AUTHORS = ("author", "creator", "article:author", "dc.creator", "citation_author", "parsely-author", "byl")
_DATES = (
    "datepublished", "datemodified", "datecreated", "article:published_time", "article:modified_time", "dc.date",
    "dcterms.created", "citation_publication_date", "parsely-pub-date", "pubdate", "date",
)  # fmt: skip
_DATE_LIKE = re.compile(r"\d.*(?:19|20)\d\d|(?:19|20)\d\d.*\d|\d{1,2}[./-]\d{1,2}[./-]\d\d", re.DOTALL)
_SMALL = re.compile(
    r"\b(?:by|von|par|por|di|av|door|written|posted|published|updated|in|on|at|und|and|et|y|the|am|um|le|el)\b"
    r"|作者|撰文|記者|记者|编辑|来源|[\d\W_]+",
    re.IGNORECASE,
)


def head_claims(scene: Scene) -> list[Claim]:
    """Return what is known of the rows around the headline."""
    return [*_titles(scene), *_standfirsts(scene), *_authors(scene), *_dates(scene)]


def _titles(scene: Scene) -> list[Claim]:
    """Claim the row that says the title as the page's headline, and doubt the others that say it.

    Among rows before the text it is the largest heading next to the text; without a heading, the only one.
    """
    before = min(scene.start + 1, len(scene.rows))
    places = [row for row, key in enumerate(scene.keys) if key in scene.titles]
    doubt = scene.none()
    doubt[places] = True
    usable = [row for row in places if row < before]
    headings = [row for row in usable if scene.rows.in_heading[row]]
    if headings:
        best = max(headings, key=lambda row: (_largeness(scene.rows, row), row))
    elif len(usable) == 1 and scene.rows.link_density[usable[0]] < 0.5 and scene.rows.words[usable[0]] >= 3:
        best = usable[0]
    else:
        return [Claim(witness="gold field", role="", rows=doubt)]
    claims = [_one(scene, scene.titles[scene.keys[best]], "title", [best])]
    doubt[best] = False
    return [*claims, Claim(witness="gold field", role="", rows=doubt)]


def _largeness(rows: Rows, row: int) -> float:
    """Return the size of a row's letters; without geometry, how high its heading is."""
    page = rows.page
    if page.geometry is not None:
        return round(float(page.geometry.font_size[rows.node[row]]))
    inner = [level for level in range(1, 7) if page.below(page.has_tag(f"h{level}"))[rows.node[row]]]
    return -float(min(inner, default=7))


def _one(scene: Scene, witness: str, role: str, places: list[int]) -> Claim:
    marks = scene.none()
    marks[places] = True
    return Claim(witness=witness, role=role, rows=marks)


def _standfirsts(scene: Scene) -> list[Claim]:
    """Claim the row before the text that says the page's description, and does not look like the text behind it."""
    said = [(who, key_of(value)) for who, name, value in declared(scene.clues) if name in _DESCRIPTIONS]
    first, last = scene.around_title
    claims = []
    for row in range(first, min(last, scene.start + 1)):
        key = scene.keys[row]
        who = next((who for who, text in said if len(key) >= DESCRIPTION and text == key), "")
        if who and row < len(scene.rows) - 1:
            role = "standfirst" if not _like_the_next(scene, row) else ""
            claims.append(_one(scene, who, role, [row]))
    return claims


def _like_the_next(scene: Scene, row: int) -> bool:
    """Return whether a row is made as the paragraphs behind it, or none stand there to compare it with."""
    rows = scene.rows
    behind = [other for other in range(row + 1, len(rows)) if scene.paragraphs[other]][:3]
    return not behind or any(_make(rows, row) == _make(rows, other) for other in behind)


def _make(rows: Rows, row: int) -> tuple[object, ...]:
    node = int(rows.node[row])
    size = rows.page.geometry.font_size[node] if rows.page.geometry is not None else 0.0
    weight = rows.page.geometry.font_weight[node] if rows.page.geometry is not None else 0
    return rows.page.tag_of(node), rows.page.parent[node], float(size), int(weight)


def _authors(scene: Scene) -> list[Claim]:
    """Claim short lines near the headline, or right behind the text, that hold an author's name and little else."""
    said = [("gold field", scene.gold.author), ("site rule", scene.gold.rules.author)]
    said += [(who, value) for who, name, value in declared(scene.clues) if name in _AUTHORS]
    names = [(who, key_of(name)) for who, value in said for name in names_in(value)]
    names = [(who, name) for who, name in names if len(name) > 2]
    claims = []
    for row in _lines(scene):
        who = next((who for who, name in names if _is_by_line(scene.rows.texts[row], scene.keys[row], name)), "")
        if who:
            claims.append(_one(scene, who, "author", [row]))
    return claims


def _is_by_line(text: str, key: str, name: str) -> bool:
    """Return whether a line holds a name, with few words beside it."""
    if name not in key:
        return False
    left = key_of(_SMALL.sub(" ", text)).replace(name, "")
    return len(left) <= 6 * BESIDE_NAME


def _lines(scene: Scene) -> list[int]:
    short = scene.near_text & (scene.rows.words <= LINE_WORDS)
    return [row for row in np.flatnonzero(short).tolist() if scene.keys[row] not in scene.titles]


def _dates(scene: Scene) -> list[Claim]:
    """Claim short lines near the headline, or right behind the text, that say a day on which the page was written."""
    language = scene.clues.language
    said = [("gold field", scene.gold.date), ("site rule", scene.gold.rules.date)]
    said += [(who, value) for who, name, value in declared(scene.clues) if name in _DATES]
    days = [(who, iso_date(value, language)[:10]) for who, value in said if value]
    days = [(who, day) for who, day in days if day]
    claims = []
    for row in _lines(scene) if days else ():
        text = scene.rows.texts[row]
        shown = iso_date(text, language)[:10] if _DATE_LIKE.search(text) else ""
        who = next((who for who, day in days if shown and abs(_days(shown) - _days(day)) <= 1), "")
        if who:
            claims.append(_one(scene, who, "date", [row]))
    return claims


def _days(day: str) -> int:
    return date.fromisoformat(day).toordinal()


def date_like(texts: tuple[str, ...]) -> Marks:
    """Mark texts in which a date may stand."""
    return np.asarray([bool(_DATE_LIKE.search(text)) for text in texts], dtype=bool)
