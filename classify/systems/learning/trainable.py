"""Systems that learn: labelled pages in, plain numbers out, one file a model.

A trained system is a frozen class like every other one (:mod:`.system`), with a field ``model`` and a method ``learn``.
What it learned is a :class:`Learned`: named arrays and a few words about them, in one ``.npz`` file without pickle.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from math import isfinite
from pathlib import Path
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from ....errors import ModelMismatch, ModelMissing
from ....files.npz import FileKind, read_npz, write_npz
from ....gold.leaf_labels import gold_marks
from ....page.arrays import Marks
from ....page.page import Page
from ...system import System

KIND = FileKind(
    format="blocksight-system",
    version=1,
    title="model of a system",
    remedy="pass an .npz file that `blocksight train system` has written",
)
FOLDER = Path(__file__).parents[1] / "models"


@dataclass(frozen=True, kw_only=True, eq=False)
class LabelledPage:
    """A page to learn from.

    Attributes
    ----------
    page : Page
        Rendered for visual systems, else parsed.
    gold : str
        The text of its content.
    site : str
        Pages of one site look alike: what is chosen by trial is tried on other sites.
    language : str
        Code of the language of the content, "" where unknown.
    """

    page: Page
    gold: str
    site: str = ""
    language: str = ""

    @cached_property
    def marks(self) -> Marks:
        """bool (leaves,): the text leaves that are content (:func:`~blocksight.gold.leaf_labels.gold_marks`)."""
        return gold_marks(self.page, self.gold)


@dataclass(frozen=True, kw_only=True, eq=False)
class Learned:
    """What a system has learned.

    Attributes
    ----------
    system : str
        Name of the model: that of the system, or of the family that shares it.
    arrays : mapping of str to array
        Numbers only.
    settings : dict
        What the numbers depend on (JSON values).
    about : dict
        What it was trained on, and by what.
    """

    system: str
    arrays: Mapping[str, NDArray[Any]]
    settings: dict[str, Any] = field(default_factory=dict)
    about: dict[str, Any] = field(default_factory=dict)

    def array(self, name: str, shape: tuple[int | None, ...] | None = None, *, kind: str = "iuf") -> NDArray[Any]:
        """Return an array by name.

        Parameters
        ----------
        name : str
        shape : tuple of int or None, optional
            The length of each of its axes, None for any.
        kind : str
            The kinds of its numbers, as NumPy calls them: i, u, f.

        Raises
        ------
        ModelMismatch
            When the model lacks it, or it has another shape, other numbers, or some that are not finite.
        """
        if name not in self.arrays:
            raise ModelMismatch(f"the model of {self.system} has no {name}; {_command(self.system)}")
        found = self.arrays[name]
        shape = found.shape if shape is None else shape
        fits = len(found.shape) == len(shape) and all(
            wanted in (None, length) for wanted, length in zip(shape, found.shape, strict=True)
        )
        if not fits or found.dtype.kind not in kind or not np.isfinite(found).all():
            raise self.damaged(name)
        return found

    def damaged(self, name: str) -> ModelMismatch:
        """Return the error for a part of it that cannot be."""
        return ModelMismatch(f"the model of {self.system} is damaged: {name} does not fit; {_command(self.system)}")

    def setting(self, name: str) -> Any:
        """Return a setting by name; ModelMismatch where the model lacks it."""
        if name not in self.settings:
            raise ModelMismatch(f"the model of {self.system} does not say {name}; {_command(self.system)}")
        return self.settings[name]

    def number(self, name: str) -> float:
        """Return a setting that is a number; ModelMismatch where it is none."""
        found = self.setting(name)
        if not isinstance(found, (int, float)) or not isfinite(found):
            raise self.damaged(name)
        return float(found)

    def check_columns(self, columns: Sequence[str]) -> None:
        """Raise ModelMismatch where it was not learned from exactly these columns of the block table."""
        if list(columns) != self.setting("columns"):
            raise ModelMismatch(f"the model of {self.system} learned from other columns; {_command(self.system)}")

    def with_about(self, about: Mapping[str, Any]) -> Learned:
        """Return the same with more said about it."""
        return replace(self, about=self.about | dict(about))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to an ``.npz`` file; the same numbers give the same bytes."""
        head = {"system": self.system, "settings": self.settings, "about": self.about}
        write_npz(path, KIND, head, self.arrays)


class Trainable(System, Protocol):
    """A system that learns from labelled pages; what it does before it has learned is up to the shipped model."""

    @property
    def model_name(self) -> str:
        """Name of the file in which the shipped model lies."""
        ...

    def learn(self, pages: Iterable[LabelledPage]) -> Self:
        """Return the same system with a model learned from these pages.

        The same pages in the same order give the same numbers.
        """
        ...

    @property
    def model(self) -> Learned | None:
        """What it has learned; None for the model that comes with the program."""
        ...


def load_learned(path: str | os.PathLike[str]) -> Learned:
    """Read what :meth:`Learned.save` has written.

    Raises
    ------
    ModelMismatch
        When the file is no such model; ModelMissing when there is no such file.
    TypeError
        When ``path`` is no path.
    """
    head, arrays = read_npz(path, KIND)
    try:
        system, settings, about = head["system"], dict(head["settings"]), dict(head["about"])
        if not re.fullmatch(r"[\w.+-]{1,60}", system):
            raise ValueError("the name of no system")
    except (KeyError, TypeError, ValueError) as error:
        raise ModelMismatch(f"{os.fsdecode(path)}: this model is damaged; train it again") from error
    return Learned(system=system, arrays=arrays, settings=settings, about=about)


@cache
def shipped(name: str) -> Learned:
    """Return the model that comes with the program.

    Raises
    ------
    ModelMissing
        When none of that name does; the message is the command that makes one.
    """
    path = FOLDER / f"{name}.npz"
    if not path.is_file():
        raise ModelMissing(f"no trained model of {name} is installed; {_command(name)}")
    return load_learned(path)


def _command(name: str) -> str:
    return f"train one: blocksight train system {name} CORPUS... -o {FOLDER / name}.npz"
