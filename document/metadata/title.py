"""The title of a page, by NewsFeed's rule: title element, meta title, headings, without the name of the site.

Source: the NewsFeed thesis, section 2.4.4 ("First medal for Tanzania in Sochi | BBC Sports"). It does not say how to
find the name of the site; here a part is removed if the page or the URL has it as the name of the site, and at the end
also if it is much shorter than the rest. A heading equal to some of the parts has priority.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np

from ...lexicon.words import words
from ...page.arrays import BoolColumn
from ...page.invisible_characters import strip_invisible
from ...page.page import Page
from .clean_text import MOST_CHARACTERS, clean, letters_of
from .title_by_look import title_by_look
from .urls import site_of

#: Separators of title and site name. Hyphen, colon and point need white space, or scripts without spaces around.
_SEPARATOR = re.compile(
    r"\s*[|｜»«›‹]+\s*|\s+(?:[-–—·•:/~]|::|--)\s+|\s*[—_](?=\s*[\u3040-\u9fff\uac00-\ud7af])\s*"
    r"|(?<=[\u3040-\u9fff\uac00-\ud7af!?！？》）)”\d])\s*[-–—_]+\s*|(?<=\w):\s+"
)
_META = ("og:title", "title", "twitter:title", "dc.title")
_SITE_META = ("og:site_name", "application-name", "apple-mobile-web-app-title", "twitter:site")
_HEADINGS = ("h1", "h2", "h3")
#: Least ratio of the rest to a part at the end that is removed, and its most characters.
SHORTER, SITE_CHARACTERS = 2.0, 30
#: A part at the end that holds a name of the site with this number of letters is the site if it has no more words.
NAME_LETTERS, NAME_WORDS = 4, 3
#: A heading that repeats less of a title than this does not settle it.
TELLING_SHARE = 0.25
#: Class names of a heading with the title.
_TITLE_CLASS = re.compile(r"(?:^|[\s_-])(?:title|headline|p-name)(?=[\s_-]|$)", re.IGNORECASE)
#: Most links in which those to the home page are searched.
MOST_LINKS = 300
#: Least share of the title, and least words of it, in the only heading of the first level for it to be the title.
SHORTEST_SHARE, SHORTEST_WORDS = 0.5, 3
#: Most letters of the name of a site in links to its home page.
MOST_SITE = 60
#: A longer title is no title: nothing is taken off.
LONGEST = 1_000
#: Programs that write titles in pieces leave their marks between them.
_COMMENT = re.compile(r"<!--.*?-->")
_TAG = re.compile(r"</?(?:br|b|i|em|strong|span|sup|sub|font)\b[^<>]{0,200}>", re.IGNORECASE)
#: Suffix that programs add to every title.
_POWERED = re.compile(r"\s+[-–—|]\s+Powered by\b.*\Z", re.IGNORECASE)
#: Signs by which headings link to themselves, alone and at the end of a text.
_SIGN, _SIGNS_AT_END = re.compile("[¶§🔗#]+"), re.compile(r"(?:\s*[¶§🔗]|\s#)+\s*\Z")
#: Class names of a heading with the name of the site.
_SITE_CLASS = re.compile(r"(?:^|[\s_-])(?:site|blog)[_-]?(?:title|name)(?=[\s_-]|$)", re.IGNORECASE)
_PARTS = 8  # more parts than that are no sentence


def title_of(page: Page) -> str:
    """Return the title of a page without the name of its site, "" if there is none.

    >>> from blocksight.page.parse import parse
    >>> title_of(parse("<title>First medal for Tanzania in Sochi | BBC Sports</title>"))
    'First medal for Tanzania in Sochi'
    >>> title_of(parse("<title>Part 1 | Part 2</title>"))
    'Part 1 | Part 2'
    """
    meta = _metas(page)
    written = [meta[name] for name in _META if meta.get(name)]
    heading_text = _heading_texts(page)
    headings = _headings(page, heading_text)
    sites = _sites(page, meta)
    headline, main_row = _headline(page), _main_heading(page)
    title = _clean(page.title)
    if headline and not written and not set(words(title)) & set(words(headline)):
        title = ""
    if all(_is_only_site(one, sites) for one in (title, *written) if one) and not _shows_first_level(page, sites):
        looked = title_by_look(page, _furniture(page))
        if looked and not _is_only_site(looked, sites):
            return looked
    candidates = [title for title in (title, *written, headline, *headings) if title]
    raw = next((title for title in candidates if not _is_only_site(title, sites)), candidates[0] if candidates else "")
    # An equal meta title is no evidence: it often includes the name of the site.
    bare = _stripped(
        raw,
        _headings(page, heading_text, together=True),
        [title for title in written if letters_of(title) != letters_of(raw)],
        sites,
        heading_text(main_row) if main_row >= 0 else "",
    )
    shown = _declared_headline(page, sites, written) or _shown_headline(page, sites, bare, written)
    shown = shown or _as_shown(bare, headings, alone=bool(page.has_tag("h1").sum() == 1))
    # A heading of several boxes has no white space between them.
    return max((one for one in (shown, bare, title, *written) if letters_of(one) == letters_of(shown)), key=_pieces)


def _pieces(title: str) -> int:
    return sum(any(map(str.isalnum, word)) for word in title.split())


def _declared_headline(page: Page, sites: set[str], written: list[str]) -> str:
    """Return the visible heading of the content that declared metadata have as the title, else ""."""
    declared = {letters_of(title) for title in written if not _is_only_site(title, sites)} - {""}
    if not declared:
        return ""
    outside, seen = _furniture(page), page.hidden == 0
    for level in ("h1", "h2"):
        for row in np.flatnonzero(page.has_tag(level) & ~outside)[:MOST_LINKS].tolist():
            first, last = page.leaf_range[row].tolist()
            text = _heading_text(page, row)
            if letters_of(text) in declared and seen[first:last].any():
                return text
            if level == "h1" and letters_of(text) and not _is_site(text, sites):
                return ""  # an entry below another headline may have the declared title
    return ""


def _main_heading(page: Page) -> int:
    """Return the row of the only heading of the first level, or the only visible one of the main part; -1 for none."""
    rows = np.flatnonzero(page.has_tag("h1"))
    if len(rows) > 1:
        inside = page.below(page.has_tag("main", "article"))
        rows = np.asarray([row for row in rows[inside[rows]].tolist() if _is_seen(page, row)], dtype=np.int64)
    return int(rows[0]) if len(rows) == 1 and not _furniture(page)[rows[0]] else -1


def _is_seen(page: Page, row: int) -> bool:
    return bool((page.hidden[slice(*page.leaf_range[row].tolist())] == 0).any())


def _shows_first_level(page: Page, sites: set[str]) -> bool:
    """Return whether a visible heading of the first level is not the name of the site."""
    rows = np.flatnonzero(page.has_tag("h1"))[:MOST_LINKS].tolist()
    return any(_is_seen(page, row) and not _is_site(_heading_text(page, row), sites) for row in rows)


def _furniture(page: Page) -> BoolColumn:
    """Mark the nodes of menus, footers, side columns, and headers outside of the content."""
    main = page.below(page.has_tag("main", "article"))
    return page.below(page.has_tag("nav", "footer", "aside") | (page.has_tag("header") & ~main))


def _stripped(raw: str, headings: list[str], written: list[str], sites: set[str], alone: str) -> str:
    """Return a title without the name of the site; ``alone`` is the only heading of the first level, if it is one."""
    spans = _parts(raw) if len(raw) <= LONGEST else []
    if len(spans) < 2:
        return raw
    if len({letters_of(_piece(raw, [span])) for span in spans}) == 1:
        return _piece(raw, spans[:1])
    for span, part in ((spans[0], 1), (spans[-1], len(spans) - 1)) if alone and not _is_site(alone, sites) else ():
        if letters_of(_piece(raw, [span])) == letters_of(alone) and _between(raw, spans, part) != ":":
            return _piece(raw, [span])
    whole = _repeated_part(raw, spans, [title for title in headings if not _is_site(title, sites)], written)
    if whole:
        return whole
    first, last = 0, len(spans)
    while last - first > 1 and _is_site_at_end(raw, spans[first:last], sites):
        last -= 1
    while last - first > 1 and _is_site(_piece(raw, spans[first : first + 1]), sites):
        first += 1
    # The site follows a section: both are removed if they have the same separator.
    signs = {_between(raw, spans, last)} if last < len(spans) else set()
    while last - first > 1 and _looks_like_site(raw, spans[first:last]):
        signs.add(_between(raw, spans, last - 1))
        if len(signs) > 1:
            break
        last -= 1
    return _piece(raw, spans[first:last])


def _repeated_part(raw: str, spans: list[tuple[int, int]], headings: list[str], written: list[str]) -> str:
    """Return the longest run of parts that a heading or the meta title repeats, "" if there is none.

    Parts before a colon are not enough, nor is a small share of the title in a heading alone: such headings name a site
    or a section. Text of several headings (the subject of a forum's posts) precedes that of one with a label ("View
    topic: Tea").
    """
    stretches = [(i, j) for i in range(len(spans)) for j in range(i + 1, min(len(spans), i + _PARTS) + 1)]
    pieces = [_piece(raw, spans[i:j]) for i, j in stretches if j == len(spans) or _between(raw, spans, j) != ":"]
    meta, times = set(map(letters_of, written)), Counter(map(letters_of, headings))
    repeated = [
        piece
        for piece in pieces
        if letters_of(piece) in meta or (times[letters_of(piece)] and _width(piece) >= TELLING_SHARE * _width(raw))
    ]
    whole = [piece for piece in repeated if not any(piece != one and piece in one for one in repeated)]
    longest = max([piece for piece in whole if letters_of(piece) in meta], key=len, default="")
    # The name of the site is a heading, too: above that of the content.
    longest = longest or max(whole, key=lambda piece: headings.index(piece) if piece in headings else -1, default="")
    inner = [piece for piece in repeated if times[letters_of(piece)] > max(times[letters_of(longest)], 1)]
    return next((piece for piece in inner if re.search(rf":\s+{re.escape(piece)}\Z", longest)), longest)


def _looks_like_site(raw: str, spans: list[tuple[int, int]]) -> bool:
    """Return whether the last part is much shorter than the rest, without a number and not after a colon."""
    last, rest = _piece(raw, spans[-1:]), _piece(raw, spans[:-1])
    short = _width(last) <= SITE_CHARACTERS and SHORTER * _width(last) <= _width(rest)
    return short and _between(raw, spans, len(spans) - 1) != ":" and not re.search(r"\d", last)


def _is_site(part: str, sites: set[str]) -> bool:
    return letters_of(part).removeprefix("the") in sites


def _is_only_site(title: str, sites: set[str]) -> bool:
    """Return whether a title is the name of the site, or one name repeated."""
    heading_text = {letters_of(_piece(title, [span])) for span in _parts(title)}
    return _is_site(title, sites) or (len(heading_text) == 1 and _is_site(heading_text.pop(), sites))


def _is_site_at_end(raw: str, spans: list[tuple[int, int]], sites: set[str]) -> bool:
    """Return whether the last part is the site, or a few words with its name ("The Daily Gull")."""
    part, rest = _piece(raw, spans[-1:]), _piece(raw, spans[:-1])
    heading_text = [letters_of(word.removesuffix("'s").removesuffix("’s")) for word in part.split()]
    few = len([word for word in heading_text if word != "the"]) <= NAME_WORDS and _width(part) <= _width(rest)
    return _is_site(part, sites) or (few and any(len(word) >= NAME_LETTERS and word in sites for word in heading_text))


def _sites(page: Page, meta: dict[str, str]) -> set[str]:
    """Return the possible names of the site as keys: declared names, the host, and labels of the host."""
    names = {letters_of(meta[name]) for name in _SITE_META if meta.get(name)}
    host = site_of(page)
    labels = host.split(".")
    if len(labels) > 1:
        names |= {letters_of(host), letters_of(" ".join(labels[-2:])), letters_of("".join(labels[:-1]))}
        names |= {letters_of(label) for label in labels[:-1] if len(label) > 2}
    titles = {letters_of(meta[name]) for name in _META if meta.get(name)}
    names |= {name for name in (_home_links(page) | _site_headings(page)) - titles if len(name) <= MOST_SITE}
    if meta.get("og:site_name"):
        # Some programs write the title of the page for its name, too.
        names -= titles - {letters_of(meta["og:site_name"])}
    return {name.removeprefix("the") for name in names} - {""}


def _home_links(page: Page) -> set[str]:
    """Return the texts of links to the home page of the site, as keys."""
    href = page.attribute("href")
    rows = np.flatnonzero(page.has_tag("a") & (href >= 0))[:MOST_LINKS].tolist()
    host = rf"(?:https?:)?//{re.escape(site_of(page) or '-')}(?::\d+)?"
    home = re.compile(rf"(?:{host})?/(?:index\.\w+)?|{host}|(?:\.\./)+(?:index\.\w+)?")
    names = set()
    for row in rows:
        if home.fullmatch(page.strings[int(href[row])].strip().replace("//www.", "//")):
            first, last = page.leaf_range[row].tolist()
            names.add(letters_of("".join(page.leaf_texts[first:last])))
    return names


def _site_headings(page: Page) -> set[str]:
    """Return the texts of headings that a class calls the name of the site, as keys."""
    rows = page.has_tag("h1", "h2") & page.attribute_matches("class", lambda name: _SITE_CLASS.search(name) is not None)
    return {letters_of(_heading_text(page, row)) for row in np.flatnonzero(rows)[:MOST_LINKS].tolist()}


def _metas(page: Page) -> dict[str, str]:
    """Return the first content of each meta element by its property or name."""
    content = page.attribute("content")
    contents: dict[str, str] = {}
    for row in np.flatnonzero(page.has_tag("meta") & (content >= 0)).tolist():
        attributes = page.attributes_of(row)
        for name in ("property", "name", "itemprop"):
            if name in attributes:
                contents.setdefault(attributes[name].strip().lower(), _clean(attributes["content"]))
    return contents


def _heading_texts(page: Page) -> Callable[[int], str]:
    """Return a cached function from the row of a heading to its text."""

    @cache
    def heading_text(row: int) -> str:
        first, last = page.leaf_range[row].tolist()
        return _SIGNS_AT_END.sub("", _clean("".join(page.leaf_texts[first : _without_signs(page, first, last)])))

    return heading_text


def _headings(page: Page, heading_text: Callable[[int], str], *, together: bool = False) -> list[str]:
    """Return the headings in document order; those of the first level first, unless ``together``."""
    tags: list[tuple[str, ...]] = [_HEADINGS] if together else [(tag,) for tag in _HEADINGS]
    rows = [row for some in tags for row in np.flatnonzero(page.has_tag(*some))[: 20 * len(some)].tolist()]
    return [title for title in map(heading_text, rows) if title]


def _as_shown(title: str, headings: list[str], *, alone: bool) -> str:
    """Return a title as a heading has it: with its quotation marks, and without tags that are there by mistake.

    The only heading of the first level is the title if the title continues behind it: "(with pictures)".
    """
    wanted = letters_of(_TAG.sub(" ", title) if "<" in title else title)
    same = next((heading for heading in headings if letters_of(heading) == wanted), "")
    if same or not alone or not headings or ":" in title:
        return same or title
    first = headings[0]
    shorter = wanted.startswith(letters_of(first)) and SHORTEST_SHARE * len(wanted) <= len(letters_of(first))
    return first if shorter and len(words(first)) >= SHORTEST_WORDS else title


def _headline(page: Page) -> str:
    """Return the text of the only heading of the first level if its class names a title, else ""."""
    rows = np.flatnonzero(page.has_tag("h1"))
    if len(rows) != 1:
        return ""
    attributes = page.attributes_of(int(rows[0]))
    if not _TITLE_CLASS.search(f"{attributes.get('class', '')} {attributes.get('itemprop', '')}"):
        return ""
    first, last = page.leaf_range[rows[0]].tolist()
    return _clean("".join(page.leaf_texts[first:last]))


def _shown_headline(page: Page, sites: set[str], bare: str, written: list[str]) -> str:
    """Return the only visible heading of the first level in the content if it is another wording of the title, else "".

    The title in the head often is a version for search engines, or the name of the book that the page belongs to.
    """
    main, furniture = page.below(page.has_tag("main", "article")), _furniture(page)
    found: dict[str, tuple[str, bool]] = {}
    above = set()
    for row in np.flatnonzero(page.has_tag("h1"))[:MOST_LINKS].tolist():
        text = _heading_text(page, row)
        if furniture[row]:
            above.add(letters_of(text))
        elif text and _is_seen(page, row) and not _is_site(text, sites):
            found.setdefault(letters_of(text), (text, bool(main[row])))
    if len(found) > 1 and sum(inside for _, inside in found.values()) == 1:
        above |= {key for key, (_, inside) in found.items() if not inside}
        found = {key: entry for key, entry in found.items() if entry[1]}
    if len(found) != 1:
        return ""
    [(key, (headline, inside))] = found.items()
    title, others = letters_of(bare), map(letters_of, _headings(page, _heading_texts(page), together=True))
    if key in title or title in key or title in set(others) - above:
        return ""
    # "Chapter - Book" in the head, and the book above the chapter.
    named = letters_of(page.title)
    chapter = title in above and named.startswith(key) and named.endswith(title)
    if _width(headline) < TELLING_SHARE * _width(bare) and not chapter:
        return ""  # the name of a section
    own = set(words(headline))
    shared = (len(own & set(words(one))) / max(min(len(own), len(set(words(one)))), 1) for one in (bare, *written))
    # The name of a book is all of its pages' titles, and above each of them.
    book = title in above and title == letters_of(_clean(page.title)) and title not in map(letters_of, written)
    return headline if (inside and title not in above) or book or chapter or max(shared) >= SHORTEST_SHARE else ""


def _heading_text(page: Page, row: int) -> str:
    """Return the text of a heading with spaces between its boxes, without the signs by which it links to itself."""
    first, last = page.leaf_range[row].tolist()
    return _SIGNS_AT_END.sub("", _clean(_by_block(page, first, _without_signs(page, first, last))))


def _without_signs(page: Page, first: int, last: int) -> int:
    """Return the end of some leaves without those at their end that only are the sign of a link."""
    while last - first > 1 and _SIGN.fullmatch(page.leaf_texts[last - 1].strip()):
        last -= 1
    return last


def _by_block(page: Page, first: int, last: int) -> str:
    """Return the text of some leaves with spaces between block-level elements."""
    owner = page.owner[page.leaves[first:last]].tolist()
    texts = page.leaf_texts[first:last]
    return "".join(f" {text}" if n and owner[n] != owner[n - 1] else text for n, text in enumerate(texts))


def _parts(title: str) -> list[tuple[int, int]]:
    """Return the range of each part between separators."""
    spans, start = [], 0
    for separator in _SEPARATOR.finditer(title):
        spans.append((start, separator.start()))
        start = separator.end()
    spans.append((start, len(title)))
    return [(start, end) for start, end in spans if title[start:end].strip()]


def _piece(title: str, spans: list[tuple[int, int]]) -> str:
    return title[spans[0][0] : spans[-1][1]].strip()


def _between(title: str, spans: list[tuple[int, int]], part: int) -> str:
    return title[spans[part - 1][1] : spans[part][0]].strip()


def _width(text: str) -> int:
    """Return the number of characters, those of wide scripts twice."""
    return sum(2 if character >= "\u1100" else 1 for character in text)


def _clean(text: str) -> str:
    text = text[:MOST_CHARACTERS]
    # No comment starts after the last end of one: each of many starts would be scanned to the end.
    inside, mark, behind = clean(text).rpartition("-->")
    plain = clean(strip_invisible(_COMMENT.sub("", inside + mark) + behind))
    return _POWERED.sub("", plain) or plain
