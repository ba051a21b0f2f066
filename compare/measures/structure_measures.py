"""Structure by precision and recall: headings, lists, tables, code, links and so on; what is said of a page, exact."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from ...classify.written import Stated
from ...document.metadata.authors import names_in
from ...document.metadata.dates import iso_date
from ...gold.gold_structure import structure_of
from ...gold.pages import GoldPage
from ...gold.structure_counts import KINDS, Fact, Facts, facts_of_markdown, heading_fact
from ...page.arrays import FloatArray
from .overlap import Matches


def states(gold: GoldPage, kind: str) -> bool:
    """Return whether a corpus says something of a kind of structure, or of a field."""
    if kind in KINDS:
        return kind in structure_of(gold)
    return bool({"title": gold.shown_title, "author": gold.shown_authors, "date": gold.shown_date}[kind])


def structure_matches(markdown: str, gold: GoldPage, kind: str) -> Matches:
    """Count the facts of a kind that are right, wrong and missed.

    Parameters
    ----------
    markdown : str
        The answer, whoever wrote it.
    gold : GoldPage
    kind : str
        One of :data:`~blocksight.gold.structure_counts.KINDS`.
    """
    there, wanted = _facts(markdown, gold.base)[kind], structure_of(gold)[kind]
    if kind == "headings" and gold.shown_title:
        there, wanted = (_without(facts, heading_fact(gold.shown_title)) for facts in (there, wanted))
    right = (there & wanted).total()
    return Matches(right, there.total() - right, wanted.total() - right)


@lru_cache(maxsize=4)
def _facts(markdown: str, base: str) -> Facts:
    return facts_of_markdown(markdown, base)


def _without(facts: Counter[Fact], fact: Fact) -> Counter[Fact]:
    return Counter({one: number for one, number in facts.items() if one != fact})


def f1(matches: FloatArray) -> FloatArray:
    """Return F1 of all facts of all pages: 2 right / (2 right + wrong + missed), 1 where there are none.

    Parameters
    ----------
    matches : float64 (..., pages, 3)
        Facts that are right, wrong and missed on each page.
    """
    right, wrong, missed = np.moveaxis(matches.sum(axis=-2), -1, 0)
    whole = 2 * right + wrong + missed
    figure: FloatArray = np.where(whole > 0, 2 * right / np.where(whole > 0, whole, 1.0), 1.0)
    return figure


def is_exact(stated: Stated, gold: GoldPage, field: str) -> bool:
    """Return whether what is said of a page is what the gold says: white space and case do not matter."""
    if field == "title":
        return _key(stated.title) == _key(gold.shown_title)
    if field == "author":
        wanted = {_key(name) for given in gold.shown_authors for name in names_in(given) or (given,)}
        return {_key(name) for name in stated.authors} == wanted
    return stated.date[:10] == iso_date(gold.shown_date, gold.language)[:10]


def _key(text: str) -> str:
    return " ".join(text.casefold().split())
