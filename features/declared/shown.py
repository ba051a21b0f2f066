"""What a person sees of a page's author and date: elements made for it, and the short lines around the headline."""

from __future__ import annotations

import re

import numpy as np

from ...render.arrays import BoolColumn, IntColumn
from ...render.page import Page
from .wording import MOST_CHARACTERS, clean, text_below

_AUTHOR = re.compile(
    r"(?:^|[\s_-])(?:p-author|byline(?:[_-]?name)?|author(?:s|[_-]?(?:name|link|s))?|post-?author|entry-?author"
    r"|written-?by|writer|autor|auteur)(?=[\s_-]|$)",
    re.IGNORECASE,
)
#: What forums call whoever wrote a post.
_POSTER = re.compile(
    r"(?:^|[\s_-])(?:username(?:-colou?red)?|user-?name|poster(?:-?name)?|nick-?name|author-?nick)(?=[\s_-]|$)",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:^|[\s_-])(?:dt-published|published?|pub-?date|date(?:line|time)?|post-?date|entry-?date|posted(?:-?on)?"
    r"|time-?stamp|time|fecha|datum)(?=[\s_-]|$)",
    re.IGNORECASE,
)
#: The name of the place in which Discuz says when a post was written.
_POSTED = re.compile(r"^authorposton\d", re.IGNORECASE)
_MODIFIED = re.compile(r"modified|updated|dt-updated|last-?mod", re.IGNORECASE)
#: Where others than the page's author write, and where other pages are told about.
_ELSEWHERE = re.compile(
    r"(?:^|[\s_-])(?:comments?(?:-?list|-?body)?|replies|related|recommend\w*|sidebar|widget|footer|recent|latest"
    r"|popular|teaser|prev|next)(?=[\s_-]|$)",
    re.IGNORECASE,
)
#: Lines before and behind the headline that are looked at, and how long one may be.
LINES_BEFORE, LINES_BEHIND, LINE_CHARACTERS = 6, 14, 120
#: Elements of each kind that are looked at.
MOST = 12


def read_shown(page: Page, own: BoolColumn, title: str) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return what elements are for, with what they say, and the lines around the headline.

    Parameters
    ----------
    page : Page
    own : bool (nodes,)
        What stands in the page itself.
    title : str
        By which the headline is known.
    """
    lines, start = _lines(page, own, title)
    return _marked(page, own & ~_elsewhere(page), start), lines


def _marked(page: Page, own: BoolColumn, start: int) -> tuple[tuple[str, str], ...]:
    """Return authors and dates by class and tag; those behind the headline first, as lists of posts stand before."""
    classes = page.attribute("class")
    patterns = (_AUTHOR, _POSTER, _DATE, _MODIFIED)
    author, poster, date, modified = (_by_class(page, classes, pattern) for pattern in patterns)
    date = date | _by_class(page, page.attribute("id"), _POSTED)
    time = page.has_tag("time") & own
    found: list[tuple[str, str]] = []
    for name, rows in (
        ("author", _inner(page, author & own)),
        ("author", _inner(page, poster & own)),
        ("modified", (page.below(modified) & time) | (modified & own)),
        ("published", time & ~page.below(modified)),
        ("published", date & own & ~modified & (page.count_within(time) == 0)),
    ):
        found += [(name, said) for row in _from(rows, start)[:MOST] if (said := _said(page, row, name))]
    return tuple(found)


def _from(rows: BoolColumn, start: int) -> list[int]:
    marked = np.flatnonzero(rows)
    behind = np.searchsorted(marked, start)
    return [*marked[behind:].tolist(), *marked[:behind][::-1].tolist()]


def _said(page: Page, row: int, name: str) -> str:
    given = page.attributes_of(row)
    written = given.get("datetime") or given.get("title" if page.tag_of(row) == "abbr" else "", "")
    if name != "author" and written:
        return clean(written)
    text = text_below(page, row)
    return text if len(text) <= LINE_CHARACTERS else ""


def _inner(page: Page, marked: BoolColumn) -> BoolColumn:
    """Keep of marked elements that stand in each other those that hold no other."""
    inner: BoolColumn = marked & (page.count_below(marked) == 0)
    return inner


def _by_class(page: Page, classes: IntColumn, pattern: re.Pattern[str]) -> BoolColumn:
    fits = {code: bool(pattern.search(page.strings[code])) for code in set(classes[classes >= 0].tolist())}
    return np.asarray([fits.get(code, False) for code in classes.tolist()], dtype=bool)


def _elsewhere(page: Page) -> BoolColumn:
    by_class = _by_class(page, page.attribute("class"), _ELSEWHERE) | _by_class(page, page.attribute("id"), _ELSEWHERE)
    # A class on the whole page ("no-sidebar footer-dark") says nothing of a part.
    whole = page.has_tag("html", "body", "main", "article")
    return page.below((by_class & ~whole) | page.has_tag("footer", "aside", "nav") & (page.leaf_range[:, 0] > 0))


def _lines(page: Page, own: BoolColumn, title: str) -> tuple[tuple[str, ...], int]:
    """Return the short lines around the headline, those behind it first, and the row of the headline (0 for none)."""
    starts, texts = _text_lines(page, own)
    wanted = _key(title)
    headings = page.below(page.has_tag("h1", "h2", "h3"))
    places = [n for n, text in enumerate(texts) if wanted and len(text) <= MOST_CHARACTERS and _key(text) == wanted]
    at = next((n for n in places if headings[starts[n]]), places[-1] if places else -1)
    if at < 0:
        return tuple(text for text in texts if 3 <= len(text) <= LINE_CHARACTERS)[: LINES_BEFORE + LINES_BEHIND], 0
    around = [*texts[at + 1 : at + 1 + LINES_BEHIND], *texts[max(at - LINES_BEFORE, 0) : at][::-1]]
    return tuple(text for text in around if 3 <= len(text) <= LINE_CHARACTERS), starts[at]


def _text_lines(page: Page, own: BoolColumn) -> tuple[list[int], list[str]]:
    """Return the seen text by the block-level elements that it stands in: the row that each line starts at, and it."""
    owner = page.nearest(page.block_level)[page.leaves].tolist()
    usable = ((page.hidden == 0) & own[page.leaves]).tolist()
    starts: list[int] = []
    texts: list[list[str]] = []
    last = -2
    for leaf, row in enumerate(page.leaves.tolist()):
        if not usable[leaf]:
            continue
        if owner[leaf] != last:
            starts.append(row)
            texts.append([])
            last = owner[leaf]
        texts[-1].append(page.leaf_texts[leaf])
    return starts, [clean("".join(pieces)) for pieces in texts]


def _key(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())
