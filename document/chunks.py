"""Chunks of a document, split at its headings for a search index, with their position in the text and on the page."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, pairwise
from typing import Any
from urllib.parse import quote, urldefrag

from .block_scores import BlockScore
from .content.content import Content
from .content.plain_text import paragraph_ranges
from .metadata.clean_text import clean

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
#: A token is a word, a character of a script without spaces, or a symbol; tokenisers of models count some more.
_TOKEN = re.compile(
    r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\W\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff"
    r"\u3400-\u9fff\uf900-\ufaff]+|[^\w\s]"
)
#: Separators at which a section is split: paragraphs, lines, sentences, words; at last characters.
_CUTS = (r"\n{2,}", r"\n", r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])", r"\s+", r"(?<=.)(?=.)")
#: Words at each end of a passage that its link names, and characters that count as one of them without spaces.
LINK_WORDS, LINK_CHARACTERS = 6, 60
#: Tokens of a chunk by default.
TOKENS = 256

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage of a document: ``text`` is ``document.text[start:end]``."""

    text: str
    start: int
    end: int
    headings: tuple[str, ...]  # above it, the highest first, after the title of the document
    boxes: tuple[tuple[float, float, float, float], ...]  # (x, y, width, height) of its paragraphs, CSS pixels
    url: str
    link: str  # URL with a text fragment, with which browsers highlight the passage; "" if the page has no URL

    def to_dict(self) -> dict[str, Any]:
        """Return the chunk as plain values."""
        return asdict(self) | {"headings": list(self.headings), "boxes": [list(box) for box in self.boxes]}


def count_tokens(text: str) -> int:
    """Return the number of words, symbols, and characters of scripts without spaces.

    >>> count_tokens("Boil water."), count_tokens("水を")
    (3, 2)
    """
    return sum(1 for _ in _TOKEN.finditer(text))


def chunks(
    content: Content,
    text: str,
    blocks: Sequence[BlockScore],
    *,
    title: str,
    url: str,
    tokens: int | None = None,
    characters: int | None = None,
    count: Callable[[str], int] | None = None,
) -> tuple[Chunk, ...]:
    """Split the text of a document into chunks. See :meth:`~blocksight.document.document.Document.chunks`."""
    if tokens is not None and characters is not None:
        raise ValueError("tokens or characters, not both")
    if characters is not None and count is not None:
        raise ValueError("count counts tokens: say tokens, not characters")
    most = characters if characters is not None else TOKENS if tokens is None else tokens
    if most < 1:
        raise ValueError(f"a chunk must have room for 1 at least, not {most}")
    cutter = _Cutter(text, most, by_characters=characters is not None, count=count)
    ranges = paragraph_ranges(content)
    # They follow each other.
    firsts, lasts = [first for first, _ in ranges], [last for _, last in ranges]
    found = []
    posts = [firsts[index] for index in content.posts]
    for headings, section in _sections(content, ranges, len(text), title):
        for start, end in cutter.cut_at(posts, section):
            inside = range(bisect_right(lasts, start), bisect_left(firsts, end))
            boxes = tuple(dict.fromkeys(box for n in inside if (box := blocks[n].box) is not None))
            passages = [text[max(start, ranges[n][0]) : min(end, ranges[n][1])] for n in inside]
            link = text_link(url, passages)
            found.append(Chunk(text[start:end], start, end, headings, boxes, url, link))
    return tuple(found)


def _sections(content: Content, ranges: list[Range], end: int, title: str) -> Iterator[tuple[tuple[str, ...], Range]]:
    """Yield the range of each section with the headings above it; consecutive headings share a section."""
    path: list[tuple[int, str]] = [(0, title)] if title else []
    start, bare = 0, True
    for tag, paragraph, (first, _) in zip(content.tags, content.paragraphs, ranges, strict=True):
        level = _HEADINGS.get(tag)
        if level is None:
            bare = False
            continue
        if not bare:
            yield _names(path), (start, first)
            start, bare = first, True
        passages = clean(paragraph.text)
        path = [*[above for above in path if above[0] < level], (level, passages)]
    yield _names(path), (start, end)


def _names(path: list[tuple[int, str]]) -> tuple[str, ...]:
    """Return the headings; one that repeats the heading above it is dropped."""
    names = [name for _, name in path]
    return tuple(name for above, name in pairwise(["", *names]) if name.casefold() != above.casefold())


@dataclass(frozen=True, slots=True)
class _Cutter:
    """Splits ranges of a text at the best separators until each fits, and no more often than necessary."""

    text: str
    most: int
    by_characters: bool
    count: Callable[[str], int] | None = None

    def cut_at(self, posts: Sequence[int], section: Range) -> list[Range]:
        """Return the ranges in order, with whole posts as far as they fit; ``posts`` are where they start."""
        start, end = section
        ends = [*(post for post in posts if start < post < end), end]
        return self._joined(self.cut(piece) for piece in pairwise([start, *ends]))

    def cut(self, section: Range, way: int = 0) -> list[Range]:
        """Return the ranges in order, without white space at their ends."""
        start, end = self._trimmed(section)
        if start >= end or self._fits(start, end) or way == len(_CUTS):
            return [(start, end)] if start < end else []
        return self._joined(self.cut(piece, way + 1) for piece in self._pieces(start, end, _CUTS[way]))

    def _joined(self, pieces: Iterable[list[Range]]) -> list[Range]:
        """Join ranges as far as they fit."""
        ranges: list[Range] = []
        for first, last in chain.from_iterable(pieces):
            if ranges and self._fits(ranges[-1][0], last):
                ranges[-1] = (ranges[-1][0], last)
            else:
                ranges.append((first, last))
        return ranges

    def _pieces(self, start: int, end: int, sign: str) -> Iterator[Range]:
        for between in re.compile(sign).finditer(self.text, start, end):
            yield start, between.end()
            start = between.end()
        yield start, end

    def _fits(self, start: int, end: int) -> bool:
        if self.count is not None:
            return self.count(self.text[start:end]) <= self.most
        if self.by_characters or end - start <= self.most:
            return end - start <= self.most
        return count_tokens(self.text[start:end]) <= self.most

    def _trimmed(self, section: Range) -> Range:
        text = self.text[slice(*section)]
        start = section[0] + len(text) - len(text.lstrip())
        return start, start + len(text.strip())


def boxes_of(
    content: Content, text: str, blocks: Sequence[BlockScore], quote: str
) -> tuple[tuple[float, float, float, float], ...]:
    """Return the boxes of a quotation. See :meth:`~blocksight.document.document.Document.locate`."""
    words = [re.escape(word) for word in quote.split()]
    found = re.search(r"\s+".join(words), text) if words else None
    if found is None:
        return ()
    inside = [
        n for n, (first, last) in enumerate(paragraph_ranges(content)) if first < found.end() and last > found.start()
    ]
    return tuple(dict.fromkeys(box for n in inside if (box := blocks[n].box) is not None))


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
