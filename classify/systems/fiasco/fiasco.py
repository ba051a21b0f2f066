"""FIASCO: Filtering the Internet by Automatic Subtree Classification, Osnabrück (Bauer et al., WAC3 2007)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Self

import numpy as np

from ....features.rows import Rows
from ....features.rows import rows_of as made_rows
from ....features.words import count_sentences, words
from ....render.arrays import FloatArray, Marks
from ....render.errors import GeometryMissing
from ....render.page import Page
from ....render.visibility import concealed
from ....segment.outlines import outline_measures
from ....segment.targets import target_nodes
from ...system import Card
from ..learning.hashing import Hashes, token_hash, token_hashes
from ..learning.kernel import KernelSvm, kernel_of
from ..learning.learned import Labelled, Learned, shipped
from .dice import clean_leaves

#: Words on each list of keywords, and in how many pages each must stand.
KEYWORDS = 100
LEAST_PAGES = 5
COLUMNS = (
    *("characters", "words", "word types", "sentences", "words a sentence", "clean keywords", "dirty keywords"),
    *("capitalised", "numbers", "one letter"),
    *("depth", "heading", "paragraph", "links", "images"),
    *("solidity 1", "solidity 2", "solidity 3", "relative width", "relative height"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fiasco:
    """An SVM with probability output over linguistic, structural and visual features of target nodes.

    The slides give the groups of features and no formulas. Ours: the keywords are the words that part clean from dirty
    text best in training; instead of a distribution of parts of speech, which needs a tagger a language, that of the
    words' shapes (capitalised, number, one letter); counts enter by logarithm; the three solidities are those of
    :mod:`~blocksight.segment.outlines`. Labels come from Dice overlap
    (:mod:`~blocksight.classify.systems.fiasco.dice`). Text that is not laid out is never content.

    Parameters
    ----------
    model : Learned, optional
        Instead of the one that comes with the program.
    share : float
        Of a target node's text in its own text children, at least; the slides ask for all of it, the successor for a
        tenth. It belongs to the model: learn anew to change it.
    threshold : float
        Probability from which on a target node is clean.
    seed : int
        Of the sample that it is fitted on.
    """

    model: Learned | None = None
    share: float = 0.10
    threshold: float = 0.5
    seed: int = 0
    model_name: ClassVar[str] = "fiasco"
    card: ClassVar[Card] = Card(
        name="fiasco",
        title="SVM over linguistic, structural and visual features of target nodes",
        paper="Bauer et al.: FIASCO, Filtering the Internet by Automatic Subtree Classification (WAC3)",
        year=2007,
        visual=True,
        trained=True,
    )

    def learn(self, pages: Iterable[Labelled]) -> Self:
        """Fit on the target nodes of labelled pages that are rendered."""
        from ..learning.kernel_fitting import fit_kernel

        examples = [_example(labelled, self.share) for labelled in pages]
        clean, dirty = keyword_lists([one.counts.texts for one in examples], [one.labels for one in examples])
        if not examples:
            raise ValueError("fiasco needs pages to learn from")
        machine = fit_kernel(
            np.concatenate([features(one.counts, clean, dirty)[one.seen] for one in examples]),
            np.concatenate([one.labels[one.seen] for one in examples]),
            [one.site for one in examples for _ in range(int(one.seen.sum()))],
            np.concatenate([one.counts.words[one.seen] for one in examples]),
            seed=self.seed,
        )
        arrays = {**machine.arrays(), "clean": clean, "dirty": dirty}
        return replace(self, model=Learned(system=self.model_name, arrays=arrays, settings={"share": self.share}))

    def mark(self, page: Page) -> Marks:
        """Mark the text of the target nodes that are clean."""
        if page.geometry is None:
            raise GeometryMissing(self.card.name)
        marks = np.zeros(len(page.leaves), dtype=bool)
        learned = self.model or shipped(self.model_name)
        counts = rows_of(page, float(learned.setting("share")))
        seen = _laid_out(counts)
        if seen.any():
            matrix = features(counts, learned.array("clean"), learned.array("dirty"))
            rows = np.append(seen & (_machine(learned).probability(matrix) >= self.threshold), False)
            marks = rows[counts.leaf_row] & ~concealed(page)
        return marks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Example:
    """The target nodes of a page to learn from: which are clean, and which are laid out."""

    counts: Rows
    labels: Marks
    seen: Marks
    site: str


def _example(labelled: Labelled, share: float) -> _Example:
    counts = rows_of(labelled.page, share)
    clean = counts.summed(counts.leaf_words * clean_leaves(labelled.page, labelled.gold)) * 2 > counts.words
    return _Example(counts=counts, labels=clean, seen=_laid_out(counts), site=labelled.site)


def rows_of(page: Page, share: float) -> Rows:
    """Return the target nodes of a page as rows."""
    return made_rows(page, target_nodes(page, share=share))


def features(counts: Rows, clean: Hashes, dirty: Hashes) -> FloatArray:
    """float64 (rows, :data:`COLUMNS`)."""
    return np.concatenate([_linguistic(counts, clean, dirty), _structural(counts), _visual(counts)], axis=1)


def keyword_lists(texts: Sequence[Sequence[str]], labels: Sequence[Marks]) -> tuple[Hashes, Hashes]:
    """Find the words typical of clean and of dirty text, as hashes, by the pages in which they stand on either side."""
    clean, dirty = Counter[str](), Counter[str]()
    for rows, truth in zip(texts, labels, strict=True):
        for counter, side in ((clean, True), (dirty, False)):
            found = [text for text, label in zip(rows, truth, strict=True) if label == side]
            counter.update({word for text in found for word in words(text)})
    known = sorted(word for word in clean.keys() | dirty.keys() if clean[word] + dirty[word] >= LEAST_PAGES)
    lean = np.log([(clean[word] + 1) / (dirty[word] + 1) for word in known] or [0.0])
    order = np.argsort(lean, kind="stable")
    hashes = token_hashes(known or [""])
    # A list holds words of its own side only.
    first, last = order[:KEYWORDS], order[::-1][:KEYWORDS]
    return np.sort(hashes[last[lean[last] > 0]]), np.sort(hashes[first[lean[first] < 0]])


def _linguistic(counts: Rows, clean: Hashes, dirty: Hashes) -> FloatArray:
    typical, odd = frozenset(clean.tolist()), frozenset(dirty.tolist())
    rows = []
    for text in counts.texts:
        found, sentences = words(text), count_sentences(text)
        some, hashes = max(len(found), 1), [token_hash(word) for word in found]
        parts = text.split()
        rows.append(
            [
                np.log1p(len(text)),
                np.log1p(len(found)),
                np.log1p(len(set(found))),
                np.log1p(sentences),
                np.log1p(len(found) / max(sentences, 1)),
                sum(word in typical for word in hashes) / some,
                sum(word in odd for word in hashes) / some,
                sum(part[:1].isupper() for part in parts) / max(len(parts), 1),
                sum(word.isnumeric() for word in found) / some,
                sum(len(word) == 1 for word in found) / some,
            ]
        )
    return np.asarray(rows, dtype=np.float64).reshape(-1, 10)


def _structural(counts: Rows) -> FloatArray:
    page, node = counts.page, counts.node
    heading = page.below(page.has_tag("h1", "h2", "h3", "h4", "h5", "h6"))[node]
    columns = [page.depth[node], heading, page.has_tag("p")[node]]
    for tag in ("a", "img"):
        total = np.concatenate([[0], np.cumsum(page.has_tag(tag))])
        columns.append(np.log1p(total[page.end[node]] - total[node]))
    return np.stack(columns, axis=1).astype(np.float64)


def _visual(counts: Rows) -> FloatArray:
    shape = outline_measures(counts.page, counts.leaf_row, len(counts))
    width, height = shape.krdwrd[:, 3], shape.krdwrd[:, 4]
    widest, highest = np.nanmax(np.append(width, 1.0)), np.nanmax(np.append(height, 1.0))
    columns = [shape.solidity1, np.log(shape.solidity2), shape.solidity3, width / widest, height / highest]
    return np.stack(columns, axis=1)


def _laid_out(counts: Rows) -> Marks:
    lines = outline_measures(counts.page, counts.leaf_row, len(counts)).lines
    seen: Marks = lines > 0
    return seen


@lru_cache(maxsize=8)
def _machine(learned: Learned) -> KernelSvm:
    return kernel_of(learned)
