"""The title of a page, by NewsFeed's rule: title element, meta title, headings; the site's name is taken off.

Source: the NewsFeed thesis, section 2.4.4 ("First medal for Tanzania in Sochi | BBC Sports"). How to find
the site's name is not in it; here a part goes when the page or the address names it as the site, and at the end also
when it is much shorter than what remains. A heading that says the same as some of the parts settles it.
"""

from __future__ import annotations

import re

import numpy as np

from ...render.arrays import IntColumn
from ...render.page import Page
from ...render.sight.characters import drawn
from .links import site_of

#: What parts a title from a site's name. Hyphen, colon and point need white space, or scripts without spaces around.
_SEPARATOR = re.compile(
    r"\s*[|｜»«›‹]+\s*|\s+(?:[-–—·•:/~]|::|--)\s+|\s*[—_](?=\s*[\u3040-\u9fff\uac00-\ud7af])\s*"
    r"|(?<=[\u3040-\u9fff\uac00-\ud7af!?！？》）)”\d])\s*[-–—_]+\s*|(?<=\w):\s+"
)
_META = ("og:title", "title", "twitter:title", "dc.title")
_SITE_META = ("og:site_name", "application-name", "apple-mobile-web-app-title", "twitter:site")
_HEADINGS = ("h1", "h2", "h3")
#: A part at the end goes when what stands before it is at least this much longer, and it is no longer than this.
SHORTER, SITE_CHARACTERS = 2.0, 30
#: A part at the end that holds a name of the site with this number of letters is the site if it has no more words.
NAME_LETTERS, NAME_WORDS = 4, 3
#: A heading that repeats less of a title than this does not settle it.
TELLING_SHARE = 0.25
#: A longer title is no title: nothing is taken off.
LONGEST = 1_000
#: Programs that write titles in pieces leave their marks between them.
_COMMENT = re.compile(r"<!--.*?-->")
_PARTS = 8  # more parts than that are no sentence


def title_of(page: Page) -> str:
    """Return the title of a page without the name of its site.

    Parameters
    ----------
    page : Page

    Returns
    -------
    str
        "" when there is nothing to take it from; never empty because of what was taken off.

    Examples
    --------
    >>> from blocksight.render.static import parse
    >>> title_of(parse("<title>First medal for Tanzania in Sochi | BBC Sports</title>"))
    'First medal for Tanzania in Sochi'
    >>> title_of(parse("<title>Part 1 | Part 2</title>"))
    'Part 1 | Part 2'
    """
    meta = _metas(page)
    written = [meta[name] for name in _META if meta.get(name)]
    headings = _headings(page)
    sites = _sites(page, meta)
    candidates = [title for title in (_clean(page.title), *written, *headings) if title]
    raw = next((title for title in candidates if not _is_only_site(title, sites)), candidates[0] if candidates else "")
    # A meta title that is the same says nothing: it often carries the site's name along.
    return _stripped(raw, headings, [title for title in written if _key(title) != _key(raw)], sites)


def _stripped(raw: str, headings: list[str], written: list[str], sites: set[str]) -> str:
    """Take the site's name off a title."""
    spans = _parts(raw) if len(raw) <= LONGEST else []
    if len(spans) < 2:
        return raw
    whole = _said(raw, spans, {_key(title) for title in (*written, *headings) if not _is_site(title, sites)})
    if whole:
        return whole
    first, last = 0, len(spans)
    while last - first > 1 and _is_site_at_end(raw, spans[first:last], sites):
        last -= 1
    while last - first > 1 and _is_site(_piece(raw, spans[first : first + 1]), sites):
        first += 1
    # Behind a section stands the site: both go if the same sign sets them off.
    signs = {_between(raw, spans, last)} if last < len(spans) else set()
    while last - first > 1 and _looks_like_site(raw, spans[first:last]):
        signs.add(_between(raw, spans, last - 1))
        if len(signs) > 1:
            break
        last -= 1
    return _piece(raw, spans[first:last])


