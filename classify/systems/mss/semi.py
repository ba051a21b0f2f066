"""Semi-supervised MSS: the borders of articles learned from unlabelled pages of a source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....features.stretches import Ties, best_stretch
from ....page.arrays import FloatArray, Marks
from ....page.page import Page
from ...system import Card, card_of
from ..learning.hashing import HashedCounts, Hashes, ngram_hashes
from ..learning.trainable import Learned
from .bayes import Bayes, bayes_of, count_tokens
from .simple import Stretch, best_stretches
from .tokens import Tokens, tokens_of
from .trained import Mss, marked_tokens

#: Probabilities are clipped here, so that logarithms are finite.
LEAST_PROBABILITY = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class MssSemi(Mss):
    """The semi-supervised algorithm (section 6.2.4): bootstrapping on the unlabelled pages of some sources.

    The most confident predictions of the supervised classifier for each source are used as labels, a new classifier is
    trained on their trigrams, with a larger weight near the borders of articles, and all pages are predicted again; ten
    times. This is :meth:`adapt`, which returns a system for pages of those sources. Without it the result is that of
    ``mss``.

    Ours: sources with fewer than ``least_pages`` are ignored, since the trigrams of a few pages are the words of the
    articles rather than the template; a page without a predicted article is never confident; windows end at the ends of
    a page.
    """

    rounds: int = 10
    #: Share of each source's pages, the most confident ones, that are used for training.
    share: float = 0.60
    #: Tokens on each side of each border that determine confidence. Of the paper's three formulas it is the one used:
    #: the confidence of tokens far from the borders matters little.
    window: int = 10
    #: Distance from a border (d), in tokens, beyond which the importance of a trigram is 0.
    distance: float = 64.0
    strength: float = 24.0  # of importance (c): scores become (p - 0.5)(m c + 1)
    least_pages: int = 10  # least number of pages of a source
    adapted: Learned | None = None  # the result of :meth:`adapt`
    card: ClassVar[Card] = card_of("mss-semi")

    def adapt(self, sources: Mapping[str, Sequence[Page]]) -> Self:
        """Train on unlabelled pages, grouped by their source (pages with one template).

        Sources with fewer than ``least_pages`` are ignored; the system is returned unchanged if no source, or no
        predicted article, remains.
        """
        large = {name: pages for name, pages in sources.items() if len(pages) >= self.least_pages}
        if not large:
            return self
        tokenised = {name: [tokens_of(page) for page in pages] for name, pages in large.items()}
        supervised = self.bayes()
        local: _Local | None = None
        for _ in range(self.rounds):
            chosen = [pair for tokens in tokenised.values() for pair in self._confident(tokens, supervised, local)]
            if not chosen:
                return self
            local = self._local([tokens for tokens, _ in chosen], [span for _, span in chosen], supervised.tags)
        if local is None:
            return self
        arrays = {**local.bayes.arrays(), "importance": local.importance.astype(np.float32)}
        settings = {"order": 3, "neighbours": False}
        return replace(self, adapted=Learned(system=self.card.name, arrays=arrays, settings=settings))

    def mark(self, page: Page) -> Marks:
        """Mark the best range, by the adapted classifier if there is one."""
        tokens = tokens_of(page)
        if self.adapted is None:
            return marked_tokens(tokens, self.stretches_of(tokens))
        local = _read_local(self.adapted)
        scores = self._scores(tokens, local.bayes.probabilities(tokens), local)
        return marked_tokens(tokens, best_stretches(scores, self.stretches))

    def _confident(
        self, pages: Sequence[Tokens], supervised: Bayes, local: _Local | None
    ) -> list[tuple[Tokens, Stretch]]:
        predictions = []
        for tokens in pages:
            probability = (supervised if local is None else local.bayes).probabilities(tokens)
            span = best_stretch(self._scores(tokens, probability, local), Ties.FIRST)
            predictions.append((confidence(probability, span, self.window), tokens, span))
        # The sort is stable: of equals the first one is kept.
        predictions.sort(key=lambda prediction: -prediction[0])
        best = predictions[: max(1, round(self.share * len(predictions)))]
        return [(tokens, span) for confident, tokens, span in best if np.isfinite(confident)]

    def _scores(self, tokens: Tokens, probability: FloatArray, local: _Local | None) -> FloatArray:
        scores: FloatArray = probability - 0.5 + self.bias
        if local is None:
            return scores
        grams = ngram_hashes(tokens.with_tags(local.bayes.tags).id, 3)
        return scores * (self.strength * local.importance_of(grams) + 1)

    def _local(self, pages: Sequence[Tokens], spans: Sequence[Stretch], tags: Hashes) -> _Local:
        labels = [_inside(len(tokens), span) for tokens, span in zip(pages, spans, strict=True)]
        bayes = count_tokens(pages, labels, order=3, tags=tags, least=1)
        # Here trigrams are the only features.
        empty = np.zeros(0, dtype=np.int64)
        unclosed = HashedCounts(key=np.zeros(0, dtype=np.uint32), inside=empty, outside=empty)
        grams = [ngram_hashes(tokens.with_tags(tags).id, 3) for tokens in pages]
        near = [nearness(len(tokens), span, self.distance) for tokens, span in zip(pages, spans, strict=True)]
        at = np.searchsorted(bayes.ngram.key, np.concatenate([np.zeros(0, dtype=np.uint32), *grams]))
        total = np.bincount(at, weights=np.concatenate([np.zeros(0), *near]), minlength=len(bayes.ngram.key))
        count = bayes.ngram.inside + bayes.ngram.outside
        return _Local(bayes=replace(bayes, unclosed=unclosed), importance=total / np.maximum(count, 1))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Local:
    bayes: Bayes
    importance: FloatArray

    def importance_of(self, grams: Hashes) -> FloatArray:
        key = self.bayes.ngram.key
        if not len(key):
            return np.zeros(len(grams))
        at = np.minimum(np.searchsorted(key, grams), len(key) - 1)
        return np.where(key[at] == grams, self.importance[at], 0.0)


def confidence(probability: FloatArray, span: Stretch, window: int) -> float:
    """Return the mean ln P(label) of the tokens within ``window`` of a border, -inf for an empty ``span``."""
    start, stop = span
    if stop <= start:
        return -np.inf
    clipped = np.clip(probability, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    outside = np.concatenate([clipped[max(start - window, 0) : start], clipped[stop : stop + window]])
    inside = np.concatenate([clipped[start : min(start + window, stop)], clipped[max(stop - window, start) : stop]])
    return float(np.concatenate([np.log1p(-outside), np.log(inside)]).mean())


def nearness(count: int, span: Stretch, distance: float) -> FloatArray:
    """Return 1 for a token at a border of the article, 0 at a distance of ``distance`` tokens or more."""
    at = np.arange(count, dtype=np.float64)
    start, stop = span
    gap = np.minimum(np.abs(at - (start - 0.5)), np.abs(at - (stop - 0.5)))
    return (distance - np.minimum(distance, gap)) / (distance - 0.5)


def _inside(count: int, span: Stretch) -> NDArray[np.bool_]:
    inside = np.zeros(count, dtype=bool)
    inside[slice(*span)] = True
    return inside


@lru_cache(maxsize=8)
def _read_local(adapted: Learned) -> _Local:
    return _Local(bayes=bayes_of(adapted), importance=adapted.array("importance", (None,)).astype(np.float64))
