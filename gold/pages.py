"""A page of a corpus and what people say of its content: what training and evaluation both start from."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from ..errors import PageFailed
from ..files.bounded_reader import SizeLimitExceeded, gunzip

#: Labels of a page's nodes, rows and text leaves.
CONTENT, BOILERPLATE, UNCERTAIN = 1, 0, -1

#: The ending of pages that were saved as they were rendered.
SAVED = ".page"
_SITE = re.compile(r"/sites/([^/?#]+)")
_WRAPPER = re.compile(rb"\A\s*<text\b[^>]*>|</text>\s*\Z", re.IGNORECASE)
_PLAIN = re.compile(r"[\w.-]+")
#: Bytes of a page, unpacked.
MOST_BYTES = 100_000_000
#: Names of files may have 255 bytes; an ending has to fit, too.
_LONGEST_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """One post of a forum's page.

    Attributes
    ----------
    text, author, date : str
        As the page shows them, "" where it does not.
    """

    text: str
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeafRole:
    """What people call a text node of a page.

    Attributes
    ----------
    path : str
        XPath of the element that it stands in, absolute, each step with its number.
    number : int
        Its place among the text nodes of that element, from 1; blank ones count.
    beginning : str
        How its text begins.
    role : str
        In the corpus' own words, "" where nobody said.
    """

    path: str
    number: int
    beginning: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteRules:
    """What hand-written rules of a page's site call its parts.

    Attributes
    ----------
    tier : str
        "A" where they are good enough to judge by, "B" and "C" where they are not.
    body, title, author, date : str
        The text without the others; "" for what the rules do not say.
    """

    tier: str = ""
    body: str = ""
    title: str = ""
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPage:
    """One page of a corpus and its gold; parts of the gold that the corpus does not have are empty.

    Attributes
    ----------
    corpus, id : str
    path : Path
        The file with the raw bytes, packed by gzip where its name says so.
    folder : Path
        Of the corpus; sites kept as a whole are served from there.
    url : str or None
    url_path : str or None
        For sites kept as a whole: the address within the folder, when that is served.
    domain : str
        Of the address where the corpus knows it, else "".
    encoding : str or None
        To read the bytes with, where the corpus knows.
    split : str
        "train", "dev" or "test"; "dev" where neither the corpus nor a list of sites says, "" where an entry cannot be
        read. What is not plainly meant for training is not trained on.
    kind, language : str
        Type of the page and code of its language where the corpus knows them, else "".
    text_id : str
        The same for pages of different sites that show the same text, else "".
    texts : tuple of str
        Extractions that are all acceptable, the corpus' own first; ``("",)`` says that nothing is content.
    markup : str
        The text with ``<h>``, ``<p>``, ``<l>`` before its segments.
    must_have, must_not : tuple of str
        Snippets that the content holds and does not hold.
    node_texts : tuple of str
        Texts of the page's nodes in reading order, each labelled for itself.
    node_labels : tuple of int
        Of those: :data:`CONTENT`, :data:`BOILERPLATE` or :data:`UNCERTAIN`.
    node_roles : tuple of str
        The role of each, "" where none was said; empty where the corpus knows no roles of nodes.
    title, author, date : str
        As the corpus knows them, "" where it does not: witnesses look for them on the page. Titles may carry the name
        of the site, several authors stand in one text.
    licence : str
        Of the page, "" where none is known.
    exact : bool
        Whether the texts are those that the page was made from, so that nothing of them is anybody's opinion.
    posts : tuple of Post
        Of a forum, in the page's order.
    comments : str
        Text of the readers' comments; they are no part of the texts.
    leaf_roles : tuple of LeafRole
        In document order.
    rules : SiteRules
    content_markdown, content_html : str
        The content with its structure, "" where the corpus has it in another form.
    element : str
        XPath of the element of the raw page that holds the content.
    structure : tuple of (str, object)
        Facts of the structure by kind (:func:`~blocksight.gold.gold_structure.facts_stated`).
    shown_title, shown_date : str
        Gold of what an extractor says of the page, "" where that is not measured: the title without the name of the
        site, the day of publication.
    shown_authors : tuple of str
        The same for its authors.
    error : str
        Why the page cannot be used, "" if it can.
    """

    corpus: str
    id: str
    path: Path
    folder: Path = Path()
    url: str | None = None
    url_path: str | None = None
    domain: str = ""
    encoding: str | None = None
    split: str = ""
    kind: str = ""
    language: str = ""
    text_id: str = ""
    texts: tuple[str, ...] = ()
    markup: str = ""
    must_have: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    node_texts: tuple[str, ...] = ()
    node_labels: tuple[int, ...] = ()
    node_roles: tuple[str, ...] = ()
    title: str = ""
    author: str = ""
    date: str = ""
    licence: str = ""
    exact: bool = False
    posts: tuple[Post, ...] = ()
    comments: str = ""
    leaf_roles: tuple[LeafRole, ...] = ()
    rules: SiteRules = SiteRules()
    content_markdown: str = ""
    content_html: str = ""
    element: str = ""
    structure: tuple[tuple[str, object], ...] = field(default=(), hash=False)
    shown_title: str = ""
    shown_authors: tuple[str, ...] = ()
    shown_date: str = ""
    error: str = ""

    @property
    def text(self) -> str:
        """The corpus' own gold text, "" where the gold is of another kind."""
        return self.texts[0] if self.texts else ""

    @property
    def has_gold(self) -> bool:
        """Whether the corpus says anything of the page's content."""
        labelled = self.texts or self.must_have or self.must_not or self.node_texts
        return bool(labelled or self.states_structure or self.shown_title or self.shown_authors or self.shown_date)

    @property
    def states_structure(self) -> bool:
        """Whether the corpus says anything of the content's structure."""
        in_page = bool(self.element and self.texts)
        return bool(self.structure or self.content_markdown or self.content_html or in_page)

    @property
    def base(self) -> str:
        """The address that relative ones start from, as far as the corpus knows it."""
        return self.url or self.path.name

    @property
    def site(self) -> str:
        """By which pages are kept together when they are split: ``NAME`` of ``/sites/NAME/...``, else the domain."""
        kept_whole = _SITE.match(self.url_path or "")
        return kept_whole[1] if kept_whole else self.domain or self.name

    @property
    def name(self) -> str:
        """By which the page is called among those of other corpora."""
        return f"{self.corpus}/{self.id}"

    @property
    def file_name(self) -> str:
        """How files of the page are called, without an ending: its id, made plain where that is no name of a file."""
        if _PLAIN.fullmatch(self.id) and len(self.id.encode()) <= _LONGEST_NAME:
            return self.id
        plain = re.sub(r"[^\w.-]+", "_", self.id)[:40]
        return f"{plain}-{zlib.crc32(self.id.encode()):08x}"

    def raw(self) -> bytes:
        """Read the page's bytes; a ``<text>`` around the page, as CleanEval has it, is left out.

        Of a page that was saved, they are its HTML as it was when it was rendered.

        Raises
        ------
        PageFailed
            When the file cannot be read or unpacked; PageUnreadable when it is a damaged saved page.
        """
        if self.path.suffix == SAVED:
            from ..page.store import load
            from ..page.to_html import to_html

            return to_html(load(self.path)).encode()
        try:
            data = self.path.read_bytes()
            if self.path.suffix == ".gz":
                data = gunzip(data, max_bytes=MOST_BYTES)
        except (OSError, EOFError, zlib.error, SizeLimitExceeded) as error:
            raise PageFailed(self.path.name, f"the file cannot be read: {error}") from error
        return _WRAPPER.sub(b"", data)


def shuffled(pages: Iterable[GoldPage]) -> list[GoldPage]:
    """Return the pages in an order that has nothing to do with theirs and is the same every time."""
    return sorted(pages, key=lambda page: zlib.crc32(page.id.encode()))


def sample(pages: Iterable[GoldPage], limit: int | None = None) -> list[GoldPage]:
    """Choose at most this many pages, the same ones every time, in turn from each kind."""
    groups: dict[str, list[GoldPage]] = defaultdict(list)
    for page in shuffled(pages):
        groups[page.kind].append(page)
    turns = zip_longest(*(groups[kind] for kind in sorted(groups)))
    return [page for turn in turns for page in turn if page is not None][:limit]
