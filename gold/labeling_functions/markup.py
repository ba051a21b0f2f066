"""What authors of pages call their elements, by tag, microdata, hEntry and class: regions, captions, lines, heads."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from ...page.arrays import Marks
from ...page.page import Page
from ...page.role_names import ROLE
from .bylines import begins_with_by, is_name
from .label_context import LabelContext, Vote

#: A caption, a by-line and a date have at most this many words.
CAPTION_WORDS, LINE_WORDS = 80, 14
#: By-lines, and dates, that one text has.
MOST_LINES = 4
#: A region holds at most this share of a page's words, and of the words that the gold holds.
MOST_OF_PAGE, MOST_OF_GOLD = 0.6, 0.3
#: Rows all of whose text stands in a region.
WHOLE = 0.9
_UNMARKED, _DOUBT = -2, -1


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?:^|[\s_-])(?:{pattern})(?=[\s_-]|$)", re.IGNORECASE)


#: Regions by class and id. An element that two of them fit is none.
REGIONS = {
    "related": _words(
        r"related\w*|recommend(?:ed|ations?|s)|you-?may-?(?:also-?)?like|more-?(?:from|stories|news|articles|posts)"
        r"|read-?(?:next|also)|most-?(?:read|popular|viewed|commented)|popular-?(?:posts|articles|stories)"
        r"|(?:recent|latest|similar)-?(?:posts|articles|news|stories|entries)|outbrain|taboola|further-?reading"
    ),
    "navigation": _words(
        r"breadcrumbs?|crumbs|pagination|pager|paging|page-?nav\w*|post-?nav\w*|nav|navbar|nav-?links|menu|submenu"
        r"|main-?menu|toc|table-of-contents|tags?-?(?:list|links|cloud)|post-?tags|entry-?tags|tags|cat-?links|sitemap"
    ),
    "promotion": _words(
        r"ads?|advert\w*|adsbygoogle|sponsor\w*|newsletter\w*|subscribe\w*|shares?|sharing|share-?(?:this|buttons?|bar|box|links?|icons?|tools?|list|wrap\w*)|social"
        r"|social-?(?:share|links|media|icons|buttons|bar)|sharedaddy|addthis\w*|a2a_kit|addtoany\w*|promo\w*"
    ),
    "notice": _words(r"cookies?|cookie-?\w+|consent\w*|gdpr\w*|paywall\w*|cc-window|onetrust\w*|eu-cookie\w*"),
    "form": _words(r"search-?form|login-?form|comment-?form|contact-?form|searchbox|search-?box"),
    "footer": re.compile(
        r"(?:^|\s)(?:(?:site|page|main|global|app|web|bottom)[_-]?)?(?:footer|colophon|copyright)(?=[\s_-]|$)",
        re.IGNORECASE,
    ),
    "note": _words(r"footnotes?|endnotes?|footnote-?list|doc-endnotes|corrections?|editors?-?note|editorial-?note"),
    "comment": _words(r"comments?-?(?:body|text|content|message)|comment_?body"),
}
#: Where readers write: inside, only what is called the text of a comment is one.
_COMMENTS = _words(
    r"comments?|comments?-?(?:list|area|section|wrapper|container|item|thread)|commentlist|disqus\w*|respond"
)
_CAPTION = re.compile(
    r"(?:^|[\s_-])(?:wp-caption-text|figcaption|captions?-?(?:text|wrapper)|(?:image|photo|figure|picture|media|img|video"
    r"|gallery|thumb|thumbnail|hero|story|featured?)[_-]*(?:captions?|credits?|legend|source))(?=[\s_-]|$)"
    r"|(?:^|\s)(?:caption|photo-by|bildunterschrift|credits?)(?=\s|$)",
    re.IGNORECASE,
)
#: What is counted or rated has captions of another kind.
_NO_CAPTION = re.compile(r"rating|review|stars|counter", re.IGNORECASE)
_TIME_OF_COMMENT = re.compile(r"\bago\b|\d{1,2}:\d\d|\b(?:19|20)\d\d\b|expand|reply|permalink", re.IGNORECASE)
_AUTHOR = _words(
    r"p-author|byline|by-?line(?:[_-]?name)?|authors?|author-?(?:name|link|s)|(?:post|entry|article)-?author|written-?by"
)
_DATE = _words(
    r"dt-published|dt-updated|pub-?date|published|publish-?date|dateline|date-?time|date|(?:post|entry|article|story)-?date"
    r"|posted-?on|time-?stamp"
)
_STANDFIRST = _words(
    r"standfirst|dek|(?:article|story|post|entry)-?(?:dek|deck|lead|lede|standfirst|subtitle|sub-?heading|sub-?headline)"
    r"|sub-?headline|sub-?title|chapo|p-summary"
)
_TITLE = _words(r"p-name|(?:entry|post|article|story)-?(?:title|headline)|headline")


def markup_votes(scene: LabelContext) -> list[Vote]:
    """Return what tags, properties and classes say."""
    regions = _regions(scene)
    inner = [*_captions(scene, regions), *_lines(scene, regions), *_heads(scene, regions)]
    return [*inner, *_region_claims(scene, regions)]


# -- regions ----------------------------------------------------------------------------------------------------------


def _regions(scene: LabelContext) -> NDArray[np.int8]:
    """int8 (nodes,): the role of the nearest region around each node, by its own word; less where there is none."""
    page = scene.page
    marks = _marked(page)
    marks[_too_large(scene, marks)] = _UNMARKED
    nearest = page.nearest(marks > _UNMARKED)
    return np.where(nearest >= 0, marks[nearest], _UNMARKED).astype(np.int8)


def _marked(page: Page) -> NDArray[np.int8]:
    marks = np.full(len(page), _UNMARKED, dtype=np.int8)
    whole = page.has_tag("html", "body", "main", "article", "#text")
    for name in ("id", "class"):
        column = page.attribute(name)
        distinct, inverse = np.unique(column, return_inverse=True)
        found = [_region(page.strings[code]) if code >= 0 else _UNMARKED for code in distinct.tolist()]
        own = np.asarray(found, dtype=np.int8)[inverse]
        marks = np.where((marks == _UNMARKED) | (marks == own), own, np.where(own == _UNMARKED, marks, _DOUBT))
    for tag, role in (("nav", "navigation"), ("form", "form"), ("button", "form"), ("label", "form")):
        marks[page.has_tag(tag) & ((marks == _UNMARKED) | (tag == "nav"))] = ROLE[role]
    inside = page.below(page.has_tag("article", "main"))
    marks[page.has_tag("footer") & ~inside & (marks == _UNMARKED)] = ROLE["footer"]
    for role, name in (("navigation", "navigation"), ("contentinfo", "footer"), ("search", "form")):
        marks[_valued(page, "role", role)] = ROLE[name]
    marks[_valued(page, "role", "doc-endnotes") | _valued(page, "role", "doc-footnote")] = ROLE["note"]
    tagged = _valued(page, "rel", "tag") | _valued(page, "rel", "category")
    marks[tagged & (marks == _UNMARKED)] = ROLE["navigation"]
    return np.where(whole, _UNMARKED, marks).astype(np.int8)


def _region(name: str) -> int:
    """Return the role that a class or id names; doubt where it names several, or the readers' comments as a whole."""
    if len(name) > 200:
        return _UNMARKED
    roles = [ROLE[role] for role, pattern in REGIONS.items() if pattern.search(name)]
    if len(roles) == 1:
        return roles[0]
    return _DOUBT if roles or _COMMENTS.search(name) else _UNMARKED


