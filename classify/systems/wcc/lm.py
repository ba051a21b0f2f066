"""WCC's language models of title, headings and elements (Hofmann and Weerkamp, WAC3 2007)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np

from ....features.rows import Rows
from ....lexicon.words import words
from ....page.arrays import FloatArray, Marks
from ....page.page import Page
from ....page.visibility import invisible_leaves
from ...system import Card
from ..learning.trainable import LabelledPage, Learned, TrainedSystem
from .decision_tree import PAPER, block_labels, leaves_of_rows, paragraph_rows

#: Weight of an element's own words in its model; the rest is the page's (Jelinek and Mercer).
OWN = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class WccLm(TrainedSystem):
    """Elements whose language model has a small divergence from the query model of title and headings.

    The divergence is Kullback and Leibler's, of the query from the element: the sum over the query's words of
    q ln(q / e). Ours: elements are paragraphs, their models are mixed with that of the page (Jelinek and Mercer), the
    divergence is relative to that of the whole page, so that one threshold is suitable for long and short titles; the
    threshold is fitted in training; a page without title and headings is kept completely.
    """

    #: Weight of an element's own words in its model, above 0, below 1.
    own: float = OWN
    model_name: ClassVar[str] = "wcc-lm"
    card: ClassVar[Card] = Card(
        name="wcc-lm",
        title="elements near the language model of title and headings",
        paper=PAPER,
        year=2007,
        trained=True,
    )

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Find the threshold with the best F1 of words over all pages."""
        values, sizes, hits = [np.zeros(0)], [np.zeros(0)], [np.zeros(0)]
        for labelled in pages:
            rows = paragraph_rows(labelled.page)
            diverging = divergence(rows, self.own)
            if diverging is not None:
                values.append(diverging)
                sizes.append(rows.words)
                hits.append(rows.words * block_labels(rows, labelled.marks))
        value = best_threshold(*map(np.concatenate, (values, sizes, hits)))
        arrays = {"threshold": np.asarray(value)}
        return replace(self, model=Learned(system=self.model_name, arrays=arrays, settings={"own": self.own}))

    def mark(self, page: Page) -> Marks:
        """Mark the paragraphs near the query."""
        learned = self.learned
        rows = paragraph_rows(page)
        own = learned.number("own")
        if not 0 < own < 1:
            raise learned.damaged("own")
        diverging = divergence(rows, own)
        if diverging is None:
            return leaves_of_rows(rows, np.ones(len(rows), dtype=bool))
        return leaves_of_rows(rows, diverging < learned.array("threshold", (), kind="f"))


def query_of(page: Page) -> list[str]:
    """Return the words of a page's title and of its headings."""
    heading = page.below(page.has_tag("h1", "h2", "h3"))[page.leaves] & ~invisible_leaves(page)
    texts = [text for text, is_heading in zip(page.leaf_texts, heading, strict=True) if is_heading]
    return words(" ".join([page.title, *texts]))


def divergence(rows: Rows, own: float) -> FloatArray | None:
    """Return the divergence (nats) of the query from each paragraph minus that from the page; None without a query."""
    query = Counter(query_of(rows.page))
    if not query:
        return None
    bags = [Counter(words(text)) for text in rows.texts]
    page = Counter(query)
    for bag in bags:
        page.update(bag)
    terms = list(query)
    share = np.asarray([query[word] for word in terms]) / query.total()
    common = np.asarray([page[word] for word in terms]) / page.total()
    counts = np.asarray([[bag[word] for word in terms] for bag in bags], dtype=np.float64).reshape(-1, len(terms))
    total = np.asarray([max(bag.total(), 1) for bag in bags], dtype=np.float64)[:, None]
    element = own * counts / total + (1 - own) * common
    result: FloatArray = (share * np.log(common / element)).sum(axis=1)
    return result


def best_threshold(values: FloatArray, sizes: FloatArray, hits: FloatArray) -> float:
    """Return the threshold with the best F1 of words; equal values are on the same side."""
    if not len(values):
        return 0.0
    order = np.argsort(values, kind="stable")
    kept, right = np.cumsum(sizes[order]), np.cumsum(hits[order])
    # Rows with equal values are kept together.
    last = np.append(np.diff(values[order]) > 0, True)
    score = np.where(last, 2 * right / np.maximum(kept + hits.sum(), 1e-9), -1.0)
    return float(np.nextafter(values[order][int(np.argmax(score))], np.inf))
