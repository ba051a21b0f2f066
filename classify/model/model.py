"""The trained model: one machine or two, and a calibration, in one file of plain numbers."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...features.rows import Rows
from ...features.table import RENDERED, Table, column_names, groups_of, measure, schema_hash
from ...render.arrays import FloatArray
from ...render.errors import ModelMismatch
from ...render.files import write_bytes
from ...render.page import Page
from ...segment.blocks import seen_blocks
from ...segment.methods import METHODS
from .choice import Calibration
from .second_look import NAMES, SEEN_NAMES, seen_features, stacked_features
from .svm import LinearSvm, Machine, RbfSvm

FORMAT = "blocksight-model"
VERSION = 1

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """What has been learned from labelled pages.

    Attributes
    ----------
    first : LinearSvm or RbfSvm
        Judges each block by its features.
    second : LinearSvm, optional
        Judges it again by its features and by what ``first`` made of its surroundings.
    calibration : Calibration
        What its decisions mean.
    seen_only : bool
        Whether it learned from what a person sees: other text is left out before anything is measured.
    method : str
        How pages were cut into the blocks it learned from (:data:`~blocksight.segment.methods.METHODS`).
    about : dict
        What it was trained on, by what, and how well it did on pages that it had not seen.
    """

    first: Machine
    second: LinearSvm | None = None
    calibration: Calibration
    seen_only: bool = False
    method: str = "paragraphs"
    about: dict[str, Any] = field(default_factory=dict)

    @property
    def visual(self) -> bool:
        """Whether it looks at features that only rendered pages have."""
        return self.about.get("input") != "raw HTML" and bool(set(self.groups) & set(RENDERED))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of features that it needs."""
        return groups_of(self.first.columns)

    def measure(self, page: Page) -> Table:
        """Cut a page into blocks and measure them as this model needs them.

        Raises
        ------
        ModelMismatch
            When it learned from rendered pages and this one is not.
        """
        if self.visual and page.geometry is None:
            raise ModelMismatch("this model learned from rendered pages: render the page, or take a model without")
        blocks = METHODS[self.method](page)
        return measure(page, seen_blocks(page, blocks) if self.seen_only else blocks, groups=self.groups)

    def scores(self, table: Table) -> FloatArray:
        """Return the decision for each row of a block table; positive means content."""
        matrix = table.matrix(self.first.columns)
        scores = self.first.decision(matrix)
        if self.second is None:
            return scores
        seen = len(self.second.columns) > len(self.first.columns) + len(NAMES)
        return self.second.decision(np.concatenate([matrix, second_look(table.rows, scores, seen=seen)], axis=1))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to an ``.npz`` file of plain numbers."""
        about = json.dumps(
            {
                "format": FORMAT,
                "version": VERSION,
                "columns": self.first.columns,
                "schema": schema_hash(self.first.columns),
                "calibration": asdict(self.calibration),
                "seen_only": self.seen_only,
                "method": self.method,
                "about": self.about,
            },
            sort_keys=True,
        )
        arrays: dict[str, Any] = {"head": np.frombuffer(about.encode(), dtype=np.uint8)}
        for name, machine in (("first", self.first), ("second", self.second)):
            if machine is not None:
                arrays |= {f"{name}_{part}": np.asarray(getattr(machine, part)) for part in _parts(machine)}
        packed = io.BytesIO()
        np.savez_compressed(packed, **arrays)
        write_bytes(path, packed.getvalue())


def second_look(counts: Rows, scores: FloatArray, *, seen: bool) -> FloatArray:
    """Return the second machine's own features, with those of rendered pages or without."""
    stacked = stacked_features(counts, scores)
    return np.concatenate([stacked, seen_features(counts, scores)], axis=1) if seen else stacked


def _parts(machine: Machine) -> tuple[str, ...]:
    return tuple(part.name for part in fields(machine) if part.name != "columns")


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
    # The first models were written without the digest.
    if head.get("schema", schema_hash(columns)) != schema_hash(columns):
        raise ModelMismatch(f"{os.fspath(path)}: made for features that are measured in another way; train it again")
    if head.get("method", "paragraphs") not in METHODS:
        raise ModelMismatch(f"{os.fspath(path)}: made for blocks that are not known: {head['method']}")
    reader = _Reader(numbers, os.fspath(path))
    weights = numbers.get("second_weight", np.zeros(0))
    more = NAMES if len(weights) == len(columns) + len(NAMES) else (*NAMES, *SEEN_NAMES)
    return Model(
        first=reader.machine("first", columns),
        second=reader.linear("second", (*columns, *more)) if len(weights) else None,
        calibration=_calibration(head, os.fspath(path)),
        seen_only=head.get("seen_only", False),
        method=head.get("method", "paragraphs"),
        about=head["about"],
    )


def _calibration(head: dict[str, Any], path: str) -> Calibration:
    # Earlier models knew no shift, and had the two numbers in the head itself.
    given = head.get("calibration", {name: head[name] for name in ("slope", "offset") if name in head})
    try:
        return Calibration(**{name: float(value) for name, value in given.items()})
    except (TypeError, ValueError, AttributeError) as error:
        raise ModelMismatch(f"{path}: its calibration is damaged; train it again") from error


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads machines out of a model's arrays, and checks that their shapes fit the features."""

    numbers: dict[str, Any]
    path: str

    def machine(self, name: str, columns: tuple[str, ...]) -> Machine:
        """Read a machine of either kind."""
        if f"{name}_vectors" not in self.numbers:
            return self.linear(name, columns)
        count = len(self.numbers[f"{name}_vectors"])
        return RbfSvm(
            columns=columns,
            mean=self.part(name, "mean", (len(columns),)),
            deviation=self.part(name, "deviation", (len(columns),)),
            vectors=self.part(name, "vectors", (count, len(columns))).astype(np.float32),
            dual=self.part(name, "dual", (count,)),
            gamma=float(self.part(name, "gamma", ())),
            bias=float(self.part(name, "bias", ())),
        )

    def linear(self, name: str, columns: tuple[str, ...]) -> LinearSvm:
        """Read a linear machine."""
        return LinearSvm(
            columns=columns,
            mean=self.part(name, "mean", (len(columns),)),
            deviation=self.part(name, "deviation", (len(columns),)),
            weight=self.part(name, "weight", (len(columns),)),
            bias=float(self.part(name, "bias", ())),
        )

    def part(self, name: str, kind: str, shape: tuple[int, ...]) -> FloatArray:
        """Read one array of numbers."""
        values = self.numbers.get(f"{name}_{kind}")
        if values is None or values.shape != shape or values.dtype.kind != "f" or not np.isfinite(values).all():
            raise ModelMismatch(f"{self.path}: {name}_{kind} does not fit the features; train it again")
        found: FloatArray = values
        return found


@cache
def shipped_model(*, visual: bool) -> Model:
    """Return the model that comes with the program, for rendered pages or for markup alone."""
    return load_model(_FOLDER / ("blocksight.npz" if visual else "blocksight-dom.npz"))
