"""The trained model: two linear machines and a calibration, in one file of plain numbers."""

from __future__ import annotations

import json
import os
import zipfile
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..features.counts import FloatArray
from ..features.table import Table, column_names, groups_of
from ..render.errors import ModelMismatch
from .stacking import NAMES, stacked_features
from .svm import LinearSvm

FORMAT = "blocksight-model"
VERSION = 1

_FOLDER = Path(__file__).with_name("models")


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """What has been learned from labelled pages.

    Attributes
    ----------
    first : LinearSvm
        Judges each block by its features.
    second : LinearSvm
        Judges it again by its features and by what ``first`` made of its surroundings.
    slope, offset : float
        Of the probability of content, ``1 / (1 + exp(-(slope · decision + offset)))``.
    about : dict
        What it was trained on, by what, and how well it did on pages that it had not seen.
    """

    first: LinearSvm
    second: LinearSvm
    slope: float
    offset: float
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def visual(self) -> bool:
        """Whether it looks at visual features."""
        return bool(set(self.first.columns) & set(column_names("visual")))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of features that it needs."""
        return groups_of(self.first.columns)

    def scores(self, table: Table) -> FloatArray:
        """Give the decision for each row of a block table; positive means content."""
        matrix = table.matrix(self.first.columns)
        stacked = stacked_features(table.counts, self.first.decision(matrix))
        return self.second.decision(np.concatenate([matrix, stacked], axis=1))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to an ``.npz`` file of plain numbers."""
        about = json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "columns": self.first.columns,
                "slope": self.slope,
                "offset": self.offset,
                "about": self.about,
            },
            sort_keys=True,
        )
        arrays: dict[str, Any] = {"head": np.frombuffer(about.encode(), dtype=np.uint8)}
        for name, machine in (("first", self.first), ("second", self.second)):
            arrays |= {
                f"{name}_mean": machine.mean,
                f"{name}_deviation": machine.deviation,
                f"{name}_weight": machine.weight,
                f"{name}_bias": np.asarray(machine.bias),
            }
        np.savez_compressed(path, **arrays)


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model that :meth:`Model.save` has written.

    Raises
    ------
    ModelMismatch
        When the file is no model, or was made for other features than this program has.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            head = json.loads(bytes(arrays["head"]))
            numbers = {name: arrays[name] for name in arrays.files if name != "head"}
    except (OSError, ValueError, KeyError, zipfile.BadZipFile, EOFError) as error:
        raise ModelMismatch(f"{os.fspath(path)}: this is no model of blocksight ({error})") from error
    if head.get("format") != FORMAT or head.get("version") != VERSION:
        raise ModelMismatch(f"{os.fspath(path)}: made for another version of blocksight; train it again")
    columns = tuple(head["columns"])
    missing = set(columns) - set(column_names())
    if missing:
        raise ModelMismatch(f"{os.fspath(path)}: needs features that are not known: {', '.join(sorted(missing)[:5])}")
    first = _machine(numbers, "first", columns, path)
    second = _machine(numbers, "second", (*columns, *NAMES), path)
    return Model(first=first, second=second, slope=head["slope"], offset=head["offset"], about=head["about"])


def _machine(numbers: dict[str, Any], name: str, columns: tuple[str, ...], path: str | os.PathLike[str]) -> LinearSvm:
    def part(kind: str) -> FloatArray:
        values: FloatArray | None = numbers.get(f"{name}_{kind}")
        if values is None or values.shape != (len(columns),):
            raise ModelMismatch(f"{os.fspath(path)}: {name}_{kind} does not fit the features; train it again")
        return values

    if f"{name}_bias" not in numbers:
        raise ModelMismatch(f"{os.fspath(path)}: {name}_bias is missing; train it again")
    return LinearSvm(
        columns=columns,
        mean=part("mean"),
        deviation=part("deviation"),
        weight=part("weight"),
        bias=float(numbers[f"{name}_bias"]),
    )


@cache
def shipped_model(*, visual: bool) -> Model:
    """Give the model that comes with the program, for rendered pages or for markup alone."""
    return load_model(_FOLDER / ("blocksight.npz" if visual else "blocksight-dom.npz"))
