"""The trained model: a first look, perhaps a second one, and a calibration, in one file of plain numbers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ModelMismatch
from ...features.block_table import RENDERED, Table, column_names, groups_of, measure, schema_hash
from ...files.npz import FileKind, read_numbers, write_numbers
from ...page.arrays import FloatArray
from ...page.page import Page
from ...page.role_names import ROLES
from ...segment.blocks import visible_blocks
from ...segment.methods import METHODS
from .calibration import Calibration
from .role_model import OneAgainstRest, RoleModel, context_columns, role_columns
from .second_stage import COLUMNS, VIPS_COLUMNS, second_stage_columns
from .svm import LinearSvm, RbfSvm, Svm

KIND = FileKind(
    format="blocksight-model",
    version=2,
    title="model",
    remedy="pass an .npz file that `blocksight train` has written",
)

#: Training writes nothing below :data:`~blocksight.classify.model.svm.LEAST_DEVIATION`.
_LEAST_DIVISOR = 1e-6
#: Larger numbers are of no training, and overflow when they are multiplied.
_LARGEST = float(np.finfo(np.float32).max)

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prediction:
    """What a model makes of a block table.

    Attributes
    ----------
    scores : float64 (rows,)
        Decisions; positive means content.
    roles : float64 (rows, roles) or None
        The probability of each role; None where the model tells none.
    values : float64 (rows, columns)
        What the last look saw.
    role_values : float64 (rows, columns) or None
        What told the roles.
    """

    scores: FloatArray
    roles: FloatArray | None
    values: FloatArray
    role_values: FloatArray | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Model:
    """What has been learned from labelled pages.

    Attributes
    ----------
    first : LinearSvm or RbfSvm
        The first look: judges each block by its features.
    second : LinearSvm, optional
        The second look: judges it again by the same features and, after them, by some of
        :data:`~blocksight.classify.model.second_stage.COLUMNS`, what ``first`` made of its surroundings.
    roles : RoleModel, optional
        Tells what each block is to a reader. The second look may have columns of it, after the others
        (:func:`~blocksight.classify.model.role_model.role_columns`).
    calibration : Calibration
        What its decisions mean.
    seen_only : bool
        Whether it learned from what a person sees: other text is left out before anything is measured.
    method : str
        How pages were cut into the blocks it learned from (:data:`~blocksight.segment.methods.METHODS`).
    about : dict
        What it was trained on, by what, and how well it did on pages that it had not seen.
    name : str
        Of the file that it was read from, "" for none.
    """

    first: Svm
    second: LinearSvm | None = None
    roles: RoleModel | None = None
    calibration: Calibration
    seen_only: bool = False
    method: str = "paragraphs"
    about: dict[str, Any] = field(default_factory=dict)
    name: str = ""

    @cached_property
    def visual(self) -> bool:
        """Whether it looks at features that only rendered pages have."""
        around = (*self.second_columns, *(self.roles.surroundings if self.roles else ()))
        measured = self.about.get("input") != "raw HTML" and bool(set(self.groups) & set(RENDERED))
        return measured or bool(set(around) & set(VIPS_COLUMNS))

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of features that it needs."""
        return groups_of((*self.first.columns, *(self.roles.columns if self.roles else ())))

    @cached_property
    def second_columns(self) -> tuple[str, ...]:
        """The columns that the second look has beside the features."""
        return () if self.second is None else self.second.columns[len(self.first.columns) :]

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
        return measure(page, visible_blocks(page, blocks) if self.seen_only else blocks, groups=self.groups)

    def scores(self, table: Table) -> FloatArray:
        """Return the decision for each row of a block table; positive means content."""
        return self.looked(table).scores

    def looked(self, table: Table) -> Prediction:
        """Return all that the model makes of a block table."""
        matrix = table.matrix(self.first.columns)
        scores = self.first.decision(matrix)
        own = tuple(name for name in self.second_columns if name in COLUMNS)
        wanted = tuple(dict.fromkeys((*own, *(self.roles.surroundings if self.roles else ()))))
        again = dict(zip(wanted, second_stage_columns(table.rows, scores, wanted).T, strict=True)) if wanted else {}
        roles = told_by = None
        if self.roles is not None:
            around = _stacked(again, self.roles.surroundings, len(table))
            same = self.roles.columns == self.first.columns
            features = matrix if same else table.matrix(self.roles.columns)
            told_by = self.roles.seen(table.rows, features, around)
            roles = self.roles.second.probability(told_by)
            again |= zip(role_columns(self.roles.roles), roles.T, strict=True)
        if self.second is None:
            return Prediction(scores=scores, roles=roles, values=matrix, role_values=told_by)
        values = np.concatenate([matrix, _stacked(again, self.second_columns, len(table))], axis=1)
        return Prediction(scores=self.second.decision(values), roles=roles, values=values, role_values=told_by)

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
        arrays: dict[str, NDArray[Any]] = {}
        for name, svm in (("first", self.first), ("second", self.second)):
            if svm is not None:
                arrays |= {f"{name}_{part}": np.asarray(getattr(svm, part)) for part in _parts(svm)}
        if self.roles is not None:
            head |= {name: getattr(self.roles, name) for name in ("roles", "surroundings")}
            head["role_columns"] = self.roles.columns
            arrays |= _role_arrays(self.roles)
        write_numbers(path, KIND, head, arrays)


