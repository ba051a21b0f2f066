"""Registry of the measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from ...classify.system import SystemMetadata
from ...errors import unknown_name
from ...gold.leaf_labels import label_leaves
from ...gold.pages import CONTENT, UNCERTAIN, GoldPage, GoldSnippets
from ...lexicon.words import words
from ...page.arrays import FloatArray, Marks
from ...page.metadata.authors import names_in
from ...page.metadata.dates import iso_date
from ...page.page import Page
from ...page.visibility import invisible_leaves
from ..outputs import SystemOutput

#: From the values of pages, float64 (..., pages, columns), to one figure for them all, float64 (...,).
Statistic = Callable[[FloatArray], FloatArray]

RESAMPLES = 2000


class Interval(NamedTuple):
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float


def mean(columns: FloatArray) -> FloatArray:
    """Return the mean of the first column over pages."""
    result: FloatArray = columns[..., 0].mean(axis=-1)
    return result


def interval(columns: FloatArray, statistic: Statistic = mean, groups: Sequence[str] | None = None) -> Interval:
    """Return a statistic of ``columns``, float64 (pages, columns), and its percentile bootstrap interval (Efron 1979).

    Pages of one site, such as those of one template, are not independent: with ``groups``, a name for each page, a
    group is drawn as a whole (Field and Welsh, 2007). With a single page or group the interval is the value itself.
    ValueError without a page.
    """
    if not len(columns):
        raise ValueError("no values to average")
    value = float(statistic(columns))
    units = np.arange(len(columns))[:, None] if groups is None else _members(groups)
    if len(units) < 2:
        return Interval(value=value, low=value, high=value)
    drawn = np.random.default_rng(0).integers(0, len(units), size=(RESAMPLES, len(units)))
    pages = drawn if groups is None else (np.concatenate([units[unit] for unit in row]) for row in drawn.tolist())
    low, high = np.percentile([float(statistic(columns[chosen])) for chosen in pages], [2.5, 97.5])
    return Interval(value=value, low=float(low), high=float(high))


def _members(groups: Sequence[str]) -> list[NDArray[np.intp]]:
    _, group = np.unique(np.asarray(groups), return_inverse=True)
    return [np.flatnonzero(group == number) for number in range(int(group.max()) + 1)]


def difference(
    first: FloatArray, second: FloatArray, statistic: Statistic = mean, groups: Sequence[str] | None = None
) -> Interval:
    """Return first minus second, both float64 (pages, columns), and its interval: pages are drawn together."""
    width = first.shape[1]
    both = np.concatenate([first, second], axis=1)
    return interval(both, lambda both: statistic(both[..., :width]) - statistic(both[..., width:]), groups)


class Overlap(NamedTuple):
    """Precision, recall and their harmonic mean."""

    precision: float
    recall: float
    f1: float


def overlap(shared: float, prediction: float, reference: float) -> Overlap:
    """Return precision, recall and F1 from the sizes of the intersection, the prediction and the reference.

    >>> overlap(2, 2, 3)
    Overlap(precision=1.0, recall=0.6666666666666666, f1=0.8)
    """
    if not prediction and not reference:
        return Overlap(1.0, 1.0, 1.0)
    return Overlap(
        precision=shared / prediction if prediction else 0.0,
        recall=shared / reference if reference else 0.0,
        f1=2 * shared / (prediction + reference),
    )


@lru_cache(maxsize=64)
def word_tuple(text: str) -> tuple[str, ...]:
    """Return a text's words; cached, since each reference is needed once for each system and measure."""
    return tuple(words(text))


