"""Maximum subsequence segmentation with a trained local classifier (Pasternack and Roth, WWW 2009)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ....features.class_names import FAMILIES, node_families
from ....page.arrays import BoolColumn, Marks
from ....page.page import Page
from ....page.visibility import invisible_leaves
from ...system import Card, card_of
from ..learning.hashing import token_hash
from ..learning.trainable import LabelledPage, Learned, TrainedSystem
from ..linear_page import stream_of
from .bayes import Bayes, bayes_of, learn_bayes
from .simple import Stretch, best_stretches, junk
from .tokens import Tokens, tokens_of

#: Elements that WWW++ removes first, by class and id: families of :data:`~blocksight.features.class_names.FAMILIES`.
_DROPPED = ("comment", "share", "related", "advert", "nav", "footer", "sidebar", "overlay")
_RULE = token_hash("<hr")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mss(TrainedSystem):
    """The supervised algorithm (section 6.2.3): naive Bayes by token, then the maximum subsequence of p - 0.5.

    Features of a token are the trigram that starts at it and the most recent unclosed tag. Ours: a tenth is added to
    every count; hidden text is removed; a text leaf is in the article if most of its tokens are. Also ours is the
    pruning of the model: trigrams with a count of 1 or 2, and those that change the odds by a factor below 2.2
    (:data:`~.bayes.LEAST_EVIDENCE` 0.8 in logarithms), are removed, and are unknown from then on. Section 6.2.5
    computes tokens, scores and the best range in one pass; here they are computed as columns one after the other,
    with the same result.
    """

    #: Of the n-grams, in training.
    order: int = 3
    #: Whether an unknown n-gram gets the evidence of its neighbours, in training.
    neighbours: bool = False
    bias: float = 0.0  # added to every score
    #: The number of disjoint ranges, best first.
    stretches: int = 1
    model_name: ClassVar[str] = "mss"
    card: ClassVar[Card] = card_of("mss")

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Count tokens inside and outside of the articles of labelled pages."""
        bayes = learn_bayes(pages, order=self.order, neighbours=self.neighbours).pruned()
        settings = {"order": self.order, "neighbours": self.neighbours}
        return replace(self, model=Learned(system=self.model_name, arrays=bayes.arrays(), settings=settings))

    def bayes(self) -> Bayes:
        """Return the local classifier."""
        return bayes_of(self.learned)

    def stretches_of(self, tokens: Tokens) -> list[Stretch]:
        """Return the predicted ranges of tokens."""
        return best_stretches(self.bayes().probabilities(tokens) - 0.5 + self.bias, self.stretches)

    def mark(self, page: Page) -> Marks:
        """Mark the leaves of the best ranges."""
        tokens = tokens_of(page)
        return marked_tokens(tokens, self.stretches_of(tokens))


@dataclass(frozen=True, slots=True, kw_only=True)
class MssHr(Mss):
    """The same with the constraint that no article contains a rule (section 7.4): it ends at its first ``<hr>``."""

    card: ClassVar[Card] = card_of("mss-hr")

    def stretches_of(self, tokens: Tokens) -> list[Stretch]:
        """Return the predicted ranges of tokens, each up to its first rule."""
        rules = np.flatnonzero(tokens.id == _RULE)
        cut = []
        for start, stop in Mss.stretches_of(self, tokens):
            first = np.searchsorted(rules, start)
            cut.append((start, min(stop, int(rules[first]))) if first < len(rules) else (start, stop))
        return cut


@dataclass(frozen=True, slots=True, kw_only=True)
class MssCleaneval(Mss):
    """The setting for CleanEval (section 7.7): unigrams, neighbours for unknown tokens, scores raised by 0.14."""

    order: int = 1
    neighbours: bool = True
    bias: float = 0.14
    model_name: ClassVar[str] = "mss-cleaneval"
    card: ClassVar[Card] = card_of("mss-cleaneval")


@dataclass(frozen=True, slots=True, kw_only=True)
class Www(Mss):
    """WWW: MSS with the two best ranges, as the first paragraph is often separate."""

    stretches: int = 2
    card: ClassVar[Card] = card_of("www")


@dataclass(frozen=True, slots=True, kw_only=True)
class WwwPlus(Www):
    """WWW++: rules before and after WWW.

    The source describes only one rule, the removal of users' comments by class and id. Ours: before WWW, elements named
    comments, navigation, sharing, related, advertisement, sidebar or footer are removed unless they contain most of the
    page's text; after it, the cleaning rules of the MSS paper (section 4.2), and a second range is kept only with a
    minimum of text.
    """

    least_tokens: int = 10  # least number of words and symbols of a second range
    card: ClassVar[Card] = card_of("www++")

    def mark(self, page: Page) -> Marks:
        """Mark the best ranges after applying the rules."""
        tokens = tokens_of(page).without(_suspicious(page))
        best, *others = self.stretches_of(tokens) or [(0, 0)]
        others = [span for span in others if (~tokens.is_tag[slice(*span)]).sum() >= self.least_tokens]
        marks = marked_tokens(tokens, [best, *others])
        return marks & ~_junk(page, tokens, [best, *others])


def marked_tokens(tokens: Tokens, stretches: Iterable[Stretch]) -> Marks:
    """Mark the leaves of ranges of tokens."""
    marks = np.zeros(tokens.leaves, dtype=bool)
    for stretch in stretches:
        marks |= tokens.marks(*stretch)
    return marks


def _junk(page: Page, tokens: Tokens, stretches: Iterable[Stretch]) -> Marks:
    stream = stream_of(page)
    dropped = np.zeros(tokens.leaves, dtype=bool)
    for start, stop in stretches:
        if start < stop:
            dropped |= junk(page, stream, (int(tokens.event[start]), int(tokens.event[stop - 1]) + 1))
    return dropped


def _suspicious(page: Page) -> BoolColumn:
    """Return the elements named by :data:`_DROPPED` with less than half of the text, bool (nodes,)."""
    dropped = np.uint64(sum(1 << index for index, name in enumerate(FAMILIES) if name in _DROPPED))
    size = np.asarray([len(text) for text in page.leaf_texts], dtype=np.float64) * ~invisible_leaves(page)
    named = (node_families(page) & dropped) > 0
    return page.below(named & (page.sum_leaves(size) * 2 < size.sum()))