def _said(raw: str, spans: list[tuple[int, int]], said: set[str]) -> str:
    """Return the longest stretch of parts that a heading or the meta title repeats, "" if none does.

    What stands before a colon is not enough, nor is a small part of the whole: such headings name a site or a section.
    """
    stretches = [(i, j) for i in range(len(spans)) for j in range(i + 1, min(len(spans), i + _PARTS) + 1)]
    found = [_piece(raw, spans[i:j]) for i, j in stretches if j == len(spans) or _between(raw, spans, j) != ":"]
    repeated = [piece for piece in found if _key(piece) in said and _width(piece) >= TELLING_SHARE * _width(raw)]
    return max(repeated, key=len, default="")


def _looks_like_site(raw: str, spans: list[tuple[int, int]]) -> bool:
    """Return whether the last part is a name that is much shorter than the rest; a number or colon is against it."""
    last, rest = _piece(raw, spans[-1:]), _piece(raw, spans[:-1])
    short = _width(last) <= SITE_CHARACTERS and SHORTER * _width(last) <= _width(rest)
    return short and _between(raw, spans, len(spans) - 1) != ":" and not re.search(r"\d", last)


def _is_site(part: str, sites: set[str]) -> bool:
    return _key(part).removeprefix("the") in sites


def _is_only_site(title: str, sites: set[str]) -> bool:
    """Return whether a title is the site's name, or the same name several times."""
    said = {_key(_piece(title, [span])) for span in _parts(title)}
    return _is_site(title, sites) or (len(said) == 1 and _is_site(said.pop(), sites))


def _is_site_at_end(raw: str, spans: list[tuple[int, int]], sites: set[str]) -> bool:
    """Return whether the last part is the site, or a few words with its name among them ("The Daily Gull")."""
    part, rest = _piece(raw, spans[-1:]), _piece(raw, spans[:-1])
    said = [_key(word.removesuffix("'s").removesuffix("’s")) for word in part.split()]
    few = len([word for word in said if word != "the"]) <= NAME_WORDS and _width(part) <= _width(rest)
    return _is_site(part, sites) or (few and any(len(word) >= NAME_LETTERS and word in sites for word in said))


def _sites(page: Page, meta: dict[str, str]) -> set[str]:
    """Return what the site may be called, as keys: what the page says, the host, and the names in the host."""
    names = {_key(meta[name]) for name in _SITE_META if meta.get(name)}
    host = site_of(page)
    labels = host.split(".")
    if len(labels) > 1:
        names |= {_key(host), _key(" ".join(labels[-2:])), _key("".join(labels[:-1]))}
        names |= {_key(label) for label in labels[:-1] if len(label) > 2}
    return {name.removeprefix("the") for name in names} - {""}


def _metas(page: Page) -> dict[str, str]:
    """Return the first content of each meta element by its property or name."""
    content = page.attribute("content")
    found: dict[str, str] = {}
    for row in np.flatnonzero(page.has_tag("meta") & (content >= 0)).tolist():
        given = page.attributes_of(row)
        for name in ("property", "name", "itemprop"):
            if name in given:
                found.setdefault(given[name].strip().lower(), _clean(given["content"]))
    return found


def _headings(page: Page) -> list[str]:
    """Return the headings, those of the first level first, in document order."""
    found: list[str] = []
    for tag in _HEADINGS:
        rows: IntColumn = np.flatnonzero(page.has_tag(tag)).astype(np.int32)
        for first, last in page.leaf_range[rows[:20]].tolist():
            found.append(_clean("".join(page.leaf_texts[first:last])))
    return [title for title in found if title]


def _parts(title: str) -> list[tuple[int, int]]:
    """Return start and end of each part between separators."""
    spans, start = [], 0
    for separator in _SEPARATOR.finditer(title):
        spans.append((start, separator.start()))
        start = separator.end()
    spans.append((start, len(title)))
    return [(start, end) for start, end in spans if title[start:end].strip()]


def _piece(title: str, spans: list[tuple[int, int]]) -> str:
    return title[spans[0][0] : spans[-1][1]].strip()


def _between(title: str, spans: list[tuple[int, int]], part: int) -> str:
    """Return the sign before a part."""
    return title[spans[part - 1][1] : spans[part][0]].strip()


def _key(title: str) -> str:
    """Return letters and digits alone, in lower case."""
    return "".join(character for character in title.casefold() if character.isalnum())


def _width(text: str) -> int:
    """Count characters, those of wide scripts twice."""
    return sum(2 if character >= "\u1100" else 1 for character in text)


def _clean(text: str) -> str:
    return " ".join(drawn(_COMMENT.sub("", text)).split())
