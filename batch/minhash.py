"""MinHash signatures of texts (Broder, SEQUENCES 1997), by which near-duplicates are joined.

The permutations are those of datasketch, ``MinHash(num_perm=128, seed=1, scheme="legacy")``, the only scheme before
its version 2: ``((a * h + b) mod (2**61 - 1)) mod 2**32`` in 64-bit arithmetic that wraps, with a and b drawn in turn
from ``numpy.random.RandomState(1)``. h is the first 32 bits, little-endian, of the SHA-1 of a shingle. datatrove has
the same family of functions, with other draws. Shingles are runs of five words
(:func:`~blocksight.lexicon.words.words`) with a space between them; a text of fewer words is one.
"""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..lexicon.words import word_runs, words

PERMUTATIONS, SEED, SHINGLE = 128, 1, 5
_PRIME, _MOST = (1 << 61) - 1, np.uint64((1 << 32) - 1)
#: Shingles whose permutations are computed at once: 256 KB, which stay in the cache.
_AT_ONCE = 256


def minhash(text: str) -> list[int] | None:
    """Return the signature of a text, 128 numbers of 32 bits; None without words.

    The share of equal numbers of two signatures estimates the share of the shingles of both texts that are in each.
    """
    found = words(text)
    shingles = {" ".join(run) for run in word_runs(found, SHINGLE)} or {" ".join(found)} - {""}
    if not shingles:
        return None
    digests = b"".join(hashlib.sha1(one.encode("utf-8", "replace")).digest()[:4] for one in shingles)
    hashes = np.frombuffer(digests, dtype="<u4").astype(np.uint64)
    factor, offset = _permutations()
    least = np.full(PERMUTATIONS, _MOST, dtype=np.uint64)
    for first in range(0, len(hashes), _AT_ONCE):
        permuted = (hashes[first : first + _AT_ONCE, None] * factor + offset) % np.uint64(_PRIME) & _MOST
        least = np.minimum(least, permuted.min(axis=0))
    signature: list[int] = least.tolist()
    return signature


@cache
def _permutations() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    # The legacy generator never changes its numbers; those of a new one may differ by version.
    draw = np.random.RandomState(SEED)
    pairs = [[draw.randint(low, _PRIME, dtype=np.uint64) for low in (1, 0)] for _ in range(PERMUTATIONS)]
    factor, offset = np.array(pairs, dtype=np.uint64).T
    return factor, offset
