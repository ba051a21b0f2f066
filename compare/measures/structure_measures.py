"""Precision and recall of structure (headings, lists, tables, code, links), and exact match of metadata."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

import numpy as np

from ...classify.system import SystemMetadata
from ...gold.pages import GoldPage
from ...gold.structure_counts import KINDS, Item, ItemCounts, heading_item, markdown_items, structure_of
from ...page.arrays import FloatArray
from ...page.metadata.authors import names_in
from ...page.metadata.dates import iso_date
from .overlap import Matches


def has_reference(gold: GoldPage, kind: str) -> bool:
    """Return whether the gold of a page includes a kind of structure, or a metadata field."""
    if kind in KINDS:
        return kind in structure_of(gold)
    return bool({"title": gold.metadata.title, "author": gold.metadata.authors, "date": gold.metadata.date}[kind])


def structure_matches(markdown: str, gold: GoldPage, kind: str) -> Matches:
    """Count the elements of a kind (:data:`~blocksight.gold.structure_counts.KINDS`) that are right, wrong, missed."""
    prediction, reference = _facts(markdown, gold.base)[kind], structure_of(gold)[kind]
    if kind == "headings" and gold.metadata.title:
        title = heading_item(gold.metadata.title)
        prediction, reference = _without(prediction, title), _without(reference, title)
    right = (prediction & reference).total()
    return Matches(right, prediction.total() - right, reference.total() - right)


@lru_cache(maxsize=4)
def _facts(markdown: str, base: str) -> ItemCounts:
    return markdown_items(markdown, base)


def _without(facts: Counter[Item], removed: Item) -> Counter[Item]:
    return Counter({fact: number for fact, number in facts.items() if fact != removed})


def f1(matches: FloatArray) -> FloatArray:
    """Return the F1 of all elements of all pages: 2 right / (2 right + wrong + missed), 1 if there are none.

    ``matches`` is float64 (..., pages, 3 or more): elements that are right, wrong and missed on each page.
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
