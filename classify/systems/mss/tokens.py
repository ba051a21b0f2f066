"""The tokens of MSS (Pasternack and Roth, WWW 2009, sections 5.2 and 6.2): tags, words and symbols.

Words are Porter-stemmed, numbers replaced by "1"; each token has the most recent tag that is still open. The paper does
not define numbers. Ours: a run of digits is one, so that "3.5" is the three tokens "1", "." and "1".
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
from ..linear_page import Stream, stream_of

#: Replacement of tags that only one source uses.
UNKNOWN = token_hash("<UNKNOWN>")
NUMBER = "1"


@dataclass(frozen=True, kw_only=True, eq=False)
class Tokens:
    """The tokens of a page, in document order."""

    id: Hashes  # uint32 (tokens,): hash of the stem, the symbol, or the tag with its bracket ("<p", "</p")
    #: uint32 (tokens,): ``id`` of the most recent start tag that is unclosed before the token, 0 for none. An element
    #: without an end tag is open until an element around it closes.
    unclosed: Hashes
    leaf: IntColumn  # int32 (tokens,): the text leaf, -1 for a tag
    row: IntColumn  # int32 (tokens,): the page's node
    event: NDArray[np.int64]  # int64 (tokens,): the event of the page's stream (:mod:`..linear_page`)
    leaves: int  # number of the page's text leaves

    def __len__(self) -> int:
        return len(self.id)

    @property
    def is_tag(self) -> BoolColumn:
        """Which tokens are tags, bool (tokens,)."""
        return self.leaf < 0

    def with_tags(self, common: Hashes) -> Tokens:
        """Replace all tags except the common ones by :data:`UNKNOWN`, also as the most recent unclosed tag."""
        rare = self.is_tag & ~np.isin(self.id, common)
        rare_unclosed = (self.unclosed != 0) & ~np.isin(self.unclosed, common)
        return replace(
            self,
            id=np.where(rare, np.uint32(UNKNOWN), self.id),
            unclosed=np.where(rare_unclosed, np.uint32(UNKNOWN), self.unclosed),
        )

    def without(self, rows: BoolColumn) -> Tokens:
        """Remove the tokens of some of the page's nodes."""
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
        """Mark the leaves with most of their tokens in ``[start, stop)``."""
        text = self.leaf[self.leaf >= 0]
        inside = self.leaf[start:stop]
        all_tokens = np.bincount(text, minlength=self.leaves)
        return np.bincount(inside[inside >= 0], minlength=self.leaves) * 2 > all_tokens


def tokens_of(page: Page) -> Tokens:
    """Return the tokens of a page, without scripts, styles and hidden text."""
    stream = stream_of(page)
    text_ids = [
        np.asarray([token_hash(stem(token)) for token in words_and_symbols(text)], dtype=np.uint32)
        for text in page.leaf_texts
    ]
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
    """Return a word's Porter stem; the same one for all numbers.

    >>> stem("running"), stem("1984"), stem("?")
    ('run', '1', '?')
    """
    from snowballstemmer import stemmer

    # A stemmer has mutable state, so it must not be shared by threads.
    return NUMBER if token.isnumeric() else str(stemmer("porter").stemWord(token))


def _tag_ids(page: Page, stream: Stream) -> Hashes:
    opening = _opening_ids(page)
    closing = np.asarray([token_hash(f"</{name}") for name in page.names], dtype=np.uint32)
    tag = page.tag[stream.row]
    return np.where(stream.opens, opening[tag], closing[tag])


def _opening_ids(page: Page) -> Hashes:
    """Return the id of each name's start tag, uint32 (names,)."""
    return np.asarray([token_hash(f"<{name}") for name in page.names], dtype=np.uint32)


def _unclosed(page: Page, stream: Stream) -> Hashes:
    """Traverse the stream with a stack: a closing tag closes all elements opened since its opening tag."""
    names = _opening_ids(page).tolist()
    tags = page.tag.tolist()
    opened: list[int] = []
    unclosed: list[int] = []
    for row, leaf, opens in zip(stream.row.tolist(), stream.leaf.tolist(), stream.opens.tolist(), strict=True):
        unclosed.append(names[tags[opened[-1]]] if opened else 0)
        if opens:
            opened.append(row)
        elif leaf < 0:
            while opened.pop() != row:
                pass
    return np.asarray(unclosed, dtype=np.uint32)
