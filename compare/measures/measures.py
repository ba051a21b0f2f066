"""Registry of the measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from ...errors import unknown_name
from ...gold.pages import GoldPage, GoldSnippets
from ..outputs import SystemOutput
from .field_measures import f1, has_reference, is_exact
from .grading import Snippets, cleaneval_score, snippet_counts
from .labelling import Confusion, LeafReference, leaf_confusion
from .overlap import Overlap, best_of, word_bag, word_sequence
from .significance import Statistic, mean

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
