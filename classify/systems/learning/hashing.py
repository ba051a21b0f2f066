"""Words as numbers: hashes of tokens and n-grams, and counts by hash.

What a system learns about words is kept without the words: a model file holds 32-bit hashes and counts, from which no
sentence of a corpus can be read.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .trainable import Learned

Hashes = NDArray[np.uint32]

_STEP = np.uint64(0x9E3779B97F4A7C15)
_LAST = np.uint64(0xBF58476D1CE4E5B9)


@lru_cache(maxsize=1 << 18)
def token_hash(token: str) -> int:
    """Return a token's 32-bit hash, the same on every computer.

    >>> token_hash("word")
    3287381265
    """
    return zlib.crc32(token.encode("utf-8", "surrogatepass"))


def token_hashes(tokens: Sequence[str]) -> Hashes:
    """uint32 (tokens,): the hash of each token."""
    return np.fromiter(map(token_hash, tokens), dtype=np.uint32, count=len(tokens))


def ngram_hashes(tokens: Hashes, order: int) -> Hashes:
    """uint32 (tokens,): hash of the n-gram that begins at each token; past the last token stands a zero.

    N-grams of different orders have different hashes.
    """
    padded = np.concatenate([tokens, np.zeros(order - 1, dtype=np.uint32)]).astype(np.uint64)
    mixed = np.full(len(tokens), order, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for ahead in range(order):
            mixed = (mixed ^ (mixed >> np.uint64(29))) * _STEP + padded[ahead : ahead + len(tokens)]
        mixed = (mixed ^ (mixed >> np.uint64(31))) * _LAST
    return (mixed >> np.uint64(32)).astype(np.uint32)


@dataclass(frozen=True, kw_only=True, eq=False)
class HashedCounts:
    """How often each hash was seen in content and elsewhere.

    Attributes
    ----------
    key : uint32 (keys,)
        Increasing.
    inside, outside : int64 (keys,)
    """

    key: Hashes
    inside: NDArray[np.int64]
    outside: NDArray[np.int64]

    def look_up(self, keys: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return both counts of each key, 0 for what was never seen."""
        if not len(self.key):
            none = np.zeros(len(keys), dtype=np.int64)
            return none, none
        at = np.minimum(np.searchsorted(self.key, keys), len(self.key) - 1)
        known = self.key[at] == keys
        return self.inside[at] * known, self.outside[at] * known

    def at_least(self, least: int) -> HashedCounts:
        """Leave out keys seen less often than this."""
        return self.only(self.inside + self.outside >= least)

    def most_seen(self, most: int) -> HashedCounts:
        """Leave out the keys seen least, all that were seen equally often, until no more than this number are left."""
        if len(self.key) <= most:
            return self
        seen = self.inside + self.outside
        return self.at_least(int(np.sort(seen)[-1 - most]) + 1)

    def only(self, kept: NDArray[np.bool_]) -> HashedCounts:
        """Leave out all keys but these."""
        return HashedCounts(key=self.key[kept], inside=self.inside[kept], outside=self.outside[kept])

    def packed(self, key: str, inside: str, outside: str) -> dict[str, NDArray[np.uint8]]:
        """Return arrays under these names that take less room in a file (:func:`counts_of` reads them).

        Of each key the step from the one before it, and of all numbers the least bytes first, then the next: keys are
        spread evenly, so that their steps are short, and most counts are small. What was seen 4 thousand million times
        is as certain as what was seen more often.
        """
        steps = np.diff(self.key, prepend=np.uint32(0))
        return {key: _bytes(steps), inside: _bytes(self.inside), outside: _bytes(self.outside)}


def _bytes(numbers: NDArray[np.uint32] | NDArray[np.int64]) -> NDArray[np.uint8]:
    """uint8 (4, numbers): the bytes of each, the least first."""
    narrow = np.minimum(numbers, np.iinfo(np.uint32).max).astype("<u4")
    return np.ascontiguousarray(narrow.view(np.uint8).reshape(-1, 4).T)


def counts_of(learned: Learned, key: str, inside: str, outside: str) -> HashedCounts:
    """Read counts from the arrays of a model that have these names (:meth:`HashedCounts.packed`)."""
    steps, within, without = (_numbers(learned, name) for name in (key, inside, outside))
    keys = np.cumsum(steps)
    if not len(steps) == len(within) == len(without) or not steps[1:].all() or (keys > np.iinfo(np.uint32).max).any():
        raise learned.damaged(key)
    return HashedCounts(key=keys.astype(np.uint32), inside=within, outside=without)


def _numbers(learned: Learned, name: str) -> NDArray[np.int64]:
    found = learned.array(name, (4, None), kind="u")
    if found.dtype != np.uint8:
        raise learned.damaged(name)
    return np.ascontiguousarray(found.T).view("<u4").ravel().astype(np.int64)


def count_hashes(keys: Hashes, inside: NDArray[np.bool_]) -> HashedCounts:
    """Count occurrences by hash.

    Parameters
    ----------
    keys : uint32 (occurrences,)
    inside : bool (occurrences,)
    """
    distinct, position = np.unique(keys, return_inverse=True)
    total = np.bincount(position, minlength=len(distinct))
    within = np.bincount(position[inside], minlength=len(distinct))
    return HashedCounts(key=distinct, inside=within, outside=total - within)
