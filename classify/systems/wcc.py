"""WCC: web content cleaning: heuristics, a decision tree, a language model, evolved expressions (WAC3 2007)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelMismatch
from ...features.rows import Rows, rows_of
from ...lexicon.words import words, written_words
from ...page.arrays import HALF, FloatArray, Marks
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ...segment.blocks import text_blocks
from ..system import Card, card_of
from .learning.trainable import LabelledPage, Learned, TrainedSystem
from .linear_page import Lines, lines_of_text


@dataclass(frozen=True, slots=True, kw_only=True)
class WccBaseline:
    """Every block of text is a paragraph (CleanEval 62.2 %): all of the page's text."""

    card: ClassVar[Card] = card_of("wcc-baseline")

    def mark(self, page: Page) -> Marks:
        """Mark every line of text."""
        lines = lines_of_text(page)
        return lines.marks(np.ones(len(lines), dtype=bool))


@dataclass(frozen=True, slots=True, kw_only=True)
class WccHeuristic:
    """Long lines of long words are paragraphs, and a short line directly before one is its heading (CleanEval 68.5 %).

    Lines of at most three characters are skipped but counted; any other line that is no paragraph is a possible
    heading. In scripts without spaces every word has one character and no line is a paragraph, as in the source.
    """

    line_characters: int = 3  # a line must have more
    line_words: int = 10  # a paragraph must have more
    word_characters: float = 3.0  # the mean length of a paragraph's words must be greater
    heading_distance: int = 3  # fewer lines than this are between a heading and its paragraph
    card: ClassVar[Card] = card_of("wcc-heuristic")

    def mark(self, page: Page) -> Marks:
        """Mark paragraphs and their headings."""
        lines = lines_of_text(page)
        return lines.marks(self._chosen(lines))

    def _chosen(self, lines: Lines) -> Marks:
        chosen = np.zeros(len(lines), dtype=bool)
        heading = -1
        for index, text in enumerate(lines.texts):
            if len(text) <= self.line_characters:
                continue
            if not self._paragraph(text):
                heading = index
                continue
            chosen[index] = True
            if heading >= 0 and index - heading - 1 < self.heading_distance:
                chosen[heading] = True
            heading = -1
        return chosen

    def _paragraph(self, text: str) -> bool:
        tokens = words(text)
        return len(tokens) > self.line_words and sum(map(len, tokens)) > self.word_characters * len(tokens)


# -- the decision tree -------------------------------------------------------------------------------------------------

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
    card: ClassVar[Card] = card_of("wcc-tree")

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
        return leaves_of_rows(rows, decide(self.learned, features(rows)) > HALF)


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


# -- the language model ------------------------------------------------------------------------------------------------

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
    card: ClassVar[Card] = card_of("wcc-lm")

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


# -- genetic programming: evolved trees of regular expressions ---------------------------------------------------------

#: Number of ancestors whose tags precede a block's text, and most characters of the text.
TAGS_BEFORE, LONGEST = 3, 1000
#: Points for a word of the gold, and for any other word.
GAIN, LOSS = 2.0, 1.0
#: Size of a tournament, trees that survive unchanged, and most leaves of a tree.
TOURNAMENT, ELITE, LARGEST = 3, 2, 15
#: Share of children by crossover; the others are mutations.
CROSSED = 0.6

#: The vocabulary of the expressions. They have no nested repetitions, so that matching is at most quadratic in the
#: length of a line.
_TAGS = "p div td li a h[1-6] span article section body blockquote dd table ul ol nav footer aside header form".split()
_NAMES = (
    "content article text body post entry story main nav menu foot head side comment relat share ad widget link list "
    "title date author copy meta tag promo social login search breadcrumb"
).split()
_ENDINGS = (r'[.!?。！？]["\'”’)]*$', r"[^.!?。！？\"'”’)]$", r":$")
_SIGNS = (r"[.!?] [^<>]", r", ", r"[,，、;]", r"©", r"\|", r"\d{4}", r"[»›>]$", r"@", r"\b[A-Z]{3,}\b", r"。")
_LENGTHS = tuple(10 * 2**step for step in range(6))
_NUMBER = re.compile(r"\{(\d+),")