def _valued(page: Page, attribute: str, value: str) -> Marks:
    """Mark the elements an attribute of which has a value among its words."""
    column = page.attribute(attribute)
    distinct, inverse = np.unique(column, return_inverse=True)
    found = [code >= 0 and value in page.strings[code].lower().split() for code in distinct.tolist()]
    marks: Marks = np.asarray(found, dtype=bool)[inverse]
    return marks


def _too_large(scene: LabelContext, marks: NDArray[np.int8]) -> Marks:
    """Mark the elements that hold too much to be a region: then their name is about something else."""
    rows = scene.rows
    inside, held = rows.over_nodes(rows.words), rows.over_nodes(rows.words * scene.kept)
    much_gold = held > MOST_OF_GOLD * max((rows.words * scene.kept).sum(), 1.0)
    roomy = np.isin(marks, [ROLE["comment"], ROLE["note"], _DOUBT])
    large: Marks = (inside > MOST_OF_PAGE * rows.words.sum()) | (much_gold & ~roomy)
    return large


def _region_claims(scene: LabelContext, regions: NDArray[np.int8]) -> list[Vote]:
    claims = []
    tags = scene.page.below(scene.page.has_tag("nav", "footer", "form", "button", "label"))
    for role in REGIONS:
        rows = scene.rows_in(regions == ROLE[role], WHOLE)
        if role == "footer":
            rows &= np.arange(len(rows)) >= scene.stop
        if role == "related":
            rows &= _linked(scene, regions)
        if role == "comment":
            rows &= (scene.rows.link_density < 0.5) & (scene.rows.words >= 2) & ~_about_comment(scene)
        tagged = tags[scene.rows.node]
        claims += [Vote(witness="tag", role=role, rows=rows & tagged)]
        claims += [Vote(witness="class", role=role, rows=rows & ~tagged)]
    return claims


