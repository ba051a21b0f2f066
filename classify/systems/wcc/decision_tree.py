"""WCC's decision tree: Web Corpus Cleaning using content and structure (Hofmann and Weerkamp, WAC3 2007)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....features.rows import Rows, rows_of
from ....lexicon.words import written_words
from ....page.arrays import FloatArray, Marks
from ....page.page import Page
from ....page.visibility import invisible_leaves
from ....segment.blocks import text_blocks
from ...system import Card
from ..learning.trainable import LabelledPage, Learned, TrainedSystem

PAPER = "Hofmann, Weerkamp: Web Corpus Cleaning using Content and Structure (WAC3)"
#: Size of the tree (ours).
DEPTH, LEAST_IN_LEAF = 8, 20
#: Parent tags with a feature; all others are equal.
TAGS = "p div td th li a h1 h2 h3 h4 h5 h6 span dd dt pre blockquote body article section figcaption form".split()

_PUNCTUATION = re.compile(r"[.,:;!?。，、；：！？]")


@dataclass(frozen=True, slots=True, kw_only=True)
class WccTree(TrainedSystem):
    """A decision tree on a block's words, parent tag, share of capitalised words, and words per punctuation mark.

    Ours: blocks are paragraphs (:func:`~blocksight.segment.blocks.text_blocks`), the tree is scikit-learn's (CART,
    Gini) with limited depth; the slides describe only the features.
    """

    #: Largest depth of the tree, in training.
    depth: int = DEPTH
    #: Least number of blocks in a leaf, in training.
    least_in_leaf: int = LEAST_IN_LEAF
    model_name: ClassVar[str] = "wcc-tree"
    card: ClassVar[Card] = Card(
        name="wcc-tree",
        title="decision tree on words, parent tag, capitals and punctuation",
        paper=PAPER,
        year=2007,
        trained=True,
    )

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Fit the tree on the blocks of labelled pages, with equal weights."""
        from sklearn.tree import DecisionTreeClassifier

        matrices, labels = [np.zeros((0, 3 + len(TAGS)))], [np.zeros(0, dtype=bool)]
        for labelled in pages:
            rows = paragraph_rows(labelled.page)
            matrices.append(features(rows))
            labels.append(block_labels(rows, labelled.marks))
        tree = DecisionTreeClassifier(max_depth=self.depth, min_samples_leaf=self.least_in_leaf, random_state=0)
        grown = tree.fit(np.concatenate(matrices), np.concatenate(labels)).tree_
        # The share of content in each node; a tree fitted on one label has one column.
        value = grown.value[:, 0, -1] if tree.n_classes_ == 2 else np.full(grown.node_count, float(tree.classes_[0]))
        arrays = {
            "feature": grown.feature.astype(np.int16),
            "threshold": grown.threshold,
            "children": np.stack([grown.children_left, grown.children_right], axis=1).astype(np.int32),
            "value": value,
        }
        return replace(self, model=Learned(system=self.model_name, arrays=arrays))

    def mark(self, page: Page) -> Marks:
        """Mark the blocks that reach a leaf of the tree with more than half content."""
        rows = paragraph_rows(page)
        return leaves_of_rows(rows, decide(self.learned, features(rows)) > 0.5)


def paragraph_rows(page: Page) -> Rows:
    """Return the paragraphs of a page as rows."""
    return rows_of(page, text_blocks(page))


def block_labels(rows: Rows, marks: Marks) -> Marks:
    """Return which rows have most of their words marked, bool (rows,)."""
    return rows.summed(rows.leaf_words * marks) * 2 > rows.words


def leaves_of_rows(rows: Rows, chosen: Marks) -> Marks:
    """Return the visible leaves of some rows, bool (leaves,)."""
    marks: Marks = np.append(chosen, False)[rows.leaf_row] & ~invisible_leaves(rows.page)
    return marks


def features(rows: Rows) -> FloatArray:
    """Return words, share of capitalised words, words per punctuation mark, and parent tag of each row."""
    measured = [_text_features(text) for text in rows.texts]
    tag = np.stack([rows.page.has_tag(name)[rows.node] for name in TAGS], axis=1)
    return np.concatenate([np.asarray(measured, dtype=np.float64).reshape(-1, 3), tag], axis=1)


def decide(learned: Learned, matrix: FloatArray) -> FloatArray:
    """Return the share of content in the leaf of the tree that each row reaches, float64 (rows,)."""
    feature, threshold, children, value = _branches(learned)
    node = np.zeros(len(matrix), dtype=np.int32)
    inner = children[node, 0] >= 0
    while inner.any():
        # scikit-learn compares single-precision features.
        value_of_row = matrix[np.arange(len(matrix)), np.maximum(feature[node], 0)].astype(np.float32)
        node = np.where(inner, children[node, (value_of_row > threshold[node]).astype(np.int64)], node)
        inner = children[node, 0] >= 0
    return value[node]


def _branches(learned: Learned) -> tuple[NDArray[np.int16], FloatArray, NDArray[np.int32], FloatArray]:
    """Return feature, threshold, children (both -1 for a leaf) and share of content of each node."""
    value = learned.array("value", (None,), kind="f")
    count = len(value)
    feature, threshold = learned.array("feature", (count,), kind="i"), learned.array("threshold", (count,), kind="f")
    children = learned.array("children", (count, 2), kind="i")
    # Children must follow their parent, so that every descent terminates.
    ordered = (children > np.arange(count)[:, None]).all(axis=1) & (children < count).all(axis=1)
    if not count or not (ordered | (children < 0).all(axis=1)).all() or feature.max() >= 3 + len(TAGS):
        raise learned.damaged("children or feature")
    return feature, threshold, children, value


def _text_features(text: str) -> tuple[float, float, float]:
    parts = written_words(text)
    capitals = sum(part[:1].isupper() for part in parts)
    return len(parts), capitals / max(len(parts), 1), len(parts) / max(len(_PUNCTUATION.findall(text)), 1)
