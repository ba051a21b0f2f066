"""The measures by name. The list is written by hand: what stands here is what there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from ...errors import unknown_name
from ...gold.convention import page_rows
from ...gold.pages import GoldPage
from ...gold.role_scores import COUNTS, MEASURED, macro_f1, role_counts, row_roles
from ...gold.role_votes import role_gold
from ...page.arrays import FloatArray
from ..outputs import Answer
from .cleaneval import evert_counting, text_and_markup, text_only
from .grading import SCEDD_TOLERANCE, grade, scedd_error, snippet_counts, snippet_f1
from .labelling import LeafGold, block_confusion, leaf_confusion
from .overlap import (
    Matches,
    Overlap,
    best_of,
    shingle_matches,
    shingle_overlap,
    shortest,
    word_bag,
    word_bag_f1,
    word_sequence,
)
from .rouge import rouge_lsum
from .significance import Statistic, mean
from .structure_measures import f1, is_exact, states, structure_matches

__all__ = ["MEASURES", "Measure", "measure_named", "word_bag_f1"]

Scores = Mapping[str, float | str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A way of scoring an answer.

    Attributes
    ----------
    name : str
        By which it is chosen.
    title, source : str
    columns : tuple of str
        What it writes for each page.
    main : str
        The column by which pages and systems are ranked; higher is better unless ``lower``.
    needs : str
        What the gold must have: "texts", "markup", "snippets", "labels", "structure", "fields" or "roles".
    score : callable
        From an answer, its gold and the gold of its leaves to the columns' values.
    summed : tuple of str
        The columns that the figure for many pages is made of; by default ``main``.
    summary : callable
        From float64 (..., pages, summed) to float64 (...,): by default the mean of ``main``.
    lower : bool
        Whether lower is better.
    """

    name: str
    title: str
    source: str
    columns: tuple[str, ...]
    main: str
    needs: Literal["texts", "markup", "snippets", "labels", "structure", "fields", "roles"]
    score: Callable[[Answer, GoldPage, LeafGold | None], Scores]
    summed: tuple[str, ...] = ()
    summary: Statistic = mean
    lower: bool = False

    def applies(self, gold: GoldPage) -> bool:
        """Return whether a gold has what the measure needs."""
        if self.needs in ("structure", "fields"):
            return states(gold, self.name)
        return {
            "texts": bool(gold.texts),
            "markup": bool(gold.markup),
            "snippets": bool(gold.must_have or gold.must_not),
            "labels": bool(gold.texts or gold.node_texts),
            "roles": bool(gold.texts),
        }[self.needs]

    @property
    def figures(self) -> tuple[str, ...]:
        """The columns that the figure for many pages is made of."""
        return self.summed or (self.main,)


def _overlaps(prefix: str, found: Overlap) -> dict[str, float | str]:
    return {f"{prefix}_p": found.precision, f"{prefix}_r": found.recall, f"{prefix}_f1": found.f1}