def _about_comment(scene: LabelContext) -> Marks:
    """Mark short rows that say when a comment was written, or what can be done with it."""
    short = scene.rows.words <= LINE_WORDS
    said = np.asarray([bool(_TIME_OF_COMMENT.search(text)) for text in scene.beginnings], dtype=bool)
    marks: Marks = short & said
    return marks


def _linked(scene: LabelContext, regions: NDArray[np.int8]) -> Marks:
    """Mark the rows that are links, or stand beside one in the same region."""
    links = scene.rows.link_density >= 0.5
    beside = links | np.roll(links, 1) | np.roll(links, -1) | np.roll(links, 2) | np.roll(links, -2)
    marks: Marks = beside & (regions[scene.rows.node] == ROLE["related"])
    return marks


# -- captions ---------------------------------------------------------------------------------------------------------


def _captions(scene: LabelContext, regions: NDArray[np.int8]) -> list[Vote]:
    page, rows = scene.page, scene.rows
    outside = scene.kept | (regions[rows.node] == _UNMARKED)
    short = (rows.words <= CAPTION_WORDS) & (rows.words > 0) & (rows.link_density < 0.8) & outside
    pictures = page.count_within(page.has_tag("img", "picture", "video", "svg", "iframe", "object", "canvas"))
    figure = page.nearest(page.has_tag("figure"))
    pictured = (figure >= 0) & (pictures[figure] > 0) & ~page.below(page.has_tag("a") & (pictures > 0))
    by_tag = scene.rows_in(page.has_tag("figcaption") & pictured, WHOLE) & short
    called = _called(page, _CAPTION) & ~page.below(_called(page, _NO_CAPTION))
    called &= ~page.has_tag("html", "body", "figure", "table")
    above = np.maximum(page.parent, 0)
    near = (pictures[above] > 0) | (pictures[np.maximum(page.parent[above], 0)] > 0)
    small = page.sum_leaves(rows.leaf_words) <= CAPTION_WORDS
    near &= (page.sum_leaves(rows.leaf_words)[above] <= 2 * CAPTION_WORDS) & small & (pictures == 0)
    by_class = scene.rows_in(called & near, WHOLE) & short & ~by_tag & ~rows.in_heading & (rows.words >= 2)
    return [
        Vote(witness="tag", role="caption", rows=by_tag),
        Vote(witness="class", role="caption", rows=by_class),
    ]


