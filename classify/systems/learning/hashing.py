"""Hashes of tokens and n-grams, and counts by hash.

A model file stores 32-bit hashes and counts instead of words, from which no sentence of a corpus can be reconstructed.
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
    """Return the hash of each token, uint32 (tokens,)."""
    return np.fromiter(map(token_hash, tokens), dtype=np.uint32, count=len(tokens))


def ngram_hashes(tokens: Hashes, order: int) -> Hashes:
    """Return the hash of the n-gram that starts at each token, uint32 (tokens,), padded with zeros after the last one.

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
    """Counts of each hash in content (inside) and elsewhere, int64 (keys,)."""

    #: uint32 (keys,), increasing.
    key: Hashes
    inside: NDArray[np.int64]
    outside: NDArray[np.int64]

    def look_up(self, keys: Hashes) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return both counts of each key, 0 for an unknown one."""
        if not len(self.key):
            zeros = np.zeros(len(keys), dtype=np.int64)
            return zeros, zeros
        at = np.minimum(np.searchsorted(self.key, keys), len(self.key) - 1)
        known = self.key[at] == keys
        return self.inside[at] * known, self.outside[at] * known

    def at_least(self, least: int) -> HashedCounts:
        """Remove keys with a smaller count."""
        return self.only(self.inside + self.outside >= least)

    def most_seen(self, most: int) -> HashedCounts:
        """Remove the keys with the smallest counts until at most this number remain; equal counts go together."""
        if len(self.key) <= most:
            return self
        total = self.inside + self.outside
        return self.at_least(int(np.sort(total)[-1 - most]) + 1)

    def only(self, kept: NDArray[np.bool_]) -> HashedCounts:
        """Remove all other keys."""
        return HashedCounts(key=self.key[kept], inside=self.inside[kept], outside=self.outside[kept])

    def packed(self, key: str, inside: str, outside: str) -> dict[str, NDArray[np.uint8]]:
        """Return byte planes of key differences and counts, up to 32 bits: most are small and compress well."""
        steps = np.diff(self.key, prepend=np.uint32(0))
        return {key: _bytes(steps), inside: _bytes(self.inside), outside: _bytes(self.outside)}


def _bytes(numbers: NDArray[np.uint32] | NDArray[np.int64]) -> NDArray[np.uint8]:
    narrow = np.minimum(numbers, np.iinfo(np.uint32).max).astype("<u4")
    return np.ascontiguousarray(narrow.view(np.uint8).reshape(-1, 4).T)


def counts_of(learned: Learned, key: str, inside: str, outside: str) -> HashedCounts:
    """Read counts from the arrays of a model written by :meth:`HashedCounts.packed`."""
    steps, within, without = (_numbers(learned, name) for name in (key, inside, outside))
    keys = np.cumsum(steps)
    if not len(steps) == len(within) == len(without) or not steps[1:].all() or (keys > np.iinfo(np.uint32).max).any():
        raise learned.damaged(key)
    return HashedCounts(key=keys.astype(np.uint32), inside=within, outside=without)


def _numbers(learned: Learned, name: str) -> NDArray[np.int64]:
    planes = learned.array(name, (4, None), kind="u")
    if planes.dtype != np.uint8:
        raise learned.damaged(name)
    return np.ascontiguousarray(planes.T).view("<u4").ravel().astype(np.int64)


def count_hashes(keys: Hashes, inside: NDArray[np.bool_]) -> HashedCounts:
    """Count occurrences by hash; ``keys`` and ``inside`` have one entry for each occurrence."""
    distinct, position = np.unique(keys, return_inverse=True)
    total = np.bincount(position, minlength=len(distinct))
    within = np.bincount(position[inside], minlength=len(distinct))
    return HashedCounts(key=distinct, inside=within, outside=total - within)
