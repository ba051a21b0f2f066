"""Exact match of metadata, and F1 of counts."""

from __future__ import annotations

import numpy as np

from ...classify.system import SystemMetadata
from ...gold.pages import GoldPage
from ...page.arrays import FloatArray
from ...page.metadata.authors import names_in
from ...page.metadata.dates import iso_date


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
