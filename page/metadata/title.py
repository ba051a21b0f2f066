"""The title of a page, by NewsFeed's rule: title element, meta title, headings, without the name of the site.

Source: the NewsFeed thesis, section 2.4.4 ("First medal for Tanzania in Sochi | BBC Sports"). It does not say how to
find the name of the site; here a part is removed if the page or the URL has it as the name of the site, and at the end
also if it is much shorter than the rest. A heading equal to some of the parts has priority.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import BoolColumn
from ..clean_text import MOST_CHARACTERS, clean, letters_of
from ..invisible_characters import strip_invisible
from ..page import Page
from ..urls import site_of
from .title_by_look import title_by_look

#: Separators of title and site name. Hyphen, colon and point need white space, or scripts without spaces around.
_SEPARATOR = re.compile(
    r"\s*[|｜]+\s*|(?:\s+|^)(?:[-–—－·•:/~]|::|--|[»«›‹]+)\s+|(?:\s*[—_]|(?<=\d)[-–])(?=\s*[\u3040-\u9fff\uac00-\ud7af])\s*"
    r"|(?<=[\u3040-\u9fff\uac00-\ud7af!?！？》）)”])\s*[-–—_]+\s*|(?<=\w):\s+|\s*：\s*"
)
_COLONS = frozenset(":：")
_META = ("og:title", "title", "twitter:title", "dc.title")
_SITE_META = ("og:site_name", "application-name", "apple-mobile-web-app-title", "twitter:site")
_COPYRIGHT = re.compile("©|\\(c\\) |copyright", re.IGNORECASE)
#: A heading that repeats less of a title than this does not settle it.
TELLING_SHARE = 0.25
#: Most headings of each level.
MOST_HEADINGS = 20
#: A longer title is no title, and more parts are no sentence: nothing is taken off.
LONGEST, _PARTS = 1_000, 8
#: Signs by which headings link to themselves, alone and at the end of a text.
_SIGN, _SIGNS_AT_END = re.compile("[¶§🔗#]+"), re.compile(r"(?:\s*[¶§🔗]|\s#)+\s*\Z")


def title_of(page: Page, others: BoolColumn | None = None) -> str:
    """Return the title of a page without the name of its site, "" if there is none.

    ``others``, bool (nodes,), marks cards and comments, whose headings are titles of their own.

    >>> from blocksight.page.parse import parse
    >>> title_of(parse("<title>First medal for Tanzania in Sochi | BBC Sports</title>"))
    'First medal for Tanzania in Sochi'
    >>> title_of(parse("<title>Part 1 | Part 2</title>"))
    'Part 1 | Part 2'
    """
    facts = _Titles(page, others)
    candidates = [*facts.declared, *(heading.text for heading in facts.headings)]
    if not any(heading.is_seen and not facts.is_site(heading.text) for heading in facts.first_level):
        looked = title_by_look(page, facts.furniture | facts.others)
        if looked and facts.are_short_for(looked) and not facts.is_only_site(looked):
            return looked
    raw = next((title for title in candidates if not facts.is_only_site(title)), candidates[0] if candidates else "")
    bare = _stripped(raw, facts)
    shown = (
        _declared_headline(facts)
        or _shown_headline(facts, bare)
        or next((heading.text for heading in facts.headings if heading.key == letters_of(bare)), bare)
    )
    # A heading of several boxes has no white space between them.
    same = (one for one in (shown, bare, *facts.declared) if letters_of(one) == letters_of(shown))
    return max(same, key=lambda title: sum(any(map(str.isalnum, word)) for word in title.split()))


# -- what a page declares and shows --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Heading:
    level: int
    place: int  # in document order
    text: str
    key: str  # its letters
    is_seen: bool
    in_main: bool  # in the main part or an article
    in_furniture: bool  # in a menu, footer, side column, or a header outside of the content


class _Titles:
    """The titles that a page declares, its headings, those of the first level first, and the names of its site."""

    def __init__(self, page: Page, others: BoolColumn | None) -> None:
        self.page, self.others = page, np.zeros(len(page), dtype=bool) if others is None else others
        metas = _metas(page)
        self.written = [metas[name] for name in _META if metas.get(name)]
        self.main = page.below(page.has_tag("main", "article"))
        self.furniture: BoolColumn = page.below(
            page.has_tag("nav", "footer", "aside") | (page.has_tag("header") & ~self.main)
        )
        self.buttons: BoolColumn = page.below(page.has_tag("button"))[page.leaves]
        self.title = _clean(page.title)
        self.declared = [title for title in (self.title, *self.written) if title]
        self.headings = [heading for level in (1, 2, 3) for heading in self._of_level(level) if heading.text]
        self.first_level = [heading for heading in self.headings if heading.level == 1]
        self.sites = _sites(page, metas) | self._owners()

    def _owners(self) -> set[str]:
        """Return the parts of the title that the page signs with: "© 2025 River Directions"."""
        parts = [letters_of(part) for part in _Parts(self.title).texts]
        texts = self.page.leaf_texts if len(parts) > 1 else ()
        signed = [letters_of(text) for text in texts if _COPYRIGHT.search(text[:MOST_CHARACTERS])]
        return {part.removeprefix("the") for part in parts if part and any(part in text for text in signed)}

    def _of_level(self, level: int) -> list[_Heading]:
        page, headings = self.page, []
        for row in np.flatnonzero(page.has_tag(f"h{level}") & ~self.others)[:MOST_HEADINGS].tolist():
            first, last = page.leaf_range[row].tolist()
            text = _heading_text(page, [leaf for leaf in range(first, last) if not self.buttons[leaf]])
            is_seen = bool((page.hidden[first:last] == 0).any())
            places = bool(self.main[row]), bool(self.furniture[row])
            headings.append(_Heading(level, row, text, letters_of(text), is_seen, *places))
        return headings

    @cached_property
    def main_heading(self) -> _Heading | None:
        """The only heading of the first level, or the only visible one of the main part."""
        some = self.first_level
        if len(some) > 1:
            some = [heading for heading in some if heading.in_main and heading.is_seen]
        return some[0] if len(some) == 1 and not some[0].in_furniture else None

    def is_site(self, part: str) -> bool:
        return letters_of(part).removeprefix("the") in self.sites

    def is_only_site(self, title: str) -> bool:
        """Return whether a title is the name of the site, or one name repeated."""
        keys = {letters_of(part) for part in _Parts(title).texts}
        return self.is_site(title) or (len(keys) == 1 and self.is_site(keys.pop()))

    def are_short_for(self, title: str) -> bool:
        """Return whether all declared titles are the name of the site, or the start of one that is shown."""
        return all(self.is_only_site(one) or letters_of(title).startswith(letters_of(one)) for one in self.declared)


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


def _sites(page: Page, meta: dict[str, str]) -> set[str]:
    """Return the possible names of the site as keys: declared names, the host, and labels of the host."""
    names = {letters_of(meta[name]) for name in _SITE_META if meta.get(name)}
    host = site_of(page)
    labels = host.split(".")
    if len(labels) > 1:
        names |= set(map(letters_of, (host, " ".join(labels[-2:]), "".join(labels[:-1]))))
        names |= {letters_of(label) for label in labels[:-1] if len(label) > 2}
    if meta.get("og:site_name"):
        # Some programs write the title of the page for its name, too.
        titles = {letters_of(meta[name]) for name in _META if meta.get(name)}
        names -= titles - {letters_of(meta["og:site_name"])}
    return {name.removeprefix("the") for name in names} - {""}


def _heading_text(page: Page, leaves: list[int]) -> str:
    """Return the text of a heading with spaces between its boxes, without the signs by which it links to itself."""
    while leaves[1:] and _SIGN.fullmatch(page.leaf_texts[leaves[-1]].strip()):
        leaves.pop()
    owner, texts = page.owner[page.leaves[leaves]].tolist(), [page.leaf_texts[leaf] for leaf in leaves]
    parts = (f" {text}" if n and owner[n] != owner[n - 1] else text for n, text in enumerate(texts))
    return _SIGNS_AT_END.sub("", _clean("".join(parts)))


def _clean(text: str) -> str:
    return clean(strip_invisible(text[:MOST_CHARACTERS]))


# -- the title without the name of the site ------------------------------------------------------------------------


class _Parts:
    """The parts of a title between separators."""

    def __init__(self, title: str) -> None:
        self.title = title
        separators = list(_SEPARATOR.finditer(title)) if len(title) <= LONGEST else []
        starts, ends = [0, *(sign.end() for sign in separators)], [*(sign.start() for sign in separators), len(title)]
        self.spans = [(start, end) for start, end in zip(starts, ends, strict=True) if title[start:end].strip()]

    def __len__(self) -> int:
        return len(self.spans)

    @property
    def texts(self) -> list[str]:
        return [self.piece(part, part + 1) for part in range(len(self))]

    def piece(self, first: int, last: int) -> str:
        """Return the parts from ``first`` to before ``last``, with what is between them."""
        return self.title[self.spans[first][0] : self.spans[last - 1][1]].strip()

    def pieces(self) -> list[str]:
        """Return each run of parts that does not end before a colon."""
        ranges = [(i, j) for i in range(len(self)) for j in range(i + 1, min(len(self), i + _PARTS) + 1)]
        return [self.piece(i, j) for i, j in ranges if j == len(self) or self.sign_before(j) not in _COLONS]

    def sign_before(self, part: int) -> str:
        return self.title[self.spans[part - 1][1] : self.spans[part][0]].strip()


def _stripped(raw: str, facts: _Titles) -> str:
    """Return a title without the name of the site."""
    parts = _Parts(raw)
    if len(parts) < 2:
        return next(iter(parts.texts), raw)
    if len({letters_of(text) for text in parts.texts}) == 1:
        return parts.texts[0]
    return _main_part(parts, facts) or _repeated_part(parts, facts) or _without_site(parts, facts)


def _main_part(parts: _Parts, facts: _Titles) -> str:
    """Return the part at an end that the only heading of the first level repeats, else ""."""
    alone, last = facts.main_heading, len(parts) - 1
    rest = letters_of(parts.piece(0, last))
    if alone is None or facts.is_site(alone.text):
        return ""
    if any(one.key == rest and one.place > alone.place for one in facts.headings):
        return parts.piece(0, last)  # the first level is that of the site: "Topic - Forums"
    ends = ((parts.texts[0], parts.sign_before(1)), (parts.texts[last], parts.sign_before(last)))
    return next((text for text, sign in ends if sign not in _COLONS and letters_of(text) == alone.key), "")


def _repeated_part(parts: _Parts, facts: _Titles) -> str:
    """Return the longest run of parts that a heading or another meta title repeats, "" if there is none.

    Parts before a colon are not enough, nor is a small share of the title in a heading alone: such headings name a site
    or a section.
    """
    places = {one.key: one.place for one in facts.headings if not facts.is_site(one.text)}
    # An equal meta title is no evidence: it often includes the name of the site.
    meta = {letters_of(title) for title in facts.written} - {letters_of(parts.title)}
    keys = {piece: letters_of(piece) for piece in parts.pieces()}
    if repeated := [piece for piece, key in keys.items() if key in meta]:
        return _without_site(_Parts(max(repeated, key=len)), facts)
    long = (piece for piece in keys if len(piece) >= TELLING_SHARE * len(parts.title) and keys[piece] in places)
    # The name of the site is a heading, too: above that of the content.
    return max(long, key=lambda piece: places[keys[piece]], default="")


def _without_site(parts: _Parts, facts: _Titles) -> str:
    """Return the parts without those at both ends that are the site by name, and at the end by their length."""
    first, last = 0, len(parts)
    while last - first > 1 and facts.is_site(parts.texts[last - 1]):
        last -= 1
    while last - first > 1 and facts.is_site(parts.texts[first]):
        first += 1
    # The site follows a section: both are removed if they have the same separator.
    signs = {parts.sign_before(last)} if last < len(parts) else set()
    while last - first > 1 and _looks_like_site(parts, first, last):
        signs.add(parts.sign_before(last - 1))
        if len(signs) > 1:
            break
        last -= 1
    return parts.piece(first, last)


def _looks_like_site(parts: _Parts, first: int, last: int) -> bool:
    """Return whether the last part is much shorter than the rest, without a number and not after a colon."""
    part, rest, sign = parts.texts[last - 1], parts.piece(first, last - 1), parts.sign_before(last - 1)
    return 2 * len(part) <= len(rest) and sign not in _COLONS and not re.search(r"\d", part)


# -- the title as the page shows it --------------------------------------------------------------------------------


def _declared_headline(facts: _Titles) -> str:
    """Return the visible heading of the content that declared metadata have as the title, else ""."""
    declared = {letters_of(title) for title in facts.written if not facts.is_only_site(title)} - {""}
    shown = (one for one in facts.headings if one.level <= 2 and one.is_seen and not one.in_furniture)
    return next((heading.text for heading in shown if heading.key in declared), "")


def _shown_headline(facts: _Titles, bare: str) -> str:
    """Return the only visible heading of the first level in the content if it is another wording of the title, else "".

    The title in the head often is a version for search engines, or the name of the book or program that the page
    belongs to: one that no metadata repeat gives way to what is seen.
    """
    shown = [one for one in facts.first_level if one.is_seen and not one.in_furniture and not facts.is_site(one.text)]
    inner = {one.key for one in shown if one.in_main}
    own = [one for one in shown if one.key in inner or len(inner) != 1]
    title, named, keys = letters_of(bare), letters_of(facts.title), {one.key for one in own}
    if len(keys) != 1 or own[0].key in title or title in own[0].key or len(own[0].text) < TELLING_SHARE * len(bare):
        return ""
    alone = title == named and not facts.written
    above = {heading.key for heading in facts.first_level}
    if title in above:
        # "Chapter - Book" in the head, and the book above the chapter; or the book alone, as on all of its pages.
        return own[0].text if alone or named.startswith(own[0].key) else ""
    is_part = title in {heading.key for heading in facts.headings}
    return own[0].text if not is_part and (alone or own[0].in_main) else ""
