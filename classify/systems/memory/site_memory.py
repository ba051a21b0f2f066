"""Site memory: what recurs on the pages of one site is none of a page's content.

NewsFeed's thesis (section 2.4.4.1) names it as its open problem: on some sites a long copyright notice is taken for
the article, or comes along with it, and only the other pages of that site can show it. Here the lines of text of the
pages seen so far are counted, site by site, and lines that recur are taken out of what a system has marked; copyright
notices as soon as they are seen a second time.

Kept are hashes and counts, no text, and no more of them than a given number.
"""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from math import isfinite
from pathlib import Path

import numpy as np

from ....document.metadata.urls import site_of
from ....errors import BlocksightError, ModelMismatch
from ....files.npz import FileKind, read_npz, write_npz
from ....lexicon.words import count_unspaced, count_words, words
from ....page.arrays import Marks
from ....page.page import Page
from ....page.parse import parse
from ....page.store import load as load_page
from ..reading.counts import Lines, lines_of_text

KIND = FileKind(
    format="blocksight-site-memory",
    version=1,
    title="site memory",
    remedy="let a SiteMemory learn the pages of the site, and save it",
)
#: The arguments of a memory, as they stand in its file.
_SETTINGS = ("least_pages", "least_share", "least_words", "notice_pages", "capacity")
#: What copyright notices say.
_COPYRIGHT = re.compile(
    r"©|\(c\)\s*\d{4}|\bcopyright\b|all rights reserved|alle rechte vorbehalten|tous droits réservés"
    r"|todos los derechos|todos os direitos|tutti i diritti|tots els drets|alle rechten voorbehouden"
    r"|všechna práva|všetky práva|wszelkie prawa|minden jog|toate drepturile|все права защищены|усі права"
    r"|με επιφύλαξη|tüm hakları|版权所有|版權所有|不得转载|不得轉載|著作権|無断転載|저작권|무단 ?전재|حقوق",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")


class SiteMemory:
    """Rows on how many pages of its site each line of text stands.

    Parameters
    ----------
    least_pages : int
        A line recurs if it has been seen on this number of other pages of the site,
    least_share : float
        and on this share of all of them.
    least_words : int
        Shorter lines do not count: headings such as "Ingredients" recur, too. In scripts without spaces a word is two
        characters.
    notice_pages : int
        The same for copyright notices, whatever their share and length.
    capacity : int
        The most entries that are kept. When there are more, half of them go: those seen on fewest pages, and of these
        the oldest.

    Examples
    --------
    >>> memory = SiteMemory()
    >>> for text in ("Rain in the north", "Sun in the south"):
    ...     page = parse(f"<p>{text}</p><p>Copyright 2024 The Paper</p>", url=f"http://paper.example/{len(text)}")
    ...     print(memory.recurring(page).tolist())
    ...     memory.learn(page)
    [False, False]
    [False, True]
    """

    def __init__(
        self,
        *,
        least_pages: int = 3,
        least_share: float = 0.3,
        least_words: int = 5,
        notice_pages: int = 1,
        capacity: int = 200_000,
    ) -> None:
        if least_pages < 1 or notice_pages < 1:
            raise ValueError("a line recurs on one other page at least: least_pages and notice_pages must be above 0")
        if capacity < 2:
            raise ValueError(f"capacity must be 2 at least, not {capacity}")
        self.least_pages = least_pages
        self.least_share = least_share
        self.least_words = least_words
        self.notice_pages = notice_pages
        self.capacity = capacity
        #: Pages by the hash of site and line, of the site, and of the page; the one changed last stands last.
        self._counts: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._counts)

    def become(self, other: SiteMemory) -> None:
        """Know what another memory knows, and forget the rest."""
        self._counts = dict(other._counts)

    def learn(self, page: Page, *, site: str | None = None) -> None:
        """Count the lines of a page; one whose address is known, or text where it has none, changes nothing.

        Parameters
        ----------
        page : Page
        site : str, optional
            By default the host in the page's address.
        """
        site = site_of(page) if site is None else site
        keys = _line_keys(lines_of_text(page), site)
        if self._add(_page_key(page, site, keys)):
            self._add(_key("site", site))
            for key in dict.fromkeys(key for key in keys if key):
                self._counts[key] = self._counts.pop(key, 0) + 1
        if len(self._counts) > self.capacity:
            self._forget()

    def learn_folder(self, folder: Path, *, site: str | None = None) -> dict[Path, BlocksightError]:
        """Learn from the saved pages (``*.page``) and HTML files of a folder, and of those in it.

        Parameters
        ----------
        folder : Path
        site : str, optional
            By default the host in each page's address; for HTML files, which have none, the name of their folder.

        Returns
        -------
        dict
            The files that could not be read, and why not.

        Raises
        ------
        FileNotFoundError
            When there is no such folder.
        """
        if not folder.is_dir():
            raise FileNotFoundError(f"there is no folder {folder}")
        unread: dict[Path, BlocksightError] = {}
        for path in sorted(folder.rglob("*")):
            if path.suffix not in {".page", ".html", ".htm"} or not path.is_file():
                continue
            try:
                saved = path.suffix == ".page"
                page = load_page(path) if saved else parse(path.read_bytes(), url=path.as_uri())
            except BlocksightError as error:
                unread[path] = error
            else:
                self.learn(page, site=site if site is not None or saved else path.parent.name)
        return unread

    def recurring(self, page: Page, *, site: str | None = None) -> Marks:
        """Mark the text leaves of lines that stand on other pages of the site, too.

        Parameters
        ----------
        page : Page
            Whether it has been learnt itself makes no difference.
        site : str, optional
            By default the host in the page's address.

        Returns
        -------
        bool (leaves,)
        """
        site = site_of(page) if site is None else site
        lines = lines_of_text(page)
        keys = _line_keys(lines, site)
        itself = int(_page_key(page, site, keys) in self._counts)
        pages = self._counts.get(_key("site", site), 0) - itself
        found = np.zeros(len(lines), dtype=bool)
        for index, (text, key) in enumerate(zip(lines.texts, keys, strict=True)):
            others = self._counts.get(key, 0) - itself
            usual = others >= self.least_pages and others >= self.least_share * pages
            notice = others >= self.notice_pages and bool(_COPYRIGHT.search(text))
            found[index] = notice or (usual and count_words(text) - count_unspaced(text) / 2 >= self.least_words)
        return lines.marks(found)

    def clean(self, page: Page, marks: Marks, *, site: str | None = None) -> Marks:
        """Take what recurs out of what is marked."""
        cleaned: Marks = marks & ~self.recurring(page, site=site)
        return cleaned

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the memory to one file of plain numbers (npz)."""
        arrays = {
            "keys": np.fromiter(self._counts, dtype=np.uint64, count=len(self)),
            "pages": np.fromiter(self._counts.values(), dtype=np.int64, count=len(self)),
        }
        write_npz(path, KIND, {name: getattr(self, name) for name in _SETTINGS}, arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> SiteMemory:
        """Read a memory that was saved.

        Raises
        ------
        ModelMismatch
            When the file holds no site memory; ModelMissing when there is no such file.
        """
        head, arrays = read_npz(path, KIND)
        try:
            settings = {name: head[name] for name in _SETTINGS}
            if not all(isinstance(value, (int, float)) and isfinite(value) for value in settings.values()):
                raise ValueError("settings that are no numbers")
            memory = cls(**settings)
            keys, pages = arrays["keys"], arrays["pages"]
            if keys.dtype != np.uint64 or pages.dtype != np.int64 or keys.ndim != 1 or (pages < 0).any():
                raise ValueError("counts that are none")
            memory._counts = dict(zip(keys.tolist(), pages.tolist(), strict=True))
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelMismatch(f"{os.fsdecode(path)}: this site memory is damaged; {KIND.remedy}") from error
        return memory

    def _add(self, key: int) -> bool:
        """Count a key; return whether it is new."""
        new = key not in self._counts
        self._counts[key] = self._counts.pop(key, 0) + 1
        return new

    def _forget(self) -> None:
        """Keep half of the capacity: what was seen on most pages, and of equals the latest."""
        order = np.argsort(np.fromiter(self._counts.values(), dtype=np.int64), kind="stable")
        kept = set(order[-(self.capacity // 2) :].tolist())
        self._counts = {key: pages for place, (key, pages) in enumerate(self._counts.items()) if place in kept}


def _line_keys(lines: Lines, site: str) -> list[int]:
    """Hash of site and text for each line, 0 for lines without words; in notices numbers are all one: years change."""
    said = [words(_DIGITS.sub("0", text) if _COPYRIGHT.search(text) else text) for text in lines.texts]
    return [_key("line", site, *found) if found else 0 for found in said]


def _page_key(page: Page, site: str, keys: list[int]) -> int:
    return _key("page", site, page.url if site_of(page) else " ".join(map(str, keys)))


def _key(*parts: str) -> int:
    return int.from_bytes(blake2b("\0".join(parts).encode("utf-8", "replace"), digest_size=8).digest(), "little")
