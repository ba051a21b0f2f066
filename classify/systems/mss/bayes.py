"""The local classifier of MSS: naive Bayes over a token's n-gram and the most recent unclosed tag."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ....features.stretches import Ties, best_stretch
from ....page.arrays import FloatArray, Marks
from ..learning.hashing import HashedCounts, Hashes, count_hashes, counts_of, ngram_hashes
from ..learning.trainable import LabelledPage, Learned
from .tokens import Tokens, tokens_of

#: Examples with less text, or more tags, are no articles (section 5.1).
LEAST_WORDS = 50
MOST_TAGS = 0.20
#: N-grams seen less often are not kept: what was seen once says as little as what was never seen (ours).
LEAST_SEEN = 2
#: Where n-grams that were never seen speak for neither side, those seen less often are left out of the model, and those
#: that speak for one side by less than this, as a logarithm (ours: a third of the file, and nearly the same answers).
LEAST_COUNT, LEAST_EVIDENCE = 3, 0.8
#: Added to every count (ours; the paper names no smoothing).
SMOOTHING = 0.1
#: Of n-grams in a model.
_MOST_ORDER = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class Bayes:
    """Naive Bayes by counts.

    Attributes
    ----------
    order : int
        3 for trigrams, 1 for unigrams.
    neighbours : bool
        Whether an n-gram that was never seen is judged by those before and behind it (section 7.7).
    ngram, unclosed : HashedCounts
    distinct : int
        N-grams seen in training, those included that were not kept.
    inside, outside : int
        Tokens seen in training.
    tags : uint32 (tags,)
        The tags that more than one source uses.
    """

    order: int
    neighbours: bool
    ngram: HashedCounts
    unclosed: HashedCounts
    distinct: int
    inside: int
    outside: int
    tags: Hashes

    def probabilities(self, tokens: Tokens) -> FloatArray:
        """float64 (tokens,): probability of each token to be in the article.

        What was never seen speaks for neither side; nor do the numbers of tokens in and outside of articles, so that a
        token of which nothing is known is as likely in as out (section 6.2.3).
        """
        grams = ngram_hashes(tokens.with_tags(self.tags).id, self.order)
        evidence, seen = self._evidence(self.ngram, grams, self.distinct)
        if self.neighbours:
            around = np.zeros(len(tokens))
            around[1:] += evidence[:-1]
            around[:-1] += evidence[1:]
            evidence = np.where(seen, evidence, around)
        evidence += self._evidence(self.unclosed, tokens.unclosed, len(self.unclosed.key))[0]
        return sigmoid(evidence)

    def _evidence(self, counts: HashedCounts, keys: Hashes, distinct: int) -> tuple[FloatArray, NDArray[np.bool_]]:
        """Return ln P(feature | in) - ln P(feature | out), 0 where the feature is unknown, and whether it is known."""
        if not len(counts.key):
            return np.zeros(len(keys)), np.zeros(len(keys), dtype=bool)
        inside, outside = counts.look_up(keys)
        seen = inside + outside > 0
        mass = SMOOTHING * distinct
        ratio = np.log((inside + SMOOTHING) / (self.inside + mass)) - np.log(
            (outside + SMOOTHING) / (self.outside + mass)
        )
        return np.where(seen, ratio, 0.0), seen

    def telling(self) -> Bayes:
        """Return it without the n-grams that say least; where neighbours judge for the unseen, all stay."""
        if self.neighbours:
            return self
        said = np.abs(self._evidence(self.ngram, self.ngram.key, self.distinct)[0])
        return replace(self, ngram=self.ngram.only(said >= LEAST_EVIDENCE).at_least(LEAST_COUNT))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """Return the counts as named arrays."""
        return {
            **self.ngram.packed("ngram", "ngram_inside", "ngram_outside"),
            **self.unclosed.packed("unclosed", "unclosed_inside", "unclosed_outside"),
            "total": np.asarray([self.distinct, self.inside, self.outside], dtype=np.int64),
            "tags": self.tags,
        }


def bayes_of(learned: Learned) -> Bayes:
    """Read the classifier from a model."""

    def counts(name: str) -> HashedCounts:
        return counts_of(learned, name, f"{name}_inside", f"{name}_outside")

    distinct, inside, outside = learned.array("total", (3,), kind="i").tolist()
    order = int(learned.number("order"))
    ngram = counts("ngram")
    # Fewer n-grams seen than kept: the file is damaged, and nothing could be divided by what is left.
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


def learn_bayes(pages: Iterable[LabelledPage], *, order: int, neighbours: bool, least: int = LEAST_SEEN) -> Bayes:
    """Count the features of labelled pages, in one pass over them."""
    read: list[Tokens] = []
    labels: list[NDArray[np.bool_]] = []
    users: dict[int, set[str]] = defaultdict(set)
    for labelled in pages:
        tokens = tokens_of(labelled.page)
        for tag in np.unique(tokens.id[tokens.is_tag]).tolist():
            users[tag].add(labelled.site)
        inside = article(tokens, labelled.marks)
        if is_article(tokens, inside):
            read.append(tokens)
            labels.append(inside)
    tags = np.asarray(sorted(tag for tag, sites in users.items() if len(sites) > 1), dtype=np.uint32)
    return count_tokens(read, labels, order=order, neighbours=neighbours, tags=tags, least=least)


def count_tokens(
    read: Sequence[Tokens],
    labels: Sequence[NDArray[np.bool_]],
    *,
    order: int,
    neighbours: bool = False,
    tags: Hashes,
    least: int = LEAST_SEEN,
) -> Bayes:
    """Count the features of tokens whose labels are known."""
    nothing = [np.zeros(0, dtype=np.uint32)]
    grams = np.concatenate(nothing + [ngram_hashes(tokens.with_tags(tags).id, order) for tokens in read])
    unclosed = np.concatenate(nothing + [tokens.unclosed for tokens in read])
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
    """bool (tokens,): the article as one piece, tags included, from labels that may have holes.

    It is the stretch with the most marked text over unmarked text, so that a stray mark far from the article does not
    make the whole page between them an article (ours).
    """
    value = np.append(np.where(marks, 1.0, -1.0), 0.0)[tokens.leaf]
    start, stop = best_stretch(value, Ties.SHORTEST)
    inside = np.zeros(len(tokens), dtype=bool)
    inside[start:stop] = True
    return inside


def is_article(tokens: Tokens, inside: NDArray[np.bool_]) -> bool:
    """Return whether an example is one: long enough, and text rather than tags (section 5.1)."""
    text = int((inside & ~tokens.is_tag).sum())
    return text >= LEAST_WORDS and text >= (1 - MOST_TAGS) * int(inside.sum())


def sigmoid(value: FloatArray) -> FloatArray:
    """Return ``1 / (1 + exp(-value))`` without overflow."""
    result: FloatArray = 0.5 * (1.0 + np.tanh(value / 2))
    return result
