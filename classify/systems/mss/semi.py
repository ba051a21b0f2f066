"""Semi-supervised MSS: what a source's own pages, without labels, show about where its articles begin and end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....features.stretches import Ties, best_stretch
from ....page.arrays import FloatArray, Marks
from ....page.page import Page
from ...system import Card
from ..learning.hashing import HashedCounts, Hashes, ngram_hashes
from ..learning.trainable import Learned
from .bayes import Bayes, bayes_of, count_tokens
from .simple import PAPER, Stretch, best_stretches
from .tokens import Tokens, tokens_of
from .trained import Mss, marked_tokens

#: Certainty beyond this is not believed: the logarithm of a probability must be finite.
SUREST = 1e-6


class ConfidenceFormula(StrEnum):
    """How sure a predicted article is: by its borders, by all of the page, or by the article alone (section 6.2.4)."""

    WINDOWED = "windowed"
    PAGE = "page"
    ARTICLE = "article"


@dataclass(frozen=True, slots=True, kw_only=True)
class MssSemi(Mss):
    """The semi-supervised algorithm (section 6.2.4): bootstrapping on the unlabelled pages of some sources.

    From the predictions of the supervised classifier the most confident ones of each source are taken for true, a new
    classifier is trained on their trigrams, trigrams near the borders of articles get a greater weight, and all pages
    are predicted anew; ten times. :meth:`adapt` does it, and what it gives back is meant for pages of those sources.
    Before that the answer is that of ``mss``.

    A source needs pages enough to show what its pages have in common. Ours: sources with fewer than ``least_pages`` are
    left out, since the best 60 % of three pages are two, and the trigrams of two articles are their own words rather
    than their frame; a page without a predicted article is never confident; windows end at the ends of a page.

    Parameters
    ----------
    rounds : int
    share : float
        Of each source's pages, the most confident, that are learned from.
    window : int
        Tokens on each side of each border that confidence is judged by.
    formula : ConfidenceFormula
        Of confidence. The paper names three and takes the windowed one: of tokens far from the borders it matters
        little how sure they are.
    distance : float
        Tokens from a border (d) beyond which a trigram is of no importance.
    strength : float
        Of importance (c): scores become (p - 0.5)(m c + 1).
    least_pages : int
        That a source must have.
    adapted : Learned, optional
        What :meth:`adapt` has found.
    """

    rounds: int = 10
    share: float = 0.60
    window: int = 10
    formula: ConfidenceFormula = ConfidenceFormula.WINDOWED
    distance: float = 64.0
    strength: float = 24.0
    least_pages: int = 10
    adapted: Learned | None = None
    card: ClassVar[Card] = Card(
        name="mss-semi",
        title="mss, bootstrapped on a source's own pages; as mss before that",
        paper=PAPER,
        year=2009,
        visual=False,
        trained=True,
    )

    def adapt(self, sources: Mapping[str, Sequence[Page]]) -> Self:
        """Learn from unlabelled pages, grouped by their source.

        Parameters
        ----------
        sources : mapping of str to sequence of Page
            Pages of one source have one look. Those of fewer than ``least_pages`` are left out; where that leaves
            none, or none with an article, the same system is given back.
        """
        large = {name: pages for name, pages in sources.items() if len(pages) >= self.least_pages}
        if not large:
            return self
        read = {name: [tokens_of(page) for page in pages] for name, pages in large.items()}
        supervised = self.bayes()
        local: _Local | None = None
        for _ in range(self.rounds):
            chosen = [pair for tokens in read.values() for pair in self._confident(tokens, supervised, local)]
            if not chosen:
                return self
            local = self._local([tokens for tokens, _ in chosen], [span for _, span in chosen], supervised.tags)
        if local is None:
            return self
        arrays = {**local.bayes.arrays(), "importance": local.importance.astype(np.float32)}
        settings = {"order": 3, "neighbours": False}
        return replace(self, adapted=Learned(system=self.card.name, arrays=arrays, settings=settings))

    def mark(self, page: Page) -> Marks:
        """Mark the best stretch, by what was learned of the sources if anything was."""
        tokens = tokens_of(page)
        if self.adapted is None:
            return marked_tokens(tokens, self.stretches_of(tokens))
        local = _read_local(self.adapted)
        scores = self._scores(tokens, local.bayes.probabilities(tokens), local)
        return marked_tokens(tokens, best_stretches(scores, self.stretches))

    def _confident(
        self, read: Sequence[Tokens], supervised: Bayes, local: _Local | None
    ) -> list[tuple[Tokens, Stretch]]:
        """Return the most confident predictions for the pages of one source."""
        found = []
        for tokens in read:
            probability = (supervised if local is None else local.bayes).probabilities(tokens)
            span = best_stretch(self._scores(tokens, probability, local), Ties.FIRST)
            found.append((confidence(probability, span, self.window, self.formula), tokens, span))
        # The sort is stable: of equals the first one wins.
        found.sort(key=lambda one: -one[0])
        best = found[: max(1, round(self.share * len(found)))]
        return [(tokens, span) for sure, tokens, span in best if np.isfinite(sure)]

    def _scores(self, tokens: Tokens, probability: FloatArray, local: _Local | None) -> FloatArray:
        scores: FloatArray = probability - 0.5 + self.bias
        if local is None:
            return scores
        grams = ngram_hashes(tokens.with_tags(local.bayes.tags).id, 3)
        return scores * (self.strength * local.importance_of(grams) + 1)

    def _local(self, read: Sequence[Tokens], spans: Sequence[Stretch], tags: Hashes) -> _Local:
        labels = [_inside(len(tokens), span) for tokens, span in zip(read, spans, strict=True)]
        bayes = count_tokens(read, labels, order=3, tags=tags, least=1)
        # In this round the trigrams alone are the features.
        nothing = np.zeros(0, dtype=np.int64)
        unclosed = HashedCounts(key=np.zeros(0, dtype=np.uint32), inside=nothing, outside=nothing)
        grams = [ngram_hashes(tokens.with_tags(tags).id, 3) for tokens in read]
        near = [nearness(len(tokens), span, self.distance) for tokens, span in zip(read, spans, strict=True)]
        at = np.searchsorted(bayes.ngram.key, np.concatenate([np.zeros(0, dtype=np.uint32), *grams]))
        total = np.bincount(at, weights=np.concatenate([np.zeros(0), *near]), minlength=len(bayes.ngram.key))
        seen = bayes.ngram.inside + bayes.ngram.outside
        return _Local(bayes=replace(bayes, unclosed=unclosed), importance=total / np.maximum(seen, 1))


@dataclass(frozen=True, kw_only=True, eq=False)
class _Local:
    """What the sources themselves have taught: a classifier by trigrams, and the importance of each."""

    bayes: Bayes
    importance: FloatArray

    def importance_of(self, grams: Hashes) -> FloatArray:
        key = self.bayes.ngram.key
        if not len(key):
            return np.zeros(len(grams))
        at = np.minimum(np.searchsorted(key, grams), len(key) - 1)
        found: FloatArray = np.where(key[at] == grams, self.importance[at], 0.0)
        return found


def confidence(
    probability: FloatArray, span: Stretch, window: int, formula: ConfidenceFormula = ConfidenceFormula.WINDOWED
) -> float:
    """Return the logarithm of the confidence in a predicted article: the mean ln P(label) of some tokens.

    Parameters
    ----------
    probability : float64 (tokens,)
        Of each token to be in the article.
    span : tuple of int
        First token of the article and one past the last; an empty one is never confident.
    window : int
        For the windowed formula: tokens on each side of each border.
    formula : ConfidenceFormula
    """
    start, stop = span
    if stop <= start:
        return -np.inf
    sure = np.clip(probability, SUREST, 1 - SUREST)
    if formula is ConfidenceFormula.ARTICLE:
        return float(np.log(sure[start:stop]).mean())
    if formula is ConfidenceFormula.PAGE:
        return float(np.concatenate([np.log1p(-sure[:start]), np.log(sure[start:stop]), np.log1p(-sure[stop:])]).mean())
    outside = np.concatenate([sure[max(start - window, 0) : start], sure[stop : stop + window]])
    inside = np.concatenate([sure[start : min(start + window, stop)], sure[max(stop - window, start) : stop]])
    return float(np.concatenate([np.log1p(-outside), np.log(inside)]).mean())


def nearness(count: int, span: Stretch, distance: float) -> FloatArray:
    """float64 (count,): 1 for a token at a border of the article, 0 at ``distance`` tokens from it and beyond."""
    at = np.arange(count, dtype=np.float64)
    start, stop = span
    away = np.minimum(np.abs(at - (start - 0.5)), np.abs(at - (stop - 0.5)))
    near: FloatArray = (distance - np.minimum(distance, away)) / (distance - 0.5)
    return near


def _inside(count: int, span: Stretch) -> NDArray[np.bool_]:
    inside = np.zeros(count, dtype=bool)
    inside[slice(*span)] = True
    return inside


@lru_cache(maxsize=8)
def _read_local(adapted: Learned) -> _Local:
    return _Local(bayes=bayes_of(adapted), importance=adapted.array("importance", (None,)).astype(np.float64))
