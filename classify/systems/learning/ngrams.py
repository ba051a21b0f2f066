"""Interpolated n-gram models of two kinds of text, by hashes: nothing of the text can be read from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatArray
from .hashing import HashedCounts, Hashes, count_hashes, ngram_hashes, token_hash

ORDER = 3
#: N-grams that were seen less often are forgotten.
LEAST_SEEN = 3
#: Rounds of expectation maximisation for the weights of the orders.
ROUNDS = 20
#: Of this number of texts one is held out to find the weights by.
HELD_OUT = 5
_BEGIN, _END = token_hash("<s>"), token_hash("</s>")


@dataclass(frozen=True, kw_only=True, eq=False)
class NgramModels:
    """A model of clean and one of dirty text.

    Smoothing is Jelinek and Mercer's (1980): the probability of a word is a weighted sum of those by trigram, bigram,
    unigram and that of any word; the weights are found by expectation maximisation on held-out text. Where a context
    was never seen, the order below stands in.

    Attributes
    ----------
    counts : HashedCounts
        Of n-grams of all orders: ``inside`` in clean text, ``outside`` in dirty text.
    total : int64 (2,)
        Words of clean and of dirty text.
    vocabulary : int
        Different words.
    weight : float64 (2, 4)
        Of trigram, bigram, unigram and any word, for clean and dirty text.
    """

    counts: HashedCounts
    total: NDArray[np.int64]
    vocabulary: int
    weight: FloatArray

    def log_ratio(self, tokens: Hashes) -> float:
        """Return ln P(segment | clean) - ln P(segment | dirty)."""
        orders = self.orders(tokens)
        clean, dirty = (np.log(orders[side] @ self.weight[side]).sum() for side in (0, 1))
        return float(clean - dirty)

    def orders(self, tokens: Hashes) -> FloatArray:
        """float64 (2, tokens + 1, 4): probability of each word, and of the end, by each order."""
        padded = _padded(tokens)
        one, two, three = (ngram_hashes(padded, order) for order in (1, 2, 3))
        seen = [np.stack(self.counts.look_up(keys)).astype(np.float64) for keys in (three, two, one)]
        unigram = seen[2][:, 2:] / np.maximum(self.total, 1)[:, None]
        bigram = _conditional(seen[1][:, 1:-1], seen[2][:, 1:-1], unigram)
        trigram = _conditional(seen[0][:, :-2], seen[1][:, :-2], bigram)
        return np.stack([trigram, bigram, unigram, np.full_like(unigram, 1 / (self.vocabulary + 1))], axis=2)

    def known(self, tokens: Hashes) -> FloatArray:
        """float64 (tokens,): 1 for words that were seen."""
        found: FloatArray = (np.sum(self.counts.look_up(ngram_hashes(tokens, 1)), axis=0) > 0).astype(np.float64)
        return found


def _padded(tokens: Hashes) -> Hashes:
    return np.concatenate([[_BEGIN, _BEGIN], tokens, [_END]]).astype(np.uint32)


def _conditional(seen: FloatArray, context: FloatArray, below: FloatArray) -> FloatArray:
    return np.where(context > 0, seen / np.maximum(context, 1), below)


def fit_ngrams(texts: Sequence[Sequence[tuple[Hashes, bool]]]) -> NgramModels:
    """Count the segments of texts, and find the weights of the orders on those of every fifth text.

    Parameters
    ----------
    texts : sequence of sequence of (uint32 (words,), bool)
        The segments of each page, and whether they are clean.
    """
    kept = [text for number, text in enumerate(texts) if number % HELD_OUT]
    trial = _counted(kept or texts, np.full((2, 4), 0.25))
    held_out = [segment for text in texts[::HELD_OUT] for segment in text]
    sides = [[tokens for tokens, clean in held_out if clean == side] for side in (True, False)]
    return _counted(texts, np.stack([_weights(trial, segments, number) for number, segments in enumerate(sides)]))


def _counted(texts: Sequence[Sequence[tuple[Hashes, bool]]], weight: FloatArray) -> NgramModels:
    segments = [segment for text in texts for segment in text]
    sizes = np.asarray([len(tokens) + 3 for tokens, _ in segments], dtype=np.int64)
    owner = np.repeat(np.arange(len(segments)), sizes)
    clean = np.asarray([side for _, side in segments], dtype=bool)[owner]
    tokens = np.concatenate([np.zeros(0, dtype=np.uint32), *(_padded(tokens) for tokens, _ in segments)])
    keys, sides = [], []
    for order in range(1, ORDER + 1):
        # What begins in one segment and ends in another is no n-gram.
        whole = owner[: len(owner) - order + 1] == owner[order - 1 :]
        keys.append(ngram_hashes(tokens, order)[: len(whole)][whole])
        sides.append(clean[: len(whole)][whole])
    counts = count_hashes(np.concatenate(keys), np.concatenate(sides))
    words = np.bincount(clean[~np.isin(tokens, [_BEGIN])], minlength=2)[::-1].astype(np.int64)
    return NgramModels(
        counts=counts.at_least(LEAST_SEEN), total=words, vocabulary=len(np.unique(tokens)) - 1, weight=weight
    )


def _weights(models: NgramModels, held_out: Sequence[Hashes], side: int) -> FloatArray:
    """Find by expectation maximisation the weights under which held-out segments are most likely."""
    weight = np.full(4, 0.25)
    if not held_out:
        return weight
    orders = np.concatenate([models.orders(tokens)[side] for tokens in held_out])
    for _ in range(ROUNDS):
        share = orders * weight
        weight = (share / share.sum(axis=1, keepdims=True)).mean(axis=0)
    # No order is ever wholly trusted: a word that was never seen must stay possible.
    weight = np.maximum(weight, 1e-6)
    return np.asarray(weight / weight.sum())
