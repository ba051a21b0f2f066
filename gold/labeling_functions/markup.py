"""Labeling functions that read markup: tag, microdata, hEntry and class of regions, captions, lines and headlines."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...lexicon.word_lists import alternatives, entries
from ...page.arrays import Marks
from ...page.page import Page
from ...page.role_names import ROLE
from .bylines import is_author_line, starts_with_by
from .label_context import LabelContext, Vote, matching_rows, rows_within

#: Words of a caption, and of a byline or a date.
CAPTION_WORDS, LINE_WORDS = 80, 14
#: Bylines, and dates, of one text.
MAX_LINES = 4
#: Largest share of a page's words in a region, and of the words in the gold.
MAX_OF_PAGE, MAX_OF_GOLD = 0.6, 0.3
#: Share of a row's text that must be in a region.
WHOLE = 0.9
_UNMARKED, _VETO = -2, -1


_NAMES = entries("regions")


def _words(names: str, lead: str = r"(?:^|[\s_-])") -> re.Pattern[str]:
    return re.compile(rf"{lead}(?:{alternatives(_NAMES[names])})(?=[\s_-]|$)", re.IGNORECASE)


#: Regions by class and id. An element that matches two of them is none.
REGIONS = {role: _words(role) for role in _NAMES if role in ROLE}
REGIONS["footer"] = _words("footer", r"(?:^|\s)(?:(?:site|page|main|global|app|web|bottom)[_-]?)?")
_COMMENTS, _AUTHOR, _DATE, _STANDFIRST, _TITLE = map(_words, ("COMMENTS", "AUTHOR", "DATE", "STANDFIRST", "TITLE"))
_CAPTION = re.compile(
    r"(?:^|[\s_-])(?:wp-caption-text|figcaption|captions?-?(?:text|wrapper)|(?:image|photo|figure|picture|media|img|video"
    r"|gallery|thumb|thumbnail|hero|story|featured?)[_-]*(?:captions?|credits?|legend|source))(?=[\s_-]|$)"
    r"|(?:^|\s)(?:caption|photo-by|bildunterschrift|credits?)(?=\s|$)",
    re.IGNORECASE,
)
#: Ratings and counters have captions of another kind.
_NO_CAPTION = re.compile(r"rating|review|stars|counter", re.IGNORECASE)
_TIME_OF_COMMENT = re.compile(r"\bago\b|\d{1,2}:\d\d|\b(?:19|20)\d\d\b|expand|reply|permalink", re.IGNORECASE)


def markup_votes(context: LabelContext) -> list[Vote]:
    """Return the votes by tags, properties and classes."""
    regions = _regions(context)
    return [
        *_captions(context, regions),
        *_lines(context, regions),
        *_heads(context, regions),
        *_region_votes(context, regions),
    ]


# -- regions ----------------------------------------------------------------------------------------------------------


def _regions(context: LabelContext) -> NDArray[np.int8]:
    """Return the role of the nearest region around each node, negative outside of regions, int8 (nodes,)."""
    page = context.page
    marks = _marked_regions(page)
    marks[_too_large(context, marks)] = _UNMARKED
    nearest = page.nearest(marks > _UNMARKED)
    return np.where(nearest >= 0, marks[nearest], _UNMARKED).astype(np.int8)


def _marked_regions(page: Page) -> NDArray[np.int8]:
    marks = np.full(len(page), _UNMARKED, dtype=np.int8)
    for name in ("id", "class"):
        distinct, inverse = np.unique(page.attribute(name), return_inverse=True)
        roles = [_region_named(page.strings[code]) if code >= 0 else _UNMARKED for code in distinct.tolist()]
        own = np.asarray(roles, dtype=np.int8)[inverse]
        marks = np.where((marks == _UNMARKED) | (marks == own), own, np.where(own == _UNMARKED, marks, _VETO))
    for tag, role in (("nav", "navigation"), ("form", "form"), ("button", "form"), ("label", "form")):
        marks[page.has_tag(tag) & ((marks == _UNMARKED) | (tag == "nav"))] = ROLE[role]
    inside = page.below(page.has_tag("article", "main"))
    marks[page.has_tag("footer") & ~inside & (marks == _UNMARKED)] = ROLE["footer"]
    for role, name in (("navigation", "navigation"), ("contentinfo", "footer"), ("search", "form")):
        marks[has_word(page, "role", role)] = ROLE[name]
    marks[has_word(page, "role", "doc-endnotes", "doc-footnote")] = ROLE["note"]
    marks[has_word(page, "rel", "tag", "category") & (marks == _UNMARKED)] = ROLE["navigation"]
    return np.where(page.has_tag("html", "body", "main", "article", "#text"), _UNMARKED, marks).astype(np.int8)


def _region_named(name: str) -> int:
    """Return the role that a class or id names; a veto if it names several, or a section of comments."""
    if len(name) > 200:
        return _UNMARKED
    roles = [ROLE[role] for role, pattern in REGIONS.items() if pattern.search(name)]
    if len(roles) == 1:
        return roles[0]
    return _VETO if roles or _COMMENTS.search(name) else _UNMARKED


def has_word(page: Page, attribute: str, *words: str) -> Marks:
    """Return the nodes with one of some words in the value of an attribute, bool (nodes,)."""
    return page.attribute_matches(attribute, lambda value: not set(words).isdisjoint(value.lower().split()))


def _is_named(page: Page, pattern: re.Pattern[str], *attributes: str) -> Marks:
    """Return the nodes with an attribute that matches a pattern, bool (nodes,)."""
    marks = [page.attribute_matches(name, lambda value: bool(pattern.search(value[:200]))) for name in attributes]
    named: Marks = np.any(marks, axis=0)
    return named


def _too_large(context: LabelContext, marks: NDArray[np.int8]) -> Marks:
    """Return the nodes that hold too much for a region: the name then means something else."""
    rows = context.rows
    inside, in_gold = rows.over_nodes(rows.words), rows.over_nodes(rows.words * context.in_gold)
    much_gold = in_gold > MAX_OF_GOLD * max((rows.words * context.in_gold).sum(), 1.0)
    may_hold_gold = np.isin(marks, [ROLE["comment"], ROLE["note"], _VETO])
    large: Marks = (inside > MAX_OF_PAGE * rows.words.sum()) | (much_gold & ~may_hold_gold)
    return large


def _region_votes(context: LabelContext, regions: NDArray[np.int8]) -> list[Vote]:
    page, rows = context.page, context.rows
    tagged = page.below(page.has_tag("nav", "footer", "form", "button", "label"))[rows.node]
    votes = []
    for role in REGIONS:
        marks = rows_within(rows, regions == ROLE[role], WHOLE)
        if role == "footer":
            marks &= np.arange(len(marks)) >= context.stop
        if role == "related":
            marks &= _near_link(context, regions)
        if role == "comment":
            # Short rows have the date of a comment, or its actions.
            label = (rows.words <= LINE_WORDS) & matching_rows(context, _TIME_OF_COMMENT.search)
            marks &= (rows.link_density < 0.5) & (rows.words >= 2) & ~label
        votes += [Vote(source="tag", role=role, rows=marks & tagged)]
        votes += [Vote(source="class", role=role, rows=marks & ~tagged)]
    return votes


def _near_link(context: LabelContext, regions: NDArray[np.int8]) -> Marks:
    """Return the rows of "related" regions that are links, or at most two rows from one."""
    links = context.rows.link_density >= 0.5
    near = links.copy()
    for step in (1, 2):
        near[step:] |= links[:-step]
        near[:-step] |= links[step:]
    marks: Marks = near & (regions[context.rows.node] == ROLE["related"])
    return marks


# -- captions ---------------------------------------------------------------------------------------------------------


def _captions(context: LabelContext, regions: NDArray[np.int8]) -> list[Vote]:
    page, rows = context.page, context.rows
    outside = context.in_gold | (regions[rows.node] == _UNMARKED)
    short = (rows.words <= CAPTION_WORDS) & (rows.words > 0) & (rows.link_density < 0.8) & outside
    pictures = page.count_within(page.has_tag("img", "picture", "video", "svg", "iframe", "object", "canvas"))
    figure = page.nearest(page.has_tag("figure"))
    in_figure = (figure >= 0) & (pictures[figure] > 0) & ~page.below(page.has_tag("a") & (pictures > 0))
    by_tag = rows_within(rows, page.has_tag("figcaption") & in_figure, WHOLE) & short
    named = _is_named(page, _CAPTION, "class", "id") & ~page.below(_is_named(page, _NO_CAPTION, "class", "id"))
    named &= ~page.has_tag("html", "body", "figure", "table")
    parent = np.maximum(page.parent, 0)
    words = page.sum_leaves(rows.leaf_words)
    near = (pictures[parent] > 0) | (pictures[np.maximum(page.parent[parent], 0)] > 0)
    near &= (words[parent] <= 2 * CAPTION_WORDS) & (words <= CAPTION_WORDS) & (pictures == 0)
    by_class = rows_within(rows, named & near, WHOLE) & short & ~by_tag & ~rows.in_heading & (rows.words >= 2)
    return [
        Vote(source="tag", role="caption", rows=by_tag),
        Vote(source="class", role="caption", rows=by_class),
    ]


# -- bylines, dates and headlines -------------------------------------------------------------------------------------


def _lines(context: LabelContext, regions: NDArray[np.int8]) -> list[Vote]:
    """Vote for bylines and dates near the headline."""
    page, rows = context.page, context.rows
    line = context.near_text & (rows.words <= LINE_WORDS) & (regions[rows.node] == _UNMARKED) & ~context.paragraphs
    line &= _not_titles(context)
    digits = matching_rows(context, lambda text: any(map(str.isdigit, text)))
    time = page.has_tag("time")
    dates = {
        "microdata": has_word(page, "itemprop", "datepublished", "datemodified"),
        "hentry": has_word(page, "class", "dt-published", "dt-updated"),
        "tag": time,
        "class": _is_named(page, _DATE, "class"),
    }
    authors = {
        "microdata": has_word(page, "itemprop", "author"),
        "hentry": has_word(page, "class", "p-author"),
        "tag": has_word(page, "rel", "author"),
        "class": _is_named(page, _AUTHOR, "class"),
    }
    by = matching_rows(context, starts_with_by)
    votes = []
    for source, nodes in dates.items():
        dated = _few(line & digits & rows_within(rows, nodes))
        # A line with name and date is a byline.
        votes += [
            Vote(source=source, role="date", rows=dated & ~by),
            Vote(source=source, role="author", rows=dated & by),
        ]
    outside = line & ~page.below(page.has_tag("figure", "figcaption"))[rows.node]
    names = outside & matching_rows(context, is_author_line) & ~(digits & rows_within(rows, time))
    small = page.sum_leaves(rows.leaf_words) <= LINE_WORDS
    return votes + [
        Vote(source=source, role="author", rows=_few(names & rows_within(rows, nodes & small)))
        for source, nodes in authors.items()
    ]


def _few(rows: Marks) -> Marks:
    """Return no rows if there are many: they are of teasers in a list."""
    return rows if rows.sum() <= MAX_LINES else np.zeros_like(rows)


def _not_titles(context: LabelContext) -> Marks:
    return np.asarray([key not in context.titles for key in context.keys], dtype=bool)


def _heads(context: LabelContext, regions: NDArray[np.int8]) -> list[Vote]:
    """Vote for the only headline by name, and for up to three standfirsts."""
    page, rows = context.page, context.rows
    free = regions[rows.node] == _UNMARKED
    numbers = np.arange(len(rows))
    before = numbers <= min(context.start, len(rows) - 1)
    votes = []
    titles = {"microdata": has_word(page, "itemprop", "headline"), "class": _is_named(page, _TITLE, "class")}
    for source, nodes in titles.items():
        marks = rows_within(rows, nodes, WHOLE) & rows.in_heading & free
        if marks.sum() == 1:
            votes.append(Vote(source=source, role="title", rows=marks & before & ~context.paragraphs))
    standfirsts = {
        "microdata": has_word(page, "itemprop", "alternativeheadline"),
        "class": _is_named(page, _STANDFIRST, "class"),
    }
    candidates = free & (numbers >= context.around_title[0]) & before & (rows.link_density < 0.5)
    for source, nodes in standfirsts.items():
        marks = rows_within(rows, nodes, WHOLE) & candidates
        if 0 < marks.sum() <= 3:
            votes.append(Vote(source=source, role="standfirst", rows=marks & (rows.words >= 5) & _not_titles(context)))
    return votes
