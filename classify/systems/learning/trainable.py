"""Trainable systems: from labelled pages to parameters, one file for each model.

A trained system is a frozen class like all others (:mod:`.system`), with a field ``model`` and a method ``learn``. Its
parameters are a :class:`Learned`: named arrays and settings, in one ``.npz`` file without pickle.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import isfinite
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ....errors import ModelMismatch, ModelMissing
from ....features.alignment import aligned_marks
from ....files.npz import FileKind, read_npz, write_npz
from ....page.arrays import Marks
from ....page.page import Page
from ...system import Card

KIND = FileKind(
    format="blocksight-system",
    version=1,
    title="model of a system",
    remedy="pass an .npz file written by `blocksight train system`",
)
FOLDER = Path(__file__).parents[1] / "models"


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledPage:
    """A page for training."""

    #: Rendered for visual systems, else parsed.
    page: Page
    gold: str  # the text of its content
    site: str = ""  # for cross-validation: pages of one site are similar
    #: Language code of the content, "" if unknown.
    language: str = ""

    @cached_property
    def marks(self) -> Marks:
        """bool (leaves,): the text leaves that are content (:func:`~blocksight.features.alignment.aligned_marks`)."""
        return aligned_marks(self.page, self.gold)


@dataclass(frozen=True, kw_only=True, eq=False)
class Learned:
    """The parameters of a trained system."""

    system: str  # name of the model: that of the system, or of the systems that share it
    arrays: Mapping[str, NDArray[Any]]  # numeric
    settings: dict[str, Any] = field(default_factory=dict)  # hyperparameters (JSON values)
    about: dict[str, Any] = field(default_factory=dict)  # training data and versions

    def array(self, name: str, shape: tuple[int | None, ...] | None = None, *, kind: str = "iuf") -> NDArray[Any]:
        """Return an array of a given shape (None for any length) and NumPy kind; ModelMismatch if it does not match."""
        if name not in self.arrays:
            raise ModelMismatch(f"the model of {self.system} has no {name}; {_command(self.system)}")
        array = self.arrays[name]
        shape = array.shape if shape is None else shape
        fits = len(array.shape) == len(shape) and all(
            expected in (None, length) for expected, length in zip(shape, array.shape, strict=True)
        )
        if not fits or array.dtype.kind not in kind or not np.isfinite(array).all():
            raise self.damaged(name)
        return array

    def damaged(self, name: str) -> ModelMismatch:
        """Return the error for an invalid array or setting."""
        return ModelMismatch(f"the model of {self.system} is damaged: {name} does not fit; {_command(self.system)}")

    def setting(self, name: str) -> Any:
        """Return a setting by name; ModelMismatch if it is missing."""
        if name not in self.settings:
            raise ModelMismatch(f"the model of {self.system} has no setting {name}; {_command(self.system)}")
        return self.settings[name]

    def number(self, name: str) -> float:
        """Return a numeric setting; ModelMismatch if it is not a finite number."""
        value = self.setting(name)
        if not isinstance(value, (int, float)) or not isfinite(value):
            raise self.damaged(name)
        return float(value)

    def check_columns(self, columns: Sequence[str]) -> None:
        """Raise ModelMismatch unless it was trained on exactly these columns of the block table."""
        if list(columns) != self.setting("columns"):
            raise ModelMismatch(f"the model of {self.system} was trained on other columns; {_command(self.system)}")

    def with_about(self, about: Mapping[str, Any]) -> Learned:
        """Return a copy with additions to ``about``."""
        return replace(self, about=self.about | dict(about))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to an ``.npz`` file, reproducibly."""
        head = {"system": self.system, "settings": self.settings, "about": self.about}
        write_npz(path, KIND, head, self.arrays)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainedSystem:
    """A system that learns from labelled pages, with its parameters: by default the shipped ones."""

    model: Learned | None = None
    model_name: ClassVar[str]  # the file name of the shipped model
    card: ClassVar[Card]

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Return the same system trained on these pages; reproducible for the same pages in the same order."""
        raise NotImplementedError

    def mark(self, page: Page) -> Marks:
        """Mark the content among a page's text leaves."""
        raise NotImplementedError

    @property
    def learned(self) -> Learned:
        """Its parameters; ModelMissing if none are shipped."""
        return self.model or shipped(self.model_name)


def load_learned(path: str | os.PathLike[str]) -> Learned:
    """Read a file written by :meth:`Learned.save`; ModelMismatch if it is no such model, ModelMissing without one."""
    head, arrays = read_npz(path, KIND)
    try:
        system, settings, about = head["system"], dict(head["settings"]), dict(head["about"])
        if not re.fullmatch(r"[\w.+-]{1,60}", system):
            raise ValueError("not the name of a system")
    except (KeyError, TypeError, ValueError) as error:
        raise ModelMismatch(f"{os.fsdecode(path)}: this model is damaged; train it again") from error
    return Learned(system=system, arrays=arrays, settings=settings, about=about)


@cache
def shipped(name: str) -> Learned:
    """Return a shipped model; ModelMissing without one, with the command that trains it."""
    path = FOLDER / f"{name}.npz"
    if not path.is_file():
        raise ModelMissing(f"no trained model of {name} is installed; {_command(name)}")
    return load_learned(path)


def _command(name: str) -> str:
    return f"train one: blocksight train system {name} CORPUS... -o {FOLDER / name}.npz"
