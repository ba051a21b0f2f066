"""The local classifier of MSS: naive Bayes over a token's n-gram and the most recent unclosed tag."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ....features.stretches import Ties, best_stretch
from ....page.arrays import FloatArray, Marks
from ..learning.hashing import HashedCounts, Hashes, count_hashes, counts_of, ngram_hashes
from ..learning.trainable import LabelledPage, Learned
from .tokens import Tokens, tokens_of

#: Examples with less text, or more tags, are not articles (section 5.1).
LEAST_WORDS = 50
MOST_TAGS = 0.20
#: N-grams with a smaller count are removed: a single occurrence is no evidence (ours).
LEAST_SEEN = 2
#: If unknown n-grams are neutral, those with a smaller count are removed from the model, and those with less absolute
#: log evidence (ours: a third of the file size, and nearly the same results).
LEAST_COUNT, LEAST_EVIDENCE = 3, 0.8
#: Added to every count (ours; the paper names no smoothing).
SMOOTHING = 0.1
#: Largest order of a model's n-grams.
_MOST_ORDER = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class Bayes:
    """Naive Bayes by counts."""

    #: 3 for trigrams, 1 for unigrams.
    order: int
    neighbours: bool  # whether an unknown n-gram gets the evidence of those before and after it (section 7.7)
    ngram: HashedCounts
    unclosed: HashedCounts
    #: Distinct n-grams in training, including removed ones.
    distinct: int
    #: Tokens in training, in and outside of articles.
    inside: int
    outside: int
    tags: Hashes  # uint32 (tags,): the tags that more than one source uses

    def probabilities(self, tokens: Tokens) -> FloatArray:
        """Return the probability of each token to be in the article, float64 (tokens,).

        Unknown features are neutral, and both classes have the same prior probability (section 6.2.3).
        """
        tokens = tokens.with_tags(self.tags)
        grams = ngram_hashes(tokens.id, self.order)
        evidence, known = self._evidence(self.ngram, grams, self.distinct)
        if self.neighbours:
            adjacent = np.zeros(len(tokens))
            adjacent[1:] += evidence[:-1]
            adjacent[:-1] += evidence[1:]
            evidence = np.where(known, evidence, adjacent)
        evidence += self._evidence(self.unclosed, tokens.unclosed, len(self.unclosed.key))[0]
        return sigmoid(evidence)

    def _evidence(self, counts: HashedCounts, keys: Hashes, distinct: int) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return ln P(feature | in) - ln P(feature | out), 0 for unknown features, and which are known."""
        if not len(counts.key):
            return np.zeros(len(keys)), np.zeros(len(keys), dtype=bool)
        inside, outside = counts.look_up(keys)
        known = inside + outside > 0
        mass = SMOOTHING * distinct
        ratio = np.log((inside + SMOOTHING) / (self.inside + mass)) - np.log(
            (outside + SMOOTHING) / (self.outside + mass)
        )
        return np.where(known, ratio, 0.0), known

    def pruned(self) -> Bayes:
        """Return it without the n-grams with the least evidence; all remain if unknown ones are not neutral."""
        if self.neighbours:
            return self
        evidence = np.abs(self._evidence(self.ngram, self.ngram.key, self.distinct)[0])
        return replace(self, ngram=self.ngram.only(evidence >= LEAST_EVIDENCE).at_least(LEAST_COUNT))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the arrays of a model."""
        return {
            **self.ngram.packed("ngram", "ngram_inside", "ngram_outside"),
            **self.unclosed.packed("unclosed", "unclosed_inside", "unclosed_outside"),
            "total": np.asarray([self.distinct, self.inside, self.outside], dtype=np.int64),
            "tags": self.tags,
        }


@lru_cache(maxsize=8)
def bayes_of(learned: Learned) -> Bayes:
    """Read the classifier from a model."""

    def counts(name: str) -> HashedCounts:
        return counts_of(learned, name, f"{name}_inside", f"{name}_outside")

    distinct, inside, outside = learned.array("total", (3,), kind="i").tolist()
    order = int(learned.number("order"))
    ngram = counts("ngram")
    # Fewer distinct n-grams than stored ones: the file is damaged, and the probabilities are not defined.
    if not 1 <= order <= _MOST_ORDER or min(inside, outside) < 0 or distinct < len(ngram.key):
        raise learned.damaged("order or total")
    return Bayes(
        order=order,
        neighbours=bool(learned.setting("neighbours")),
        ngram=ngram,
        unclosed=counts("unclosed"),
        distinct=distinct,
        inside=inside,
        outside=outside,
        tags=learned.array("tags", (None,), kind="u"),
    )


def learn_bayes(pages: Iterable[LabelledPage], *, order: int, neighbours: bool) -> Bayes:
    """Count the features of labelled pages in one pass."""
    articles: list[Tokens] = []
    labels: list[NDArray[np.bool_]] = []
    users: dict[int, set[str]] = defaultdict(set)
    for labelled in pages:
        tokens = tokens_of(labelled.page)
        for tag in np.unique(tokens.id[tokens.is_tag]).tolist():
            users[tag].add(labelled.site)
        inside = article(tokens, labelled.marks)
        if is_article(tokens, inside):
            articles.append(tokens)
            labels.append(inside)
    tags = np.asarray(sorted(tag for tag, sites in users.items() if len(sites) > 1), dtype=np.uint32)
    return count_tokens(articles, labels, order=order, neighbours=neighbours, tags=tags)


def count_tokens(
    pages: Sequence[Tokens],
    labels: Sequence[NDArray[np.bool_]],
    *,
    order: int,
    neighbours: bool = False,
    tags: Hashes,
    least: int = LEAST_SEEN,
) -> Bayes:
    """Count the features of labelled tokens."""
    empty = [np.zeros(0, dtype=np.uint32)]
    pages = [tokens.with_tags(tags) for tokens in pages]
    grams = np.concatenate(empty + [ngram_hashes(tokens.id, order) for tokens in pages])
    unclosed = np.concatenate(empty + [tokens.unclosed for tokens in pages])
    inside = np.concatenate([np.zeros(0, dtype=bool), *labels])
    ngram = count_hashes(grams, inside)
    return Bayes(
        order=order,
        neighbours=neighbours,
        ngram=ngram.at_least(least),
        unclosed=count_hashes(unclosed, inside),
        distinct=len(ngram.key),
        inside=int(inside.sum()),
        outside=int((~inside).sum()),
        tags=tags,
    )


def article(tokens: Tokens, marks: Marks) -> NDArray[np.bool_]:
    """Return as one contiguous range the tokens with most marked and least unmarked text, bool (tokens,) (ours)."""
    # A single mark far from the article does not extend it over the whole page between them.
    value = np.append(np.where(marks, 1.0, -1.0), 0.0)[tokens.leaf]
    start, stop = best_stretch(value, Ties.SHORTEST)
    inside = np.zeros(len(tokens), dtype=bool)
    inside[start:stop] = True
    return inside


def is_article(tokens: Tokens, inside: NDArray[np.bool_]) -> bool:
    """Return whether an example is long enough and has few tags (section 5.1)."""
    text = int((inside & ~tokens.is_tag).sum())
    return text >= LEAST_WORDS and text >= (1 - MOST_TAGS) * int(inside.sum())


def sigmoid(value: FloatArray) -> FloatArray:
    """Return ``1 / (1 + exp(-value))`` without overflow."""
    return 0.5 * (1.0 + np.tanh(value / 2))