def _called(page: Page, pattern: re.Pattern[str], *, attributes: tuple[str, ...] = ("class", "id")) -> Marks:
    marks = np.zeros(len(page), dtype=bool)
    for name in attributes:
        column = page.attribute(name)
        distinct, inverse = np.unique(column, return_inverse=True)
        found = [code >= 0 and bool(pattern.search(page.strings[code][:200])) for code in distinct.tolist()]
        marks |= np.asarray(found, dtype=bool)[inverse]
    return marks


# -- by-lines, dates and heads ----------------------------------------------------------------------------------------


def _lines(scene: LabelContext, regions: NDArray[np.int8]) -> list[Vote]:
    """Vote by-lines and dates near the headline."""
    page, rows = scene.page, scene.rows
    line = scene.near_text & (rows.words <= LINE_WORDS) & (regions[rows.node] == _UNMARKED) & ~scene.paragraphs
    line &= np.asarray([key not in scene.titles for key in scene.keys], dtype=bool)
    digits = np.asarray([any(map(str.isdigit, text)) for text in scene.beginnings], dtype=bool)
    time = page.has_tag("time")
    dated = line & digits
    by_date = {
        "microdata": _valued(page, "itemprop", "datepublished") | _valued(page, "itemprop", "datemodified"),
        "hentry": _valued(page, "class", "dt-published") | _valued(page, "class", "dt-updated"),
        "tag": time,
        "class": _called(page, _DATE, attributes=("class",)),
    }
    by_name = {
        "microdata": _valued(page, "itemprop", "author"),
        "hentry": _valued(page, "class", "p-author"),
        "tag": _valued(page, "rel", "author"),
        "class": _called(page, _AUTHOR, attributes=("class",)),
    }
    by = np.asarray([begins_with_by(text) for text in scene.beginnings], dtype=bool)
    claims = []
    for who, nodes in by_date.items():
        said = _few(dated & scene.rows_in(nodes))
        # A line with name and date is a by-line.
        claims += [Vote(witness=who, role="date", rows=said & ~by), Vote(witness=who, role="author", rows=said & by)]
    line &= ~page.below(page.has_tag("figure", "figcaption"))[rows.node]
    names = (
        line & np.asarray([is_name(text) for text in scene.beginnings], dtype=bool) & ~(digits & scene.rows_in(time))
    )
    small = page.sum_leaves(rows.leaf_words) <= LINE_WORDS
    return claims + [
        Vote(witness=who, role="author", rows=_few(names & scene.rows_in(nodes & small)))
        for who, nodes in by_name.items()
    ]


def _few(rows: Marks) -> Marks:
    """Return no marks where there are many: they are of teasers in a list."""
    return rows if rows.sum() <= MOST_LINES else np.zeros_like(rows)


def _heads(scene: LabelContext, regions: NDArray[np.int8]) -> list[Vote]:
    """Vote headlines and standfirsts that are called so, where the page has one of them."""
    page, rows = scene.page, scene.rows
    free = regions[rows.node] == _UNMARKED
    first, _ = scene.around_title
    before = np.arange(len(rows)) <= min(scene.start, len(rows) - 1)
    place = np.arange(len(rows))
    claims = []
    by_title = {
        "microdata": _valued(page, "itemprop", "headline"),
        "class": _called(page, _TITLE, attributes=("class",)),
    }
    for who, nodes in by_title.items():
        marks = scene.rows_in(nodes, WHOLE) & rows.in_heading & free
        usable = marks & before & ~scene.paragraphs
        if marks.sum() == 1:
            claims.append(Vote(witness=who, role="title", rows=usable))
    by_standfirst = {
        "microdata": _valued(page, "itemprop", "alternativeheadline"),
        "class": _called(page, _STANDFIRST, attributes=("class",)),
    }
    for who, nodes in by_standfirst.items():
        marks = scene.rows_in(nodes, WHOLE) & free & (place >= first) & before & (rows.link_density < 0.5)
        long = marks & (rows.words >= 5) & np.asarray([key not in scene.titles for key in scene.keys], dtype=bool)
        if 0 < marks.sum() <= 3:
            claims.append(Vote(witness=who, role="standfirst", rows=long))
    return claims
