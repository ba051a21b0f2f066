"""The trained model: two stages, roles and a calibration, in one file of plain numbers."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelMismatch
from ...features.block_table import RENDERED, Table, column_names, groups_of, measure, schema_hash
from ...files.npz import FileKind, read_npz, write_npz
from ...page.arrays import FloatArray
from ...page.page import Page
from ...page.role_names import ROLES
from ...segment.blocks import visible_blocks
from ...segment.methods import METHODS
from .calibration import Calibration
from .confidence import COLUMNS as CONFIDENCE_COLUMNS
from .confidence import Confidence
from .reading_columns import COLUMNS as READING_COLUMNS
from .reading_model import ReadingModel, shipped_readings
from .role_model import OneVsRestSvm, RoleModel, context_columns, role_columns
from .second_stage import COLUMNS, VIPS_COLUMNS, second_stage_values
from .stage_inputs import StageInputs, named_columns
from .svm import LinearSvm

KIND = FileKind(
    format="blocksight-model",
    version=2,
    title="model",
    remedy="pass an .npz file that `blocksight train` has written",
)

#: Training writes no deviation below :data:`~blocksight.classify.model.svm.LEAST_DEVIATION`.
_LEAST_DIVISOR = 1e-6
#: Larger numbers do not result from training, and overflow when they are multiplied.
_LARGEST = float(np.finfo(np.float32).max)

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prediction:
    """A model's predictions for a block table."""

    scores: FloatArray  # float64 (rows,): decisions; positive means content
    #: float64 (rows, roles): the probability of each role; None if the model has no roles.
    roles: FloatArray | None
    inputs: StageInputs  # of the last stage
    role_inputs: StageInputs | None = None  # of the last stage of the role model


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """A model trained on labelled pages: two stages (stacking)."""

    first: LinearSvm  # the first stage: classifies each block by its features
    #: The second stage: classifies it again by the same features followed by some of
    #: :data:`~blocksight.classify.model.second_stage.COLUMNS`, the first-stage scores around the block.
    second: LinearSvm | None = None
    #: Predicts the role of each block. The second stage may have its probabilities as columns, after the others
    #: (:func:`~blocksight.classify.model.role_model.role_columns`).
    roles: RoleModel | None = None
    calibration: Calibration  # maps decisions to probabilities
    readings: ReadingModel | None = None  # chooses between the readings of a page; without it, the expected F1 does
    confidence: Confidence | None = None  # maps a page and its output to the expected F1
    seen_only: bool = False  # whether invisible text is removed before blocks are measured, as in its training
    method: str = "paragraphs"  # its segmentation (:data:`~blocksight.segment.methods.METHODS`)
    about: dict[str, Any] = field(default_factory=dict)  # training data, versions, and scores on held-out pages
    name: str = ""  # name of its file, "" for none

    @cached_property
    def visual(self) -> bool:
        """Whether it needs features that only rendered pages have."""
        context = (*self.second_columns, *(self.roles.surroundings if self.roles else ()))
        measured = self.about.get("input") != "raw HTML" and bool(set(self.groups) & set(RENDERED))
        return measured or bool(set(context) & set(VIPS_COLUMNS))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The features that it needs."""
        return tuple(dict.fromkeys((*self.first.columns, *(self.roles.columns if self.roles else ()))))

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of features that it needs."""
        return groups_of(self.columns)

    @cached_property
    def second_columns(self) -> tuple[str, ...]:
        """The columns of the second stage in addition to the features."""
        return () if self.second is None else self.second.columns[len(self.first.columns) :]

    @cached_property
    def _surroundings(self) -> tuple[str, ...]:
        """The columns of :data:`~blocksight.classify.model.second_stage.COLUMNS` that any of its stages needs."""
        own = (name for name in self.second_columns if name in COLUMNS)
        return tuple(dict.fromkeys((*own, *(self.roles.surroundings if self.roles else ()))))

    def measure(self, page: Page) -> Table:
        """Segment a page into blocks and compute the model's features; ModelMismatch if the page must be rendered."""
        if self.visual and page.geometry is None:
            raise ModelMismatch(
                "this model was trained on rendered pages: render the page, or use a model for raw HTML"
            )
        blocks = METHODS[self.method](page)
        return measure(page, visible_blocks(page, blocks) if self.seen_only else blocks, columns=self.columns)

    def scores(self, table: Table) -> FloatArray:
        """Return the decision for each row of a block table; positive means content."""
        return self.predict(table).scores

    def predict(self, table: Table) -> Prediction:
        """Return the predictions of all stages for a block table."""
        rows = table.rows
        inputs = StageInputs(len(rows), named_columns(table.columns, self.first.columns))
        scores = inputs.apply(self.first.decision)
        context = second_stage_values(rows, scores, self._surroundings)
        roles = role_inputs = None
        if self.roles is not None:
            first = inputs
            if self.roles.columns != self.first.columns:
                first = StageInputs(len(rows), named_columns(table.columns, self.roles.columns))
            if self.roles.surroundings:
                first = first.joined(named_columns(context, self.roles.surroundings))
            roles, role_inputs = self.roles.predict(rows, first)
            context |= zip(role_columns(self.roles.roles), roles.T, strict=True)
        if self.second_columns:
            inputs = inputs.joined(named_columns(context, self.second_columns))
        if self.second is not None:
            scores = inputs.apply(self.second.decision)
        return Prediction(scores=scores, roles=roles, inputs=inputs, role_inputs=role_inputs)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to an ``.npz`` file of plain numbers."""
        head = {
            "columns": self.first.columns,
            "second_columns": self.second_columns,
            "schema": schema_hash(self.first.columns),
            "calibration": asdict(self.calibration),
            "seen_only": self.seen_only,
            "method": self.method,
            "about": self.about,
        }
        parts: dict[str, tuple[object, type[np.floating] | None]] = {"first": (self.first, None)}
        if self.second is not None:
            parts["second"] = self.second, None
        if self.roles is not None:
            head |= {name: getattr(self.roles, name) for name in ("roles", "surroundings")}
            head["role_columns"] = self.roles.columns
            parts |= {"roles_first": (self.roles.first, np.float32), "roles_second": (self.roles.second, np.float32)}
        if self.readings is not None:
            head["reading_columns"] = READING_COLUMNS
            parts["readings"] = self.readings, np.float32
        if self.confidence is not None:
            head["confidence_columns"] = CONFIDENCE_COLUMNS
            parts["confidence"] = self.confidence, None
        write_npz(path, KIND, head, {name: array for key, of in parts.items() for name, array in _arrays(key, *of)})


def _arrays(key: str, part: Any, kind: type[np.floating] | None) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield the arrays of a part of the model, of some dtype or as they are."""
    for one in fields(part):
        if one.name != "columns":
            yield f"{key}_{one.name}", np.asarray(getattr(part, one.name), dtype=kind)


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model written by :meth:`Model.save`.

    Raises
    ------
    ModelMismatch
        If the file is no model, or was trained on features that this version does not have; ModelMissing if there is no
        such file.
    TypeError
        If ``path`` is no path.
    """
    head, arrays = read_npz(path, KIND)
    name = os.fsdecode(path)
    try:
        return replace(_model(head, arrays), name=Path(name).name)
    except ModelMismatch as error:
        raise ModelMismatch(f"{name}: {error}; train it again") from error
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ModelMismatch(f"{name}: this model is damaged; train it again") from error


def _model(head: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Model:
    columns, second = tuple(head["columns"]), tuple(head["second_columns"])
    _check(columns, second, head)
    reader = _ModelReader(arrays)
    return Model(
        first=reader.linear("first", columns),
        second=reader.linear("second", (*columns, *second)) if second else None,
        roles=_roles(head, reader),
        readings=_readings(head, reader),
        calibration=_calibration(head["calibration"]),
        confidence=_confidence(head, reader),
        seen_only=bool(head["seen_only"]),
        method=head["method"],
        about=dict(head["about"]),
    )


def _check(columns: tuple[str, ...], second: tuple[str, ...], head: Mapping[str, Any]) -> None:
    allowed = {*COLUMNS, *(role_columns(ROLES) if "roles" in head else ())}
    unknown = sorted((set(columns) - set(column_names())) | (set(second) - allowed))
    if unknown:
        raise ModelMismatch(f"it needs unknown features: {', '.join(map(_ascii, unknown[:5]))}")
    if head["schema"] != schema_hash(columns):
        raise ModelMismatch("it was trained on features with another definition")
    if head["method"] not in METHODS:
        raise ModelMismatch(f"it was trained with an unknown segmentation: {_ascii(head['method'])}")


def _roles(head: Mapping[str, Any], reader: _ModelReader) -> RoleModel | None:
    if "roles" not in head:
        return None
    roles, columns, surroundings = (tuple(head[name]) for name in ("roles", "role_columns", "surroundings"))
    if roles != ROLES or not set(columns) <= set(column_names()) or not set(surroundings) <= set(COLUMNS):
        raise ModelMismatch("its roles, or their columns, are unknown")
    width = len(columns) + len(surroundings)
    return RoleModel(
        roles=roles,
        columns=columns,
        surroundings=surroundings,
        first=reader.one_vs_rest("roles_first", width, len(roles)),
        second=reader.one_vs_rest("roles_second", width + len(context_columns(roles)), len(roles)),
    )


def _readings(head: Mapping[str, Any], reader: _ModelReader) -> ReadingModel | None:
    if "reading_columns" not in head:
        return None
    if tuple(head["reading_columns"]) != READING_COLUMNS:
        raise ModelMismatch("its measures of readings are unknown")
    shape = (len(READING_COLUMNS),)
    return ReadingModel(**reader.parts("readings", mean=shape, deviation=shape, weight=shape))


def _confidence(head: Mapping[str, Any], reader: _ModelReader) -> Confidence | None:
    if "confidence_columns" not in head:
        return None
    if tuple(head["confidence_columns"]) != CONFIDENCE_COLUMNS:
        raise ModelMismatch("its confidence was fitted to other measures")
    columns = len(CONFIDENCE_COLUMNS)
    knots, quantiles = reader.arrays["confidence_knots"], reader.arrays["confidence_quantiles"]
    parts = reader.parts(
        "confidence",
        mean=(columns,),
        deviation=(columns,),
        quantiles=(columns, max(quantiles.size // columns, 2)),
        weight=(2 * columns,),
        bias=(),
        knots=(2, max(knots.size // 2, 2)),
    )
    ascending = all((np.diff(parts[name]) >= 0).all() for name in ("knots", "quantiles"))
    if not ascending or parts["knots"].min() < 0 or parts["knots"].max() > 1:
        raise ModelMismatch("its confidence is no ascending map from 0 to 1")
    bias = float(parts.pop("bias"))
    return Confidence(**parts, bias=bias)


def _ascii(name: object) -> str:
    return str(name).encode("ascii", "backslashreplace").decode()


def _calibration(head: Mapping[str, Any]) -> Calibration:
    try:
        numbers = {name: float(value) for name, value in head.items()}
        if not all(abs(number) <= _LARGEST for number in numbers.values()):
            raise ValueError("a finite number was expected")
        return Calibration(**numbers)
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ModelMismatch("its calibration is damaged") from error


@dataclass(frozen=True, slots=True)
class _ModelReader:
    arrays: Mapping[str, NDArray[Any]]

    def linear(self, name: str, columns: tuple[str, ...]) -> LinearSvm:
        shape = (len(columns),)
        parts = self.parts(name, mean=shape, deviation=shape, weight=shape)
        return LinearSvm(columns=columns, bias=float(self.part(name, "bias", ())), **parts)

    def one_vs_rest(self, name: str, columns: int, roles: int) -> OneVsRestSvm:
        planes = self.parts(name, mean=(columns,), deviation=(columns,), weight=(roles, columns))
        return OneVsRestSvm(**planes, **self.parts(name, bias=(roles,), slope=(roles,), offset=(roles,)))

    def parts(self, name: str, **shapes: tuple[int, ...]) -> dict[str, FloatArray]:
        return {kind: self.part(name, kind, shape) for kind, shape in shapes.items()}

    def part(self, name: str, kind: str, shape: tuple[int, ...]) -> FloatArray:
        values = self.arrays.get(f"{name}_{kind}")
        if values is None or values.shape != shape or values.dtype.kind != "f":
            raise ModelMismatch(f"its {name}_{kind} does not fit the features")
        if not (np.abs(values) <= _LARGEST).all():
            raise ModelMismatch(f"its {name}_{kind} has values that are not finite or too large")
        if kind == "deviation" and not (np.abs(values) >= _LEAST_DIVISOR).all():
            raise ModelMismatch(f"its {name}_{kind} is too small to divide by")
        return values


def shipped_model(*, visual: bool) -> Model:
    """Return the model included in the package: for rendered pages, or for raw HTML."""
    return _shipped("blocksight" if visual else "blocksight-dom")


@cache
def _shipped(name: str) -> Model:
    model = load_model(_FOLDER / f"{name}.npz")
    return model if model.readings is not None else replace(model, readings=shipped_readings())
