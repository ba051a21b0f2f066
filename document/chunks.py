"""Chunks of a document: Markdown, split at its headings for a search index, with their place in text and page."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from typing import Any
from urllib.parse import quote, urldefrag

from ..lexicon.word_lists import entries
from ..lexicon.words import words
from ..page.clean_text import clean
from .block_scores import BlockScore
from .content.content import Content
from .content.markdown_elements import Spans
from .content.markdown_pieces import Piece, joined, pieces_of
from .content.plain_text import paragraph_ranges
from .line_columns import Box, LineColumns, visible

#: A token is a word, a character of a script without spaces, or a symbol; tokenisers of models count some more.
_TOKEN = re.compile(
    r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff"
    r"\u3400-\u9fff\uf900-\ufaff]+|[^\w\s]"
)
#: Words at each end of a passage that its link names, and characters that count as one of them without spaces.
LINK_WORDS, LINK_CHARACTERS = 6, 60
#: The Markdown of a rule between posts, and the address of a link or picture.
_RULE, _ADDRESS = "---", re.compile(r"\]\((\S+?)[ )]")
#: Words that name nothing.
_FUNCTION_WORDS = frozenset(" ".join(entries("function_words")["FUNCTION_WORDS"]).split())
#: Tokens of a chunk by default.
TOKENS = 256


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document: ``text`` is ``document.text[start:end]``, ``markdown`` the same as Markdown."""

    markdown: str
    text: str
    start: int
    end: int
    headings: tuple[str, ...]  # above it, the highest first, after the title of the document
    roles: tuple[str, ...]  # of its paragraphs, each once; () if the system predicts none
    size: int  # tokens of the Markdown, as they were counted
    boxes: tuple[Box, ...]  # (x, y, width, height) of its lines, CSS pixels
    url: str
    link: str  # URL with a text fragment, with which browsers highlight the passage; "" if the page has no URL
    number: int = 0  # its place among the chunks of the document
    authors: tuple[str, ...] = ()  # these three of the document
    published: str = ""
    language: str = ""

    @property
    def embed_text(self) -> str:
        """The text below the headings above it, for an index of meanings."""
        lines = set(self.text.split("\n"))
        above = " > ".join(heading for heading in self.headings if heading not in lines)
        return f"{above}\n\n{self.text}" if above else self.text

    def to_dict(self) -> dict[str, Any]:
        """Return the chunk as plain values."""
        return asdict(self) | {
            "embed_text": self.embed_text,
            "headings": list(self.headings),
            "roles": list(self.roles),
            "authors": list(self.authors),
            "boxes": [list(box) for box in self.boxes],
        }


def count_tokens(text: str) -> int:
    """Return the number of words, symbols, and characters of scripts without spaces.

    >>> count_tokens("Boil water."), count_tokens("水を")
    (3, 2)
    """
    return sum(1 for _ in _TOKEN.finditer(text))