#: A leaf selects the blocks that match its first expression but not its second, if any; a tree selects those of all
#: its leaves.
Leaf = tuple[str, str]
Tree = tuple[Leaf, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WccGenetic(TrainedSystem):
    """Evolved regular expressions on the markup and text of blocks, joined by OR.

    The leaves of a tree select and reject by an expression, its nodes are ORs; the fitness of a tree is two points for
    each selected word of the gold minus one for each other word; the best survive and are crossed. Ours: as OR is
    associative, a tree is the flat tuple of its leaves; expressions are generated by a grammar of tags, names, lengths,
    punctuation and endings and match a block's text with the tags of three ancestors.
    """

    generations: int = 40
    population: int = 60
    blocks: int = 20_000  # most blocks for training; pages are added in random order until they have this number
    seed: int = 0
    say: Callable[[str], None] | None = field(default=None, compare=False)  # called with the progress as a line of text
    model_name: ClassVar[str] = "wcc-genetic"
    card: ClassVar[Card] = card_of("wcc-genetic")

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Evolve trees on labelled pages."""
        random = Random(self.seed)
        fitness = self._fitness(list(pages), random)
        trees = [tuple(_leaf(random) for _ in range(random.randint(1, 4))) for _ in range(self.population)]
        for generation in range(1, self.generations + 1):
            trees = _next_generation(trees, fitness, random)
            if self.say is not None:
                self.say(f"generation {generation} of {self.generations}: {fitness(trees[0]):.0f} points")
        best = max(trees, key=fitness)
        # Leaves that do not increase the fitness are removed.
        for leaf in best[1:]:
            fewer = tuple(other for other in best if other is not leaf)
            best = fewer if fewer and fitness(fewer) >= fitness(best) else best
        settings = {"tree": [list(leaf) for leaf in best]}
        return replace(self, model=Learned(system=self.model_name, arrays={}, settings=settings))

    def _fitness(self, labelled: list[LabelledPage], random: Random) -> Callable[[Tree], float]:
        random.shuffle(labelled)
        lines: list[str] = []
        points: list[float] = []
        for page in labelled:
            if len(lines) >= self.blocks:
                break
            rows = paragraph_rows(page.page)
            lines += source_lines(rows)
            hits = rows.summed(rows.leaf_words * page.marks)
            points += (GAIN * hits - LOSS * (rows.words - hits)).tolist()
        return lru_cache(maxsize=None)(_Points(lines, np.asarray(points)))

    def mark(self, page: Page) -> Marks:
        """Mark the blocks that the tree selects."""
        tree = _read_tree(self.learned)
        rows = paragraph_rows(page)
        kept = [any(_keeps(leaf, line) for leaf in tree) for line in source_lines(rows)]
        return leaves_of_rows(rows, np.asarray(kept, dtype=bool))


class _Points:
    def __init__(self, lines: list[str], points: NDArray[np.float64]) -> None:
        self.lines = lines
        self.points = points
        self.matches: dict[str, Marks] = {}

    def __call__(self, tree: Tree) -> float:
        kept = np.zeros(len(self.lines), dtype=bool)
        for included, excluded in tree:
            chosen = self._matches(included)
            kept |= chosen & ~self._matches(excluded) if excluded else chosen
        return float(self.points[kept].sum())

    def _matches(self, pattern: str) -> Marks:
        if pattern not in self.matches:
            search = re.compile(pattern).search
            self.matches[pattern] = np.asarray([search(line) is not None for line in self.lines], dtype=bool)
        return self.matches[pattern]


def source_lines(rows: Rows) -> list[str]:
    """Return the input of the expressions for each block: the tags of its ancestors, outermost first, and its text."""
    page = rows.page
    classes, ids = page.attribute("class"), page.attribute("id")

    def tag(row: int) -> str:
        values = [page.strings[code] for code in (int(classes[row]), int(ids[row])) if code >= 0]
        return f'<{page.tag_of(row)} "{" ".join(values).lower()}">'

    lines = []
    for chain, text in zip(rows.chain[:, :TAGS_BEFORE].tolist(), rows.texts, strict=True):
        lines.append("".join(tag(row) for row in reversed(chain)) + text[:LONGEST])
    return lines


def _keeps(leaf: Leaf, line: str) -> bool:
    included, excluded = leaf
    return re.search(included, line) is not None and not (excluded and re.search(excluded, line))


def _leaf(random: Random) -> Leaf:
    return expression(random), random.choice((expression(random), ""))


def _next_generation(trees: list[Tree], fitness: Callable[[Tree], float], random: Random) -> list[Tree]:
    ranked = sorted(trees, key=fitness, reverse=True)
    following = ranked[:ELITE]
    while len(following) < len(trees):
        first, second = (max(random.sample(ranked, TOURNAMENT), key=fitness) for _ in range(2))
        following.append(_crossed(first, second, random) if random.random() < CROSSED else _mutated(first, random))
    return sorted(following, key=fitness, reverse=True)


def _crossed(first: Tree, second: Tree, random: Random) -> Tree:
    leaves = [leaf for leaf in dict.fromkeys((*first, *second)) if random.random() < HALF]
    return tuple(leaves[:LARGEST]) or first


def _mutated(tree: Tree, random: Random) -> Tree:
    """Return a tree without one of its leaves, with another one, or with one expression changed."""
    at = random.randrange(len(tree))
    (included, excluded), before, behind = tree[at], tree[:at], tree[at + 1 :]
    without, longer = (*before, *behind), (*tree, _leaf(random))
    changed = random.choice(((mutated(included, random), excluded), (included, mutated(excluded, random))))
    return random.choice([made for made in (without, longer, (*before, changed, *behind)) if 0 < len(made) <= LARGEST])


@lru_cache(maxsize=8)
def _read_tree(learned: Learned) -> Tree:
    leaves: Any = learned.setting("tree")
    try:
        tree = tuple((str(included), str(excluded)) for included, excluded in leaves)
        for pattern in (pattern for leaf in tree for pattern in leaf):
            re.compile(pattern)
    except (TypeError, ValueError, re.error) as error:
        raise ModelMismatch(f"the model of {learned.system} has no valid tree of expressions ({error})") from error
    return tree


def expression(random: Random) -> str:
    """Return a random expression: a tag or a name before the text, a pattern in the text, or both in this order."""
    markup, text = _markup(random), _text(random)
    return random.choice((markup, text, f"{markup}.*{text}"))


def mutated(pattern: str, random: Random) -> str:
    """Return an expression with a changed length, or a new random one."""
    if _NUMBER.search(pattern) and random.random() < HALF:
        return _NUMBER.sub(lambda match: f"{{{max(1, round(int(match[1]) * random.uniform(0.5, 2)))},", pattern)
    return expression(random)


def _markup(random: Random) -> str:
    # The tag directly before the text, or any tag before it; or a name.
    tag = f'<{random.choice(_TAGS)} "[^"]*">{random.choice(("[^<]", ""))}'
    return random.choice((tag, f'"[^"]*{random.choice(_NAMES)}[^"]*">'))


def _text(random: Random) -> str:
    length = f">[^<>]{{{random.choice(_LENGTHS)},}}$"
    return random.choice((length, random.choice(_ENDINGS), random.choice(_SIGNS)))