def common_words(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two sequences."""
    return int(LCSseq.similarity(first, second))


def word_bag(prediction: str, reference: str) -> Overlap:
    """Compare two texts as multisets of words (Pasternack and Roth, WWW 2009, section 7, for VIPS and CleanEval).

    >>> word_bag("a b b", "b b c")
    Overlap(precision=0.6666666666666666, recall=0.6666666666666666, f1=0.6666666666666666)
    """
    predicted, expected = Counter(word_tuple(prediction)), Counter(word_tuple(reference))
    return overlap((predicted & expected).total(), predicted.total(), expected.total())


def word_sequence(prediction: str, reference: str) -> Overlap:
    """Compare two texts as sequences: the words on their longest common subsequence are the same ones.

    Pasternack and Roth (WWW 2009, section 7) treat every word of a page as distinct, even if two are spelled the same.
    A reference that is plain text does not determine which of them it means; the longest common subsequence is the most
    favourable assignment that keeps the order.

    >>> word_sequence("c a b", "a b c").f1
    0.6666666666666666
    """
    predicted, expected = word_tuple(prediction), word_tuple(reference)
    return overlap(common_words(predicted, expected), len(predicted), len(expected))


def best_of(measure: Callable[[str, str], Overlap], prediction: str, references: Iterable[str]) -> Overlap:
    """Compare with several acceptable extractions and return the best F1 (MSS, section 4.1, "best").

    ValueError without a reference.
    """
    return max((measure(prediction, reference) for reference in references), key=lambda result: result.f1)


def shortest(references: Sequence[str]) -> str:
    """Return the extraction with the fewest words (MSS, section 4.1, "short": main text without headline or byline).

    >>> shortest(["Headline. Text here.", "Text here."])
    'Text here.'
    """
    return min(references, key=lambda reference: len(word_tuple(reference)))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LeafReference:
    """Reference labels of a page's text leaves."""

    content: Marks  # bool (leaves,)
    #: bool (leaves,): False for leaves that are invisible, uncertain, or without a label: they are not counted.
    known: Marks


class Confusion(NamedTuple):
    """Right and wrong decisions as shares."""

    accuracy: float
    p: float  # precision
    r: float  # recall
    f1: float


def leaf_reference(page: Page, gold: GoldPage) -> LeafReference | None:
    """Return the reference labels of a page's leaves (:func:`~blocksight.gold.leaf_labels.label_leaves`).

    They are derived from labels of nodes, else from the gold text; None without either. Labels derived from a text are
    good for comparing classifiers with each other; manual labels of leaves are closer to the truth.
    """
    if not (gold.nodes.texts or gold.texts):
        return None
    label = label_leaves(page, gold)
    known = (label != UNCERTAIN) & ~invisible_leaves(page)
    return LeafReference(content=label == CONTENT, known=known)


def leaf_confusion(prediction: Marks, reference: LeafReference) -> Confusion:
    """Compare leaves: each is one decision, as in KrdWrd's evaluation of text nodes (Steger and Stemle, WAC5 2009)."""
    marked, content = prediction[reference.known], reference.content[reference.known]
    shared = overlap(float((marked & content).sum()), float(marked.sum()), float(content.sum()))
    return Confusion(float((marked == content).mean()) if len(marked) else 1.0, *shared)


class Snippets(NamedTuple):
    """Counts of required snippets that are present, forbidden ones present, required ones absent, forbidden absent."""

    right: int
    wrong: int
    missed: int
    avoided: int


def snippet_counts(prediction: str, must_have: Sequence[str], must_not: Sequence[str]) -> Snippets:
    """Count short texts in an extraction, case-sensitive, white space normalised (trafilatura's evaluation).

    >>> snippet_counts("High water at noon.", ["High  water", "the bar"], ["Home"])
    Snippets(right=1, wrong=0, missed=1, avoided=1)
    """
    text = _normalised(prediction)
    right = sum(_normalised(snippet) in text for snippet in must_have)
    wrong = sum(_normalised(snippet) in text for snippet in must_not)
    return Snippets(right, wrong, len(must_have) - right, len(must_not) - wrong)


def _normalised(text: str) -> str:
    return " ".join(text.split())


def cleaneval_score(prediction: str, reference: str) -> float:
    """Return CleanEval's "text only" score: 1 - edits / length of the alignment (Pasternack, Roth 2009, section 7.7).

    Edits are insertions and deletions of words, there are no substitutions; the alignment has one step for each word
    that is inserted, deleted or aligned. With a longest common subsequence of L words that is L / (n + m - L).

    >>> cleaneval_score("the dog", "the dog barked")
    0.6666666666666666
    """
    predicted, expected = word_tuple(prediction), word_tuple(reference)
    aligned = common_words(predicted, expected)
    steps = len(predicted) + len(expected) - aligned
    return aligned / steps if steps else 1.0


def has_reference(gold: GoldPage, name: str) -> bool:
    """Return whether the gold of a page includes a metadata field."""
    return bool({"title": gold.metadata.title, "author": gold.metadata.authors, "date": gold.metadata.date}[name])


def f1(matches: FloatArray) -> FloatArray:
    """Return the F1 of the counts of all pages: 2 right / (2 right + wrong + missed), 1 if there are none.

    ``matches`` is float64 (..., pages, 3 or more): what is right, wrong and missed on each page.
    """
    right, wrong, missed, *_ = np.moveaxis(matches.sum(axis=-2), -1, 0)
    total = 2 * right + wrong + missed
    result: FloatArray = np.where(total > 0, 2 * right / np.where(total > 0, total, 1.0), 1.0)
    return result


def is_exact(prediction: SystemMetadata, gold: GoldPage, field: str) -> bool:
    """Return whether a metadata field equals the gold; white space and case are ignored."""
    if field == "title":
        return _key(prediction.title) == _key(gold.metadata.title)
    if field == "author":
        reference = {_key(name) for byline in gold.metadata.authors for name in names_in(byline) or (byline,)}
        return {_key(name) for name in prediction.authors} == reference
    return prediction.date[:10] == iso_date(gold.metadata.date, gold.language)[:10]


def _key(text: str) -> str:
    return " ".join(text.casefold().split())


Scores = Mapping[str, float | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A way of scoring a system's output."""

    name: str  # Its identifier
    title: str
    source: str
    columns: tuple[str, ...]  # The columns that it computes for each page
    main: str  # The column by which pages and systems are ranked: higher is better
    #: What the gold must have: "texts", "snippets", "labels" or "fields".
    needs: Literal["texts", "snippets", "labels", "fields"] = "texts"
    #: From an output, its gold and the reference labels of its leaves to the columns' values.
    score: Callable[[SystemOutput, GoldPage, LeafReference | None], Scores]
    summed: tuple[str, ...] = ()  # The columns from which the figure for many pages is computed; by default ``main``
    summary: Statistic = mean  # From float64 (..., pages, summed) to float64 (...,): by default the mean of ``main``

    def applies(self, gold: GoldPage) -> bool:
        """Return whether a gold has what the measure needs."""
        if self.needs == "fields":
            return has_reference(gold, self.name)
        return {
            "texts": bool(gold.texts),
            "snippets": gold.snippets != GoldSnippets(),
            "labels": bool(gold.texts or gold.nodes.texts),
        }[self.needs]

    @property
    def figures(self) -> tuple[str, ...]:
        """The columns from which the figure for many pages is computed."""
        return self.summed or (self.main,)


def _words(
    prefix: str,
    compare: Callable[[str, str], Overlap],
    output: SystemOutput,
    gold: GoldPage,
    _: LeafReference | None,
) -> Scores:
    best = best_of(compare, output.text, gold.texts)
    return {f"{prefix}_p": best.precision, f"{prefix}_r": best.recall, f"{prefix}_f1": best.f1}


def _cleaneval(output: SystemOutput, gold: GoldPage, _: LeafReference | None) -> Scores:
    return {"cleaneval": max(cleaneval_score(output.text, text) for text in gold.texts)}


def _snippets(output: SystemOutput, gold: GoldPage, _: LeafReference | None) -> Scores:
    counts = snippet_counts(output.text, gold.snippets.must_have, gold.snippets.must_not)
    page_f1 = float(f1(np.asarray([counts], dtype=np.float64)))
    return {"snippet_f1": page_f1, **dict(zip(_SNIPPETS, map(float, counts), strict=True))}


def _labels(output: SystemOutput, _: GoldPage, leaves: LeafReference | None) -> Scores:
    if leaves is None:
        raise ValueError("leaf scores need reference labels of the leaves")
    return {f"leaf_{name}": score for name, score in leaf_confusion(output.marks, leaves)._asdict().items()}


def _field_score(name: str, output: SystemOutput, gold: GoldPage, _: LeafReference | None) -> Scores:
    return {} if output.metadata is None else {f"{name}_exact": float(is_exact(output.metadata, gold, name))}


def _field(name: str, title: str) -> Measure:
    column, score = f"{name}_exact", partial(_field_score, name)
    return Measure(name=name, title=title, source="ours", columns=(column,), main=column, needs="fields", score=score)


#: The columns of the counts of snippets.
_SNIPPETS = tuple(f"snippet_{name}" for name in Snippets._fields)

MEASURES: tuple[Measure, ...] = (
    Measure(
        name="word-bag",
        title="Words as a multiset",
        source="Pasternack and Roth, WWW 2009, section 7",
        columns=("bag_p", "bag_r", "bag_f1"),
        main="bag_f1",
        score=partial(_words, "bag", word_bag),
    ),
    Measure(
        name="word-sequence",
        title="Words in their order",
        source="Pasternack and Roth, WWW 2009, section 7",
        columns=("seq_p", "seq_r", "seq_f1"),
        main="seq_f1",
        score=partial(_words, "seq", word_sequence),
    ),
    Measure(
        name="cleaneval",
        title="CleanEval, text only",
        source="CleanEval 2007, as in Pasternack and Roth, WWW 2009, section 7.7",
        columns=("cleaneval",),
        main="cleaneval",
        score=_cleaneval,
    ),
    Measure(
        name="snippets",
        title="Snippets that must and must not be present",
        source="trafilatura's evaluation (Barbaresi, 2021)",
        columns=("snippet_f1", *_SNIPPETS),
        main="snippet_f1",
        needs="snippets",
        score=_snippets,
        summed=_SNIPPETS,
        summary=f1,
    ),
    Measure(
        name="labels",
        title="Text leaves classified correctly",
        source="Steger and Stemle, WAC5 2009",
        columns=tuple(f"leaf_{name}" for name in Confusion._fields),
        main="leaf_f1",
        needs="labels",
        score=_labels,
    ),
    _field("title", "Exact titles"),
    _field("author", "Exact authors"),
    _field("date", "Exact publication dates"),
)


def measure_named(name: str) -> Measure:
    """Return a measure by its name; ValueError for an unknown name, with suggestions."""
    for measure in MEASURES:
        if measure.name == name:
            return measure
    raise unknown_name("measure", name, (measure.name for measure in MEASURES))