def estimate_tokens(text: str) -> int:
    """Return an estimate of a model's tokens: words and symbols, at least one for each four bytes.

    >>> estimate_tokens("Boil water."), estimate_tokens("internationalization")
    (3, 5)
    """
    return max(count_tokens(text), -(-len(text.encode()) // 4))


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkLimit:
    """The most tokens of a chunk, as ``count`` counts them."""

    most: int
    count: Callable[[str], int]

    def fits(self, text: str) -> bool:
        """Return whether a text has room."""
        if self.count is count_tokens:  # no token is shorter than a character
            return len(text) <= self.most or next(islice(_TOKEN.finditer(text), self.most, None), None) is None
        return self.count(text) <= self.most


def chunk_limit(tokens: int | None = None, count: Callable[[str], int] | None = None) -> ChunkLimit:
    """Return the limit of chunks; ValueError for one below 1."""
    most = TOKENS if tokens is None else tokens
    if most < 1:
        raise ValueError(f"a chunk must have room for 1 at least, not {most}")
    return ChunkLimit(most=most, count=count or count_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkSource:
    """The parts of a document that chunks are made of."""

    content: Content
    text: str
    blocks: Sequence[BlockScore]
    lines: LineColumns
    title: str
    url: str
    authors: tuple[str, ...]
    published: str
    language: str
    spans: Spans

    def chunks(self, limit: ChunkLimit) -> tuple[Chunk, ...]:
        """Split the document. See :meth:`~blocksight.document.document.Document.chunks`."""
        ranges = paragraph_ranges(self.content)
        # The ranges of the paragraphs follow each other.
        starts, ends = [start for start, _ in ranges], [end for _, end in ranges]
        pieces = pieces_of(self.content, limit.fits, self.spans)
        posts = [ranges[paragraph][0] for paragraph in self.content.posts]
        sections = self._sections(pieces)
        groups = ((headings, group) for headings, section in sections for group in _groups(section, limit, posts))
        return tuple(
            self._chunk(number, group, headings, (starts, ends), limit)
            for number, (headings, group) in enumerate(groups)
        )

    def _chunk(
        self,
        number: int,
        group: list[Piece],
        headings: tuple[str, ...],
        ranges: tuple[list[int], list[int]],
        limit: ChunkLimit,
    ) -> Chunk:
        # A picture before a text has no place in it.
        start, end = next((one.start for one in group if one.end > one.start), group[0].start), group[-1].end
        firsts, lasts = ranges
        inside = range(bisect_right(lasts, start), bisect_left(firsts, end))
        passages = [self.text[max(start, firsts[n]) : min(end, lasts[n])] for n in inside]
        markdown = joined(group)
        return Chunk(
            markdown=markdown,
            text=self.text[start:end],
            start=start,
            end=end,
            headings=headings,
            roles=tuple(dict.fromkeys(role for n in inside if (role := self.blocks[n].role) is not None)),
            size=limit.count(markdown),
            boxes=visible(box for n in inside for box in self._boxes(n, (firsts[n], lasts[n]), start, end)),
            url=self.url,
            link=text_link(self.url, passages),
            number=number,
            authors=self.authors,
            published=self.published,
            language=self.language,
        )

    def _boxes(self, paragraph: int, around: tuple[int, int], start: int, end: int) -> list[Box]:
        first, last = around
        if start <= first and last <= end:
            return self.lines.boxes(paragraph)
        before = "".join(self.text[first : max(first, start)].split())
        inside = "".join(self.text[max(first, start) : min(last, end)].split())
        return self.lines.boxes(paragraph, (len(before), len(before) + len(inside)))

    def _sections(self, pieces: list[Piece]) -> Iterator[tuple[tuple[str, ...], list[Piece]]]:
        """Yield the pieces of each section with the headings above it; consecutive headings share a section."""
        path: list[tuple[int, str]] = [(0, self.title)] if self.title else []
        section: list[Piece] = []
        texts = 0  # of its pieces, those that are no headings
        for piece in pieces:
            if piece.level:
                pictures = _pictures_of(section, piece)
                if texts > pictures:
                    yield _names(path), section[: len(section) - pictures]
                    section, texts = section[len(section) - pictures :], pictures
                heading = clean(self.text[piece.start : piece.end])
                path = [*[above for above in path if above[0] < piece.level], (piece.level, heading)]
            section.append(piece)
            texts += not piece.level
        if section:
            yield _names(path), section


def _pictures_of(section: list[Piece], heading: Piece) -> int:
    """Return how many pictures at the end of a section are of the heading behind them: by link or first word."""
    address, first = _ADDRESS.findall(heading.markdown)[-1:], words(heading.markdown)[:1]
    number = 0
    while number < len(section):
        last = section[-1 - number]
        leads = address and _ADDRESS.findall(last.markdown)[-1:] == address
        named = first and first[0] not in _FUNCTION_WORDS and first[0] in words(last.markdown.replace("_", " "))
        if last.end > last.start or not (leads or named):
            break
        number += 1
    return number


def _groups(section: list[Piece], limit: ChunkLimit, posts: Sequence[int]) -> Iterator[list[Piece]]:
    """Yield successive pieces that fit together; ``posts`` are where posts start, which stay whole if they fit.

    A part of a block is joined with no other part of it.
    """
    whole: list[list[Piece]] = [[]]
    for piece in section:
        if whole[-1] and bisect_left(posts, piece.start) < bisect_left(posts, piece.end):
            whole.append([])
        whole[-1].append(piece)
    parts = [part for post in whole for part in _fitting(_below_labels(post, limit), limit)]
    for group in _fitting(parts, limit):
        inside = [n for n, piece in enumerate(group) if piece.markdown != _RULE]
        if inside:
            yield group[inside[0] : inside[-1] + 1]


def _below_labels(pieces: list[Piece], limit: ChunkLimit) -> list[list[Piece]]:
    """Return the pieces, each with the headings and labels right above it, unless only together they are too long."""
    parts: list[list[Piece]] = []
    for piece in reversed(pieces):
        behind = parts[-1] if parts else []
        fits = limit.fits(joined([piece, *behind])) or (len(behind) == 1 and not limit.fits(behind[0].markdown))
        if piece.is_label and behind and fits and not behind[0].continues:
            behind.insert(0, piece)
        else:
            parts.append([piece])
    return parts[::-1]


def _fitting(parts: list[list[Piece]], limit: ChunkLimit) -> Iterator[list[Piece]]:
    """Yield successive parts joined as far as they fit."""
    group: list[Piece] = []
    for part in parts:
        if group and (part[0].continues or not limit.fits(joined([*group, *part]))):
            yield group
            group = []
        group = [*group, *part]
    if group:
        yield group


def _names(path: list[tuple[int, str]]) -> tuple[str, ...]:
    """Return the headings; one that repeats the heading above it is dropped."""
    names = [name for _, name in path]
    return tuple(name for above, name in pairwise(["", *names]) if name.casefold() != above.casefold())


def text_link(url: str, paragraphs: Sequence[str]) -> str:
    """Return the URL with the text fragment of a passage.

    The fragment consists of the first and the last words, or of all if there are few. Each part must be within one
    paragraph of the page ("URL Fragment Text Directives", WICG 2023), so they are from the first and the last
    paragraph.
    """
    passages = [clean(paragraph) for paragraph in paragraphs if paragraph.strip()]
    if not passages or not url.startswith(("http://", "https://")):
        return ""
    address, fragment = urldefrag(url)
    first, last = _end(passages[0], front=True), _end(passages[-1], front=False)
    whole = len(passages) == 1 and len(passages[0]) <= len(first) + len(last)
    directive = _encoded(passages[0]) if whole else f"{_encoded(first)},{_encoded(last)}"
    return f"{address}#{fragment}:~:text={directive}"


def _end(text: str, *, front: bool) -> str:
    words = text.split(" ")
    if front:
        return " ".join(words[:LINK_WORDS])[:LINK_CHARACTERS]
    return " ".join(words[-LINK_WORDS:])[-LINK_CHARACTERS:]


def _encoded(text: str) -> str:
    """Percent-encode text, with the hyphens and commas that separate the parts of a fragment."""
    return quote(text, safe="").replace("-", "%2D")
