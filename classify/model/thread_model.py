"""Fitted choice between a page with its posts as content and without.

Posts below an article, teasers with an author and a day, and the sections of a forum look like a thread to any single
rule. The model is a logistic regression on the facts of a thread (``Thread.facts``), fitted to pages on which one of
both is better; a page weighs by the difference in F1.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ModelMismatch
from ...files.npz import FileKind, read_npz, write_npz
from ...page.arrays import FloatArray, logistic
from .svm import standardise

KIND = FileKind(
    format="blocksight-threads",
    version=1,
    title="model of threads",
    remedy="pass an .npz file that `blocksight train shipped` has written",
)
_PARTS = ("mean", "deviation", "weight")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ThreadModel:
    """A logistic regression of named facts: ``mean``, ``deviation`` and ``weight`` are float64 (names,)."""

    names: tuple[str, ...]
    mean: FloatArray
    deviation: FloatArray
    weight: FloatArray
    bias: float

    def probability(self, facts: Mapping[str, float]) -> float:
        """Return the probability that the page is better with its posts."""
        row = np.asarray([facts[name] for name in self.names])
        return float(logistic(standardise(row, self.mean, self.deviation) @ self.weight + self.bias))

    def save(self, path: str | os.PathLike[str], about: Mapping[str, Any]) -> None:
        """Write the model to an ``.npz`` file of plain numbers, with what it was fitted to."""
        arrays = {part: getattr(self, part).astype(np.float32) for part in _PARTS}
        head = {"names": self.names, "about": dict(about)}
        write_npz(path, KIND, head, arrays | {"bias": np.asarray(self.bias, dtype=np.float32)})


def load_threads(path: str | os.PathLike[str]) -> ThreadModel:
    """Read a saved model; ModelMismatch if it is damaged, ModelMissing if there is none."""
    head, arrays = read_npz(path, KIND)
    names = tuple(head.get("names", ()))
    parts = {part: arrays.get(part, np.zeros(0)).astype(np.float64) for part in (*_PARTS, "bias")}
    whole = all(parts[part].shape == (len(names),) and np.isfinite(parts[part]).all() for part in _PARTS)
    if not names or not whole or parts["bias"].shape != () or not (parts["deviation"] > 0).all():
        raise ModelMismatch(f"{os.fsdecode(path)}: this model of threads is damaged, or of another version")
    bias = float(parts.pop("bias"))
    return ThreadModel(names=names, bias=bias, **parts)


@cache
def shipped_threads() -> ThreadModel:
    """Return the model that is part of the package."""
    return load_threads(Path(__file__).with_name("threads.npz"))
