"""A page as MSS reads it (Pasternack and Roth, WWW 2009, sections 5.2 and 6.2): tags, words and symbols.

Words are Porter-stemmed, numbers become "1", every tag has the most recent tag that is still open beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ....lexicon.words import words_and_symbols
from ....page.arrays import BoolColumn, IntColumn, Marks
from ....page.page import Page
from ..learning.hashing import Hashes, token_hash
from ..reading.stream import Stream, stream_of

#: What tags that only one source uses become.
UNKNOWN = token_hash("<UNKNOWN>")
NUMBER = "1"


@dataclass(frozen=True, kw_only=True, eq=False)
class Tokens:
    """The tokens of a page, in the order of the source.

    Attributes
    ----------
    id : uint32 (tokens,)
        Hash of the stem, the symbol, or the tag with its bracket ("<p", "</p").
    unclosed : uint32 (tokens,)
        Hash of the most recent tag that is open before the token, 0 where none is. An element without an end tag stays
        open until an element around it closes.
    leaf : int32 (tokens,)
        The text leaf, -1 for a tag.
    row : int32 (tokens,)
        The page's node.
    event : int64 (tokens,)
        The event of the page's stream (:mod:`.stream`).
    leaves : int
        How many text leaves the page has.
    """

    id: Hashes
    unclosed: Hashes
    leaf: IntColumn
    row: IntColumn
    event: NDArray[np.int64]
    leaves: int

    def __len__(self) -> int:
        return len(self.id)

    @property
    def is_tag(self) -> BoolColumn:
        """bool (tokens,)."""
        return self.leaf < 0

    def with_tags(self, common: Hashes) -> Tokens:
        """Return the same tokens with all tags but the common ones unknown."""
        rare = self.is_tag & ~np.isin(self.id, common)
        return replace(self, id=np.where(rare, np.uint32(UNKNOWN), self.id))

    def without(self, rows: BoolColumn) -> Tokens:
        """Leave out the tokens of some of the page's nodes."""
        kept = ~rows[self.row]
        return Tokens(
            id=self.id[kept],
            unclosed=self.unclosed[kept],
            leaf=self.leaf[kept],
            row=self.row[kept],
            event=self.event[kept],
            leaves=self.leaves,
        )

    def marks(self, start: int, stop: int) -> Marks:
        """Mark the leaves most of whose tokens lie in ``[start, stop)``."""
        text = self.leaf[self.leaf >= 0]
        inside = self.leaf[start:stop]
        all_tokens = np.bincount(text, minlength=self.leaves)
        marks: Marks = np.bincount(inside[inside >= 0], minlength=self.leaves) * 2 > all_tokens
        return marks


def tokens_of(page: Page) -> Tokens:
    """Read a page as tokens; scripts, styles and hidden text are left out."""
    stream = stream_of(page)
    text_ids = [_text_ids(text) for text in page.leaf_texts]
    text_size = np.asarray([*map(len, text_ids), 1], dtype=np.int64)
    size = text_size[stream.leaf]
    ids = np.repeat(_tag_ids(page, stream), size)
    leaf = np.repeat(stream.leaf, size)
    ids[leaf >= 0] = np.concatenate([text_ids[at] for at in stream.leaf[stream.leaf >= 0].tolist()] or [[]])
    return Tokens(
        id=ids,
        unclosed=np.repeat(_unclosed(page, stream), size),
        leaf=leaf,
        row=np.repeat(stream.row, size),
        event=np.repeat(np.arange(len(stream)), size),
        leaves=stream.leaves,
    )


@lru_cache(maxsize=1 << 18)
def stem(token: str) -> str:
    """Return a word's Porter stem; numbers are all the same.

    >>> stem("running"), stem("1984"), stem("?")
    ('run', '1', '?')
    """
    from snowballstemmer import stemmer

    # A stemmer keeps the word it works on: one shared by threads would mix them up.
    return NUMBER if token.isnumeric() else str(stemmer("porter").stemWord(token))


def _text_ids(text: str) -> Hashes:
    return np.asarray([token_hash(stem(token)) for token in words_and_symbols(text)], dtype=np.uint32)


def _tag_ids(page: Page, stream: Stream) -> Hashes:
    opening = np.asarray([token_hash(f"<{name}") for name in page.names], dtype=np.uint32)
    closing = np.asarray([token_hash(f"</{name}") for name in page.names], dtype=np.uint32)
    tag = page.tag[stream.row]
    return np.where(stream.opens, opening[tag], closing[tag])


def _unclosed(page: Page, stream: Stream) -> Hashes:
    """Walk the stream with a stack: a closing tag takes away what was opened since its opening one."""
    names = [token_hash(name) for name in page.names]
    tags = page.tag.tolist()
    opened: list[int] = []
    found: list[int] = []
    for row, leaf, opens in zip(stream.row.tolist(), stream.leaf.tolist(), stream.opens.tolist(), strict=True):
        found.append(names[tags[opened[-1]]] if opened else 0)
        if opens:
            opened.append(row)
        elif leaf < 0:
            while opened.pop() != row:
                pass
    return np.asarray(found, dtype=np.uint32)
