"""Interpolated n-gram models of two classes of text, stored as hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatArray
from .hashing import HashedCounts, Hashes, count_hashes, ngram_hashes, token_hash

ORDER = 3
#: N-grams with a smaller count are removed.
LEAST_SEEN = 3
#: Iterations of expectation maximisation for the weights of the orders.
ROUNDS = 20
#: One in this number of texts is held out to fit the weights.
HELD_OUT = 5
_BEGIN, _END = token_hash("<s>"), token_hash("</s>")


@dataclass(frozen=True, kw_only=True, eq=False)
class NgramModels:
    """A model of clean and one of dirty text.

    Smoothing is Jelinek and Mercer's (1980): the probability of a word is a weighted sum of those by trigram, bigram,
    unigram and a uniform distribution; the weights are fitted by expectation maximisation on held-out text. For an
    unknown context, the probability of the lower order is used.
    """

    counts: HashedCounts  # of n-grams of all orders: ``inside`` in clean text, ``outside`` in dirty text
    total: NDArray[np.int64]  # int64 (2,): words of clean and of dirty text
    vocabulary: int  # number of distinct words
    #: float64 (2, 4): of trigram, bigram, unigram and uniform distribution, for clean and dirty text.
    weight: FloatArray

    def log_ratio(self, tokens: Hashes) -> float:
        """Return ln P(segment | clean) - ln P(segment | dirty)."""
        orders = self.orders(tokens)
        clean, dirty = (np.log(orders[side] @ self.weight[side]).sum() for side in (0, 1))
        return float(clean - dirty)

    def orders(self, tokens: Hashes) -> FloatArray:
        """Return the probability of each word, and of the end, by each order, float64 (2, tokens + 1, 4)."""
        padded = _padded(tokens)
        one, two, three = (ngram_hashes(padded, order) for order in (1, 2, 3))
        counts = [np.stack(self.counts.look_up(keys)).astype(np.float64) for keys in (three, two, one)]
        unigram = counts[2][:, 2:] / np.maximum(self.total, 1)[:, None]
        bigram = _conditional(counts[1][:, 1:-1], counts[2][:, 1:-1], unigram)
        trigram = _conditional(counts[0][:, :-2], counts[1][:, :-2], bigram)
        return np.stack([trigram, bigram, unigram, np.full_like(unigram, 1 / (self.vocabulary + 1))], axis=2)

    def known(self, tokens: Hashes) -> FloatArray:
        """Return 1 for known words, float64 (tokens,)."""
        known: FloatArray = (np.sum(self.counts.look_up(ngram_hashes(tokens, 1)), axis=0) > 0).astype(np.float64)
        return known


def _padded(tokens: Hashes) -> Hashes:
    return np.concatenate([[_BEGIN, _BEGIN], tokens, [_END]]).astype(np.uint32)


def _conditional(count: FloatArray, context: FloatArray, lower: FloatArray) -> FloatArray:
    return np.where(context > 0, count / np.maximum(context, 1), lower)


def fit_ngrams(texts: Sequence[Sequence[tuple[Hashes, bool]]]) -> NgramModels:
    """Count n-grams of each page's segments (words, clean or not); fit the orders' weights on every fifth page."""
    training = [text for number, text in enumerate(texts) if number % HELD_OUT]
    trial = _count(training or texts, np.full((2, 4), 0.25))
    held_out = [segment for text in texts[::HELD_OUT] for segment in text]
    sides = [[tokens for tokens, clean in held_out if clean == side] for side in (True, False)]
    return _count(texts, np.stack([_weights(trial, segments, number) for number, segments in enumerate(sides)]))


def _count(texts: Sequence[Sequence[tuple[Hashes, bool]]], weight: FloatArray) -> NgramModels:
    segments = [segment for text in texts for segment in text]
    sizes = np.asarray([len(tokens) + 3 for tokens, _ in segments], dtype=np.int64)
    owner = np.repeat(np.arange(len(segments)), sizes)
    clean = np.asarray([side for _, side in segments], dtype=bool)[owner]
    tokens = np.concatenate([np.zeros(0, dtype=np.uint32), *(_padded(tokens) for tokens, _ in segments)])
    keys, sides = [], []
    for order in range(1, ORDER + 1):
        # N-grams do not cross segments.
        valid = owner[: len(owner) - order + 1] == owner[order - 1 :]
        keys.append(ngram_hashes(tokens, order)[: len(valid)][valid])
        sides.append(clean[: len(valid)][valid])
    counts = count_hashes(np.concatenate(keys), np.concatenate(sides))
    words = np.bincount(clean[~np.isin(tokens, [_BEGIN])], minlength=2)[::-1].astype(np.int64)
    return NgramModels(
        counts=counts.at_least(LEAST_SEEN), total=words, vocabulary=len(np.unique(tokens)) - 1, weight=weight
    )


def _weights(models: NgramModels, held_out: Sequence[Hashes], side: int) -> FloatArray:
    """Fit the weights that maximise the likelihood of held-out segments, by expectation maximisation."""
    weight = np.full(4, 0.25)
    if not held_out:
        return weight
    orders = np.concatenate([models.orders(tokens)[side] for tokens in held_out])
    for _ in range(ROUNDS):
        share = orders * weight
        weight = (share / share.sum(axis=1, keepdims=True)).mean(axis=0)
    # All weights stay positive, so that unknown words have a positive probability.
    weight = np.maximum(weight, 1e-6)
    return np.asarray(weight / weight.sum())
