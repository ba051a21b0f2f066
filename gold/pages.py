"""The page of a corpus with its gold: the input of training and of evaluation."""

from __future__ import annotations

import re
import zlib
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from ..errors import PageFailed
from ..files.bounded_reader import SizeLimitExceeded, gunzip

#: Labels of a page's nodes, rows and text leaves.
CONTENT, BOILERPLATE, UNCERTAIN = 1, 0, -1

#: The suffix of pages that were saved as they were rendered.
SAVED = ".page"
_SITE = re.compile(r"/sites/([^/?#]+)")
_WRAPPER = re.compile(rb"\A\s*<text\b[^>]*>|</text>\s*\Z", re.IGNORECASE)
_SAFE_NAME = re.compile(r"[\w.-]+")
#: Bytes of a page after decompression.
MAX_BYTES = 100_000_000
#: File names may have 255 bytes; this leaves room for a suffix.
_MAX_NAME = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """One post of a forum page, as the page shows it; "" for what it does not show."""

    text: str
    author: str = ""
    date: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedLeaf:
    """The type that annotators gave to a text node of a page."""

    path: str  # Absolute XPath of the element that holds the text, each step with its number
    number: int  # Position among the text nodes of that element, from 1; blank ones count
    prefix: str  # The first characters of its text
    role: str  # In the corpus' own terms, "" if none was given


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPiece:
    """A text of a page whose role is known, and its place in the raw page: leaves, an element, or both."""

    text: str
    role: str  # In the corpus' own terms (:data:`~blocksight.gold.pieces.PIECE_ROLES`)
    kind: str = ""  # More about the role, for example "ingredient" or "search"
    leaves: tuple[int, int] | None = None  # ``[first, last)`` among the text leaves of the parsed page
    path: str = ""  # Absolute XPath of the smallest element that holds the text, each step with its number
    sure: bool = True  # Whether the place is proven, and visible


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldNodes:
    """Labelled nodes of a page in reading order, a column each, or pieces of it."""

    texts: tuple[str, ...] = ()
    labels: tuple[int, ...] = ()  # :data:`CONTENT`, :data:`BOILERPLATE` or :data:`UNCERTAIN`
    roles: tuple[str, ...] = ()  # "" if a node has none; empty if the corpus has no roles of nodes
    pieces: tuple[GoldPiece, ...] = ()  # Nothing is known of the rest of the page


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldSnippets:
    """Short texts that are in the content, and that are not."""

    must_have: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldRoles:
    """Gold from which labeling functions find the roles of blocks."""

    #: As in the corpus, "" if unknown. Titles may contain the name of the site; several authors are one string.
    title: str = ""
    author: str = ""
    date: str = ""
    generated: bool = False  # Whether the page was generated from the gold texts, so that these are exact
    rebuilt: bool = False  # Whether it was rebuilt from the computed styles of another page: boxes without markup
    posts: tuple[Post, ...] = ()  # Of a forum, in page order
    comments: str = ""  # Text of the readers' comments, which are not part of the gold texts
    typed_leaves: tuple[TypedLeaf, ...] = ()  # In document order
    #: Selector (a class or an id) and role, in the corpus' own terms, of boxes outside of the content.
    boxes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldMetadata:
    """Gold of the metadata that extractors return, "" or empty if it is not measured."""

    title: str = ""  # Without the name of the site
    authors: tuple[str, ...] = ()
    date: str = ""  # Day of publication


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldPage:
    """One page of a corpus and its gold; kinds of gold that the corpus does not have are empty."""

    corpus: str
    id: str
    path: Path  # The file with the raw bytes, gzip-compressed if its suffix is ".gz"
    folder: Path = Path()  # Folder of the corpus, from which sites that are kept as a whole are served
    url: str | None = None
    url_path: str | None = None  # For sites that are kept as a whole: the address within the served folder
    domain: str = ""  # Of the address, "" if the corpus does not state it
    encoding: str | None = None  # Of the raw bytes, if the corpus states it
    #: "train", "dev" or "test"; "dev" if neither the corpus nor a list of sites states it, "" if the entry cannot be
    #: read. Only pages that are marked for training are trained on.
    split: str = ""
    kind: str = ""  # Type of the page and language code, "" if the corpus does not state them
    language: str = ""
    text_id: str = ""  # Equal for pages of different sites that show the same text, else ""
    licence: str = ""  # Of the page, "" if unknown
    #: Equally acceptable extractions, the corpus' own first; ``("",)`` means that nothing is content.
    texts: tuple[str, ...] = ()
    snippets: GoldSnippets = GoldSnippets()
    nodes: GoldNodes = GoldNodes()
    roles: GoldRoles = GoldRoles()
    metadata: GoldMetadata = GoldMetadata()
    error: str = ""  # Why the page cannot be used, "" if it can

    @property
    def text(self) -> str:
        """The corpus' own gold text, "" if the gold is of another kind."""
        return self.texts[0] if self.texts else ""

    @property
    def has_gold(self) -> bool:
        """Whether there is gold of any kind that can be measured."""
        labelled = self.texts or self.nodes.texts or self.nodes.pieces or self.snippets != GoldSnippets()
        return bool(labelled or self.metadata != GoldMetadata())

    @property
    def is_partial(self) -> bool:
        """Whether the gold is of pieces only, so that nothing is known of the rest of the page."""
        return bool(self.nodes.pieces) and not self.texts and not self.nodes.texts

    @property
    def base(self) -> str:
        """The base address of relative ones, as far as the corpus states it."""
        return self.url or self.path.name

    @property
    def site(self) -> str:
        """The unit of splitting: ``NAME`` of ``/sites/NAME/...``, else the domain, else the page's name."""
        kept_whole = _SITE.match(self.url_path or "")
        return kept_whole[1] if kept_whole else self.domain or self.name

    @property
    def name(self) -> str:
        """The page's name among those of all corpora."""
        return f"{self.corpus}/{self.id}"

    @property
    def file_name(self) -> str:
        """The stem of files of the page: its id, or a safe form with a checksum if the id is no valid file name."""
        if _SAFE_NAME.fullmatch(self.id) and len(self.id.encode()) <= _MAX_NAME:
            return self.id
        safe = re.sub(r"[^\w.-]+", "_", self.id)[:40]
        return f"{safe}-{zlib.crc32(self.id.encode()):08x}"

    def raw(self) -> bytes:
        """Read the page's bytes without a ``<text>`` around the page (CleanEval); of a saved page, its HTML.

        Raises PageFailed if the file cannot be read or decompressed, PageUnreadable if it is a damaged saved page.
        """
        if self.path.suffix == SAVED:
            from ..page.store import load
            from ..page.to_html import to_html

            return to_html(load(self.path)).encode()
        try:
            data = self.path.read_bytes()
            if self.path.suffix == ".gz":
                data = gunzip(data, max_bytes=MAX_BYTES)
        except (OSError, EOFError, zlib.error, SizeLimitExceeded) as error:
            raise PageFailed(self.path.name, f"the file cannot be read: {error}") from error
        return _WRAPPER.sub(b"", data)


def shuffled(pages: Iterable[GoldPage]) -> list[GoldPage]:
    """Return the pages in a reproducible pseudo-random order."""
    return sorted(pages, key=lambda page: zlib.crc32(page.id.encode()))


def sample(pages: Iterable[GoldPage], limit: int | None = None) -> list[GoldPage]:
    """Choose at most this number of pages reproducibly, in turn from each kind."""
    groups: dict[str, list[GoldPage]] = defaultdict(list)
    for page in shuffled(pages):
        groups[page.kind].append(page)
    turns = zip_longest(*(groups[kind] for kind in sorted(groups)))
    return [page for turn in turns for page in turn if page is not None][:limit]
