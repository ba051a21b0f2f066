"""Linear models of a page's type, and of the probability that a set of records is content."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import ModelMismatch
from ..files.npz import FileKind, read_npz, write_npz
from ..page.arrays import DIGITS, FloatArray, cached_by_owner
from .candidates import SET_COLUMNS, RecordCandidates
from .field_values import LONGEST
from .page_features import ADDRESS, PAGE_COLUMNS, page_measures

#: Types of pages, stable in JSON and in the model. "none" has no main text at all.
PAGE_TYPES = ("article", "thread", "listing", "collection", "product", "documentation", "service", "home", "none")
#: Columns of the address.
_OF_ADDRESS = np.asarray([column.startswith(ADDRESS) for column in PAGE_COLUMNS])
KIND = FileKind(
    format="blocksight-page-types",
    version=1,
    title="model of page types",
    remedy="pass an .npz file that `blocksight train shipped` has written",
)
_SHIPPED = Path(__file__).with_name("page-types.npz")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Softmax:
    """A linear model: ``mean`` and ``deviation`` (columns,), ``weight`` (classes, columns), ``bias`` (classes,)."""

    mean: FloatArray
    deviation: FloatArray
    weight: FloatArray
    bias: FloatArray

    def probability(self, rows: FloatArray) -> FloatArray:
        """Return the probabilities, float64 (rows, classes)."""
        scaled = np.clip((rows - self.mean) / self.deviation, -6, 6)
        decision = scaled @ self.weight.T + self.bias
        likely = np.exp(decision - decision.max(axis=1, keepdims=True))
        probability: FloatArray = likely / likely.sum(axis=1, keepdims=True)
        return probability


@dataclass(frozen=True, slots=True, kw_only=True)
class PageType:
    """The type of a page: one of :data:`PAGE_TYPES` with its probability, and that of each type in ``every``."""

    name: str
    probability: float
    every: dict[str, float]

    def among(self, names: Collection[str]) -> PageType:
        """Return the type if it is one of some, which share the probability of all."""
        whole = sum(self.every[name] for name in names)
        every = {
            name: (round(value / whole, DIGITS) if whole else 1 / len(names)) if name in names else 0.0
            for name, value in self.every.items()
        }
        best = max(every, key=lambda name: every[name])
        return PageType(name=best, probability=every[best], every=every)

    def to_dict(self) -> dict[str, Any]:
        """Return the type as plain values."""
        return {"name": self.name, "probability": self.probability, "every": self.every}


@dataclass(frozen=True, kw_only=True, eq=False)
class PageTypeModel:
    """The models of record sets (:data:`~.candidates.SET_COLUMNS`, the second class is content) and of page types.

    ``types`` has the classes ``names`` and the columns :data:`~.page_features.PAGE_COLUMNS`; ``about`` records the
    training data and the results on unseen sites.
    """

    sets: Softmax
    types: Softmax
    names: tuple[str, ...]
    about: dict[str, Any] = field(default_factory=dict)

    def content(self, measures: RecordCandidates) -> FloatArray:
        """Return the probability of content of each group, float64 (groups,)."""
        if not measures.groups:
            return np.zeros(0)
        return self.sets.probability(measures.matrix)[:, 1]

    def page_type(self, measures: RecordCandidates, likely: FloatArray, *, by_address: bool = True) -> PageType:
        """Return the type of a page; ``likely`` is the result of :meth:`content`.

        The address is a witness of the type that is reported, never of the content: the same page has the same text
        at any other address.
        """
        # Less that is neither a link nor a label makes no page of any type.
        if float((measures.characters * ~measures.linked).sum()) < LONGEST:
            return PageType(name="none", probability=1.0, every={name: float(name == "none") for name in PAGE_TYPES})
        row = page_measures(measures, likely)
        known = self.types.probability((row if by_address else np.where(_OF_ADDRESS, 0.0, row))[None])[0]
        every = dict.fromkeys(PAGE_TYPES, 0.0) | dict(zip(self.names, known.round(DIGITS).tolist(), strict=True))
        best = max(every, key=lambda name: every[name])
        return PageType(name=best, probability=every[best], every=every)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to an ``.npz`` file of plain numbers."""
        head = {"names": self.names, "set_columns": SET_COLUMNS, "page_columns": PAGE_COLUMNS, "about": self.about}
        arrays = {
            f"{name}_{part}": getattr(model, part).astype(np.float32)
            for name, model in (("sets", self.sets), ("types", self.types))
            for part in ("mean", "deviation", "weight", "bias")
        }
        write_npz(path, KIND, head, arrays)


def load_page_types(path: str | os.PathLike[str]) -> PageTypeModel:
    """Read a saved model; ModelMismatch if it is damaged or for other features, ModelMissing if there is none."""
    head, arrays = read_npz(path, KIND)
    name = os.fsdecode(path)
    try:
        names = tuple(head["names"])
        columns = tuple(head["set_columns"]), tuple(head["page_columns"])
        if columns != (SET_COLUMNS, PAGE_COLUMNS) or not set(names) <= set(PAGE_TYPES):
            raise ModelMismatch(f"{name}: it was made for other measures; train it again")
        return PageTypeModel(
            sets=_softmax(arrays, "sets", (2, len(SET_COLUMNS))),
            types=_softmax(arrays, "types", (len(names), len(PAGE_COLUMNS))),
            names=names,
            about=dict(head["about"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise ModelMismatch(f"{name}: this model is damaged; train it again") from error


def _softmax(arrays: Mapping[str, NDArray[Any]], name: str, shape: tuple[int, int]) -> Softmax:
    parts = {part: arrays[f"{name}_{part}"].astype(np.float64) for part in ("mean", "deviation", "weight", "bias")}
    wanted = {"mean": shape[1:], "deviation": shape[1:], "weight": shape, "bias": shape[:1]}
    for part, values in parts.items():
        positive = part != "deviation" or bool((values > 0).all())
        if values.shape != wanted[part] or not np.isfinite(values).all() or not positive:
            raise ValueError(part)
    return Softmax(**parts)


@cache
def shipped_page_types() -> PageTypeModel:
    """Return the model that is part of the package."""
    return load_page_types(_SHIPPED)


@cached_by_owner
def early_type(records: RecordCandidates) -> PageType:
    """Return the type of a page without its address and its records."""
    return shipped_page_types().page_type(records, np.zeros(0), by_address=False)