def _stacked(columns: Mapping[str, FloatArray], names: tuple[str, ...], rows: int) -> FloatArray:
    return np.stack([columns[name] for name in names], axis=1) if names and rows else np.zeros((rows, len(names)))


def _role_arrays(roles: RoleModel) -> dict[str, NDArray[Any]]:
    """Return the numbers of the support vector machines for roles, single precision: there are many."""
    looks = (("roles_first", roles.first), ("roles_second", roles.second))
    return {
        f"{name}_{part.name}": np.asarray(getattr(svms, part.name), dtype=np.float32)
        for name, svms in looks
        for part in fields(svms)
    }


def _parts(svm: Svm) -> tuple[str, ...]:
    return tuple(part.name for part in fields(svm) if part.name != "columns")


def load_model(path: str | os.PathLike[str]) -> Model:
    """Read a model that :meth:`Model.save` has written.

    Raises
    ------
    ModelMismatch
        When the file is no model, or was made for other features than this program has; ModelMissing when there is no
        such file.
    TypeError
        When ``path`` is no path.
    """
    head, arrays = read_numbers(path, KIND)
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
        first=reader.svm("first", columns),
        second=reader.linear("second", (*columns, *second)) if second else None,
        roles=_roles(head, reader),
        calibration=_calibration(head["calibration"]),
        seen_only=bool(head["seen_only"]),
        method=head["method"],
        about=dict(head["about"]),
    )


def _check(columns: tuple[str, ...], second: tuple[str, ...], head: Mapping[str, Any]) -> None:
    later = {*COLUMNS, *(role_columns(ROLES) if "roles" in head else ())}
    unknown = sorted((set(columns) - set(column_names())) | (set(second) - later))
    if unknown:
        raise ModelMismatch(f"it needs features that are not known: {', '.join(map(_spelled, unknown[:5]))}")
    if head["schema"] != schema_hash(columns):
        raise ModelMismatch("it was made for features that are measured in another way")
    if head["method"] not in METHODS:
        raise ModelMismatch(f"it was made for blocks that are not known: {_spelled(head['method'])}")


def _roles(head: Mapping[str, Any], reader: _ModelReader) -> RoleModel | None:
    if "roles" not in head:
        return None
    roles, columns, around = (tuple(head[name]) for name in ("roles", "role_columns", "surroundings"))
    if roles != ROLES or not set(columns) <= set(column_names()) or not set(around) <= set(COLUMNS):
        raise ModelMismatch("its roles, or what tells them, are not known")
    seen = len(columns) + len(around)
    return RoleModel(
        roles=roles,
        columns=columns,
        surroundings=around,
        first=reader.against_rest("roles_first", seen, len(roles)),
        second=reader.against_rest("roles_second", seen + len(context_columns(roles)), len(roles)),
    )


def _spelled(name: object) -> str:
    """Return a name as every terminal can write it."""
    return str(name).encode("ascii", "backslashreplace").decode()


def _calibration(given: Mapping[str, Any]) -> Calibration:
    try:
        numbers = {name: float(value) for name, value in given.items()}
        if not all(abs(number) <= _LARGEST for number in numbers.values()):
            raise ValueError("a finite number was expected")
        return Calibration(**numbers)
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        raise ModelMismatch("its calibration is damaged") from error


@dataclass(frozen=True, slots=True)
class _ModelReader:
    """Reads support vector machines out of a model's arrays, and checks that their shapes fit the features."""

    arrays: Mapping[str, NDArray[Any]]

    def svm(self, name: str, columns: tuple[str, ...]) -> Svm:
        """Read one of either kind."""
        if f"{name}_vectors" not in self.arrays:
            return self.linear(name, columns)
        count = len(self.arrays[f"{name}_vectors"])
        if not self.part(name, "gamma", ()) >= 0:
            raise ModelMismatch(f"the model is damaged: {name}_gamma is below 0")
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
        """Read a linear one."""
        return LinearSvm(
            columns=columns,
            mean=self.part(name, "mean", (len(columns),)),
            deviation=self.part(name, "deviation", (len(columns),)),
            weight=self.part(name, "weight", (len(columns),)),
            bias=float(self.part(name, "bias", ())),
        )

    def against_rest(self, name: str, columns: int, roles: int) -> OneAgainstRest:
        """Read one a role."""
        return OneAgainstRest(
            mean=self.part(name, "mean", (columns,)),
            deviation=self.part(name, "deviation", (columns,)),
            weight=self.part(name, "weight", (roles, columns)),
            bias=self.part(name, "bias", (roles,)),
            slope=self.part(name, "slope", (roles,)),
            offset=self.part(name, "offset", (roles,)),
        )

    def part(self, name: str, kind: str, shape: tuple[int, ...]) -> FloatArray:
        """Read one array of numbers."""
        values = self.arrays.get(f"{name}_{kind}")
        if values is None or values.shape != shape or values.dtype.kind != "f":
            raise ModelMismatch(f"its {name}_{kind} does not fit the features")
        if not (np.abs(values) <= _LARGEST).all():
            raise ModelMismatch(f"its {name}_{kind} holds what is no number, or too large a one")
        if kind == "deviation" and not (np.abs(values) >= _LEAST_DIVISOR).all():
            raise ModelMismatch(f"its {name}_{kind} cannot be divided by")
        return values


@cache
def shipped_model(*, visual: bool) -> Model:
    """Return the model that comes with the program, for rendered pages or for markup alone."""
    return load_model(_FOLDER / ("blocksight.npz" if visual else "blocksight-dom.npz"))
