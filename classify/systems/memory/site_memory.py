"""Site memory: text that recurs on the pages of one site is not content.

This is an open problem of NewsFeed's thesis (section 2.4.4.1): on some sites a long copyright notice is extracted
instead of the article, or with it, which can be detected only by other pages of that site. Here the lines of text of
previous pages are counted for each site, and recurring lines are removed from a system's marks; copyright notices when
they occur for the second time.

Only hashes and counts are stored, and at most a given number of them.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from math import isfinite

import numpy as np

from ....document.metadata.urls import site_of
from ....errors import ModelMismatch
from ....files.npz import FileKind, read_npz, write_npz
from ....lexicon.words import count_unspaced, count_words, words
from ....page.arrays import Marks
from ....page.page import Page
from ...system import Card, System
from ..reading.leaf_lines import Lines, lines_of_text

KIND = FileKind(
    format="blocksight-site-memory",
    version=1,
    title="site memory",
    remedy="create one with SiteMemory.learn and SiteMemory.save",
)
#: If less than this share of a system's marks remains, it has selected the wrong part of the page.
LEAST_LEFT = 0.5
#: The arguments of a memory that are stored in its file.
_SETTINGS = ("least_pages", "least_share", "least_words", "notice_pages", "capacity")
#: Phrases of copyright notices.
_COPYRIGHT = re.compile(
    r"©|\(c\)\s*\d{4}|\bcopyright\b|all rights reserved|alle rechte vorbehalten|tous droits réservés"
    r"|todos los derechos|todos os direitos|tutti i diritti|tots els drets|alle rechten voorbehouden"
    r"|všechna práva|všetky práva|wszelkie prawa|minden jog|toate drepturile|все права защищены|усі права"
    r"|με επιφύλαξη|tüm hakları|版权所有|版權所有|不得转载|不得轉載|著作権|無断転載|저작권|무단 ?전재|حقوق",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")


@dataclass(kw_only=True, eq=False)
class SiteMemory:
    """Counts the pages of a site on which each line of text occurs.

    Examples
    --------
    >>> from blocksight.page.parse import parse
    >>> memory = SiteMemory()
    >>> for text in ("Rain in the north", "Sun in the south"):
    ...     page = parse(f"<p>{text}</p><p>Copyright 2024 The Paper</p>", url=f"http://paper.example/{len(text)}")
    ...     print(memory.recurring(page).tolist())
    ...     memory.learn(page)
    [False, False]
    [False, True]
    """

    #: A line recurs if it occurs on this number of other pages of the site, and on this share of all of them.
    least_pages: int = 3
    least_share: float = 0.3
    #: Shorter lines are ignored: headings such as "Ingredients" also recur. In scripts without spaces a word is two
    #: characters.
    least_words: int = 5
    #: The least number of pages for copyright notices, for which share and length are ignored.
    notice_pages: int = 1
    #: The largest number of entries. When it is exceeded, half of them are removed: those with the smallest counts, and
    #: of these the oldest.
    capacity: int = 200_000
    #: Number of pages by the hash of site and line, of the site, and of the page; the last changed entry is last.
    _counts: dict[int, int] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.least_pages < 1 or self.notice_pages < 1:
            raise ValueError("least_pages and notice_pages must be at least 1")
        if self.capacity < 2:
            raise ValueError(f"capacity must be at least 2, not {self.capacity}")

    def __len__(self) -> int:
        return len(self._counts)

    def copy_from(self, other: SiteMemory) -> None:
        """Replace all counts by those of another memory."""
        self._counts = dict(other._counts)

    def learn(self, page: Page, *, site: str | None = None) -> None:
        """Count the lines of a page; a page with the same URL, or without one the same text, is counted once.

        ``site`` is by default the host of the page's URL.
        """
        site = site_of(page) if site is None else site
        keys = _line_keys(lines_of_text(page), site)
        if self._add(_page_key(page, site, keys)):
            self._add(_key("site", site))
            for key in dict.fromkeys(key for key in keys if key):
                self._counts[key] = self._counts.pop(key, 0) + 1
        if len(self._counts) > self.capacity:
            self._forget()

    def recurring(self, page: Page, *, site: str | None = None) -> Marks:
        """Mark the text leaves of lines that recur on other pages of the site.

        The page itself may have been counted or not. ``site`` is by default the host of the page's URL.
        """
        site = site_of(page) if site is None else site
        lines = lines_of_text(page)
        keys = _line_keys(lines, site)
        itself = int(_page_key(page, site, keys) in self._counts)
        pages = self._counts.get(_key("site", site), 0) - itself
        recurring = np.zeros(len(lines), dtype=bool)
        for index, (text, key) in enumerate(zip(lines.texts, keys, strict=True)):
            others = self._counts.get(key, 0) - itself
            frequent = others >= self.least_pages and others >= self.least_share * pages
            notice = others >= self.notice_pages and bool(_COPYRIGHT.search(text))
            recurring[index] = notice or (frequent and count_words(text) - count_unspaced(text) / 2 >= self.least_words)
        return lines.marks(recurring)

    def clean(self, page: Page, marks: Marks, *, site: str | None = None) -> Marks:
        """Remove recurring text from marks."""
        return marks & ~self.recurring(page, site=site)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to an ``.npz`` file."""
        arrays = {
            "keys": np.fromiter(self._counts, dtype=np.uint64, count=len(self)),
            "pages": np.fromiter(self._counts.values(), dtype=np.int64, count=len(self)),
        }
        write_npz(path, KIND, {name: getattr(self, name) for name in _SETTINGS}, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SiteMemory:
        """Read a file written by :meth:`save`; ModelMismatch if it is no site memory, ModelMissing without one."""
        head, arrays = read_npz(path, KIND)
        try:
            settings = {name: head[name] for name in _SETTINGS}
            if not all(isinstance(value, (int, float)) and isfinite(value) for value in settings.values()):
                raise ValueError("settings that are not numbers")
            memory = cls(**settings)
            keys, pages = arrays["keys"], arrays["pages"]
            if keys.dtype != np.uint64 or pages.dtype != np.int64 or keys.ndim != 1 or (pages < 0).any():
                raise ValueError("invalid counts")
            memory._counts = dict(zip(keys.tolist(), pages.tolist(), strict=True))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelMismatch(f"{os.fsdecode(path)}: this site memory is damaged; {KIND.remedy}") from error
        return memory

    def _add(self, key: int) -> bool:
        new = key not in self._counts
        self._counts[key] = self._counts.pop(key, 0) + 1
        return new

    def _forget(self) -> None:
        """Keep half of the capacity: the largest counts, and of equals the latest."""
        order = np.argsort(np.fromiter(self._counts.values(), dtype=np.int64), kind="stable")
        kept = set(order[-(self.capacity // 2) :].tolist())
        self._counts = {key: pages for index, (key, pages) in enumerate(self._counts.items()) if index in kept}


def _line_keys(lines: Lines, site: str) -> list[int]:
    """Return the hash of site and text for each line, 0 without words; digits in notices are ignored."""
    tokens = [words(_DIGITS.sub("0", text) if _COPYRIGHT.search(text) else text) for text in lines.texts]
    return [_key("line", site, *line) if line else 0 for line in tokens]


def _page_key(page: Page, site: str, keys: list[int]) -> int:
    return _key("page", site, page.url if site_of(page) else " ".join(map(str, keys)))


def _key(*parts: str) -> int:
    return int.from_bytes(blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=8).digest(), "little")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MemorySystem:
    """A system with a site memory.

    Recurring text is removed from the system's marks. If that is most of them, the system runs again on the page
    without the recurring text. Then the page is counted.
    """

    system: System
    memory: SiteMemory

    @property
    def card(self) -> Card:
        """The card of the system, with another name."""
        card = self.system.card
        return replace(card, name=f"{card.name}+memory", title=f"{card.title}, less what recurs on the site")

    def mark(self, page: Page) -> Marks:
        """Mark the content, and count the page."""
        recurring = self.memory.recurring(page)
        marks = self.system.mark(page)
        size = np.asarray([len(text) for text in page.leaf_texts], dtype=np.int64)
        if size[marks & ~recurring].sum() < LEAST_LEFT * size[marks].sum():
            marks = np.zeros(len(marks), dtype=bool)
            marks[~recurring] = self.system.mark(remove_leaves(page, recurring))
        self.memory.learn(page)
        return marks & ~recurring


def remove_leaves(page: Page, gone: Marks) -> Page:
    """Return a page without some text leaves; the other leaves keep their order, and the nodes their rows."""
    blank = len(page.strings)
    text = page.text.copy()
    text[page.leaves[gone]] = blank
    geometry = page.geometry
    if geometry is not None:
        line = ~np.isin(geometry.line_node, page.leaves[gone])
        geometry = replace(
            geometry,
            hidden=geometry.hidden[~gone],
            line_node=geometry.line_node[line],
            line_box=geometry.line_box[line],
            line_start=geometry.line_start[line],
            line_length=geometry.line_length[line],
        )
    return replace(page, strings=(*page.strings, ""), text=text, geometry=geometry)