def _word_bag(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    short = word_bag(answer.text, shortest(gold.texts))
    return _overlaps("bag", best_of(word_bag, answer.text, gold.texts)) | {"bag_f1_short": short.f1}


def _word_sequence(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    short = word_sequence(answer.text, shortest(gold.texts))
    return _overlaps("seq", best_of(word_sequence, answer.text, gold.texts)) | {"seq_f1_short": short.f1}


def _rouge(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    return _overlaps("rouge", best_of(rouge_lsum, answer.text, gold.texts))


def _cleaneval(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    return {"cleaneval": max(text_only(answer.text, text) for text in gold.texts)}


def _cleaneval_markup(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    counting = evert_counting(answer.markup, gold.markup)
    return {
        "markup": text_and_markup(answer.markup, gold.markup),
        **_overlaps("evert", counting.tokens),
        **_overlaps("evert_tag", counting.marks),
    }


def _shingles(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    found = [shingle_matches(answer.text, text) for text in gold.texts]
    best = max(found, key=_shingle_f1)
    return {
        "shingle_f1": _shingle_f1(best),
        "shingle_right": best.right,
        "shingle_wrong": best.wrong,
        "shingle_missed": best.missed,
    }


def _shingle_f1(matches: Matches) -> float:
    whole = 2 * matches.right + matches.wrong + matches.missed
    return 2 * matches.right / whole if whole else 1.0


def _shingle_summary(columns: FloatArray) -> FloatArray:
    f1: FloatArray = shingle_overlap(columns)[2]
    return f1


def _snippets(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    counts = snippet_counts(answer.text, gold.must_have, gold.must_not)
    whole = 2 * counts.right + counts.wrong + counts.missed
    columns = {f"snippet_{name}": float(count) for name, count in counts._asdict().items()}
    return {"snippet_f1": 2 * counts.right / whole if whole else 1.0, **columns}


def _scedd(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    error = min(scedd_error(answer.text, text) for text in gold.texts)
    return {"scedd_error": error, "scedd_wrong": float(error > SCEDD_TOLERANCE)}


def _grade(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    given = [grade(answer.text, text) for text in gold.texts]
    best = min(given, key=list(type(given[0])).index)
    return {"grade": str(best), "grade_right": float(best in ("perfect", "major overlap"))}


def _labels(answer: Answer, _: GoldPage, leaves: LeafGold | None) -> Scores:
    if leaves is None:
        raise ValueError("leaf and block scores need the gold of the leaves")
    parts = {"leaf": leaf_confusion(answer.marks, leaves), "block": block_confusion(answer.marks, leaves)}
    names = {"accuracy": "accuracy", "p": "precision", "r": "recall", "f1": "f1"}
    return {f"{part}_{short}": getattr(found, name) for part, found in parts.items() for short, name in names.items()}


def _structure_scores(kind: str, answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    found = structure_matches(answer.markdown, gold, kind)
    page = float(f1(np.asarray([found], dtype=np.float64)))
    return {f"{kind}_f1": page, **{f"{kind}_{name}": float(count) for name, count in found._asdict().items()}}


def _structure(kind: str, title: str) -> Measure:
    """Return the measure of a kind of structure."""
    counts = tuple(f"{kind}_{name}" for name in Matches._fields)
    return Measure(
        name=kind,
        title=title,
        source="ours",
        columns=(f"{kind}_f1", *counts),
        main=f"{kind}_f1",
        needs="structure",
        score=partial(_structure_scores, kind),
        summed=counts,
        summary=f1,
    )


def _field_score(name: str, answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    return {} if answer.stated is None else {f"{name}_exact": float(is_exact(answer.stated, gold, name))}


def _field(name: str, title: str) -> Measure:
    """Return the measure of what is said of a page."""
    column, score = f"{name}_exact", partial(_field_score, name)
    return Measure(name=name, title=title, source="ours", columns=(column,), main=column, needs="fields", score=score)


def _roles(answer: Answer, gold: GoldPage, _: LeafGold | None) -> Scores:
    if answer.roles is None:
        return {}
    rows = page_rows(answer.page)
    counts = role_counts(row_roles(rows, answer.roles), role_gold(answer.page, rows, gold))
    return {"role_f1": float(macro_f1(counts)), **dict(zip(_ROLE_COUNTS, counts.ravel().tolist(), strict=True))}


def _role_summary(columns: FloatArray) -> FloatArray:
    counts = columns.sum(axis=-2)
    return macro_f1(counts.reshape(*counts.shape[:-1], len(MEASURED), len(COUNTS)))


_ROLE_COUNTS = tuple(f"role_{role}_{count}" for role in MEASURED for count in COUNTS)


def _columns(prefix: str, *more: str) -> tuple[str, ...]:
    return (f"{prefix}_p", f"{prefix}_r", f"{prefix}_f1", *more)


MEASURES: tuple[Measure, ...] = (
    Measure(
        name="word-bag",
        title="Words as a multiset",
        source="Pasternack and Roth, WWW 2009, section 7",
        columns=_columns("bag", "bag_f1_short"),
        main="bag_f1",
        needs="texts",
        score=_word_bag,
    ),
    Measure(
        name="word-sequence",
        title="Words in their order",
        source="Pasternack and Roth, WWW 2009, section 7",
        columns=_columns("seq", "seq_f1_short"),
        main="seq_f1",
        needs="texts",
        score=_word_sequence,
    ),
    Measure(
        name="cleaneval",
        title="CleanEval, text only",
        source="CleanEval 2007, as in Pasternack and Roth, WWW 2009, section 7.7",
        columns=("cleaneval",),
        main="cleaneval",
        needs="texts",
        score=_cleaneval,
    ),
    Measure(
        name="cleaneval-markup",
        title="CleanEval, text and markup; Evert's counting",
        source="CleanEval 2007; Evert, cleaneval.py, 2008",
        columns=("markup", *_columns("evert"), *_columns("evert_tag")),
        main="markup",
        needs="markup",
        score=_cleaneval_markup,
    ),
    Measure(
        name="rouge-lsum",
        title="ROUGE-LSum",
        source="Lin 2004, section 3.2; Bevendorff and others, SIGIR 2023",
        columns=_columns("rouge"),
        main="rouge_f1",
        needs="texts",
        score=_rouge,
    ),
    Measure(
        name="shingles",
        title="Runs of four words",
        source="article-extraction-benchmark (Zyte, 2020)",
        columns=("shingle_f1", "shingle_right", "shingle_wrong", "shingle_missed"),
        main="shingle_f1",
        needs="texts",
        score=_shingles,
        summed=("shingle_right", "shingle_wrong", "shingle_missed"),
        summary=_shingle_summary,
    ),
    Measure(
        name="snippets",
        title="Snippets that must and must not be there",
        source="trafilatura's evaluation (Barbaresi, 2021)",
        columns=("snippet_f1", "snippet_right", "snippet_wrong", "snippet_missed", "snippet_avoided"),
        main="snippet_f1",
        needs="snippets",
        score=_snippets,
        summed=("snippet_right", "snippet_wrong", "snippet_missed", "snippet_avoided"),
        summary=snippet_f1,
    ),
    Measure(
        name="scedd",
        title="Pages wrong by SCEDD's error above 20 %",
        source="SCEDD, 2016, section 4.3",
        columns=("scedd_error", "scedd_wrong"),
        main="scedd_wrong",
        needs="texts",
        score=_scedd,
        lower=True,
    ),
    Measure(
        name="grades",
        title="Pages graded perfect or major overlap",
        source="NewsFeed, thesis, section 2.4.4.1",
        columns=("grade", "grade_right"),
        main="grade_right",
        needs="texts",
        score=_grade,
    ),
    Measure(
        name="labels",
        title="Text leaves and paragraphs marked rightly",
        source="Steger and Stemle, WAC5 2009 (leaves)",
        columns=tuple(f"{part}_{what}" for part in ("leaf", "block") for what in ("accuracy", "p", "r", "f1")),
        main="leaf_f1",
        needs="labels",
        score=_labels,
    ),
    _structure("headings", "Headings"),
    _structure("lists", "Items of lists"),
    _structure("tables", "Cells of tables"),
    _structure("grids", "Tables of the right size"),
    _structure("code", "Blocks of code"),
    _structure("links", "Links"),
    _structure("pictures", "Pictures"),
    _structure("formulas", "Formulas"),
    _field("title", "Titles that are exact"),
    _field("author", "Authors that are exact"),
    _field("date", "Days of publication that are exact"),
    Measure(
        name="roles",
        title="Roles of blocks",
        source="ours",
        columns=("role_f1", *_ROLE_COUNTS),
        main="role_f1",
        needs="roles",
        score=_roles,
        summed=_ROLE_COUNTS,
        summary=_role_summary,
    ),
)


def measure_named(name: str) -> Measure:
    """Return a measure by its name.

    Raises
    ------
    ValueError
        When there is none of that name; the message says which are like it, or which there are.
    """
    for measure in MEASURES:
        if measure.name == name:
            return measure
    raise unknown_name("measure", name, (measure.name for measure in MEASURES))
