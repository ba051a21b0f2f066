"""A linear-chain conditional random field as plain numbers: trained with CRFsuite, evaluated with NumPy.

CRFsuite does not validate its model files, so that a crafted one crashes the process. Therefore a model stores the
weights, and CRFsuite is used only for training.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....page.arrays import FloatArray
from ..learning.trainable import Learned


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Field:
    """Weights of a random field."""

    names: Mapping[str, int]  # row of each feature in ``state``
    #: float64 (features, labels): weights of the features.
    state: FloatArray
    #: float64 (labels, labels): weights of the transitions ``[previous, next]``.
    moves: FloatArray

    @classmethod
    def of(cls, learned: Learned, labels: int) -> Field:
        """Read the arrays written by :meth:`arrays`; ModelMismatch if they are not valid."""
        state = learned.array("state", (None, labels), kind="f").astype(np.float64)
        moves = learned.array("moves", (labels, labels), kind="f").astype(np.float64)
        try:
            names = learned.array("names", (None,), kind="u").astype(np.uint8).tobytes().decode().split("\n")
        except UnicodeDecodeError as error:
            raise learned.damaged("names") from error
        if len(names) != len(state) or len(set(names)) != len(names):
            raise learned.damaged("names")
        return cls(names={name: row for row, name in enumerate(names)}, state=state, moves=moves)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays of a model."""
        names = np.frombuffer("\n".join(self.names).encode(), dtype=np.uint8)
        return {"names": names, "state": self.state.astype(np.float32), "moves": self.moves.astype(np.float32)}

    def tag(self, rows: Sequence[Sequence[str]]) -> list[int]:
        """Return the most likely sequence of labels for blocks with these features (Viterbi).

        Unknown features are ignored; of equally likely labels the first is returned.
        """
        if not rows:
            return []
        best, *others = self._emissions(rows)
        pointers = []
        for scores in others:
            paths = best[:, None] + self.moves
            pointers.append(paths.argmax(axis=0))
            best = paths.max(axis=0) + scores
        label = int(best.argmax())
        labels = [label]
        for before in reversed(pointers):
            label = int(before[label])
            labels.append(label)
        return labels[::-1]

    def _emissions(self, rows: Sequence[Sequence[str]]) -> FloatArray:
        """Return the sum of the weights of each row's features, float64 (rows, labels)."""
        known = [[self.names[name] for name in row if name in self.names] for row in rows]
        owner = np.repeat(np.arange(len(rows)), [len(row) for row in known])
        feature = np.fromiter(chain.from_iterable(known), dtype=np.int64, count=len(owner))
        emissions = np.zeros((len(rows), self.state.shape[1]))
        for label in range(emissions.shape[1]):
            emissions[:, label] = np.bincount(owner, weights=self.state[feature, label], minlength=len(rows))
        return emissions


def train(
    sequences: Iterable[tuple[list[list[str]], list[str]]], labels: Sequence[str], *, l1: float, l2: float, steps: int
) -> Field:
    """Fit a field to sequences of features and labels by L-BFGS with two regularisations and at most ``steps``."""
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": l1, "c2": l2, "max_iterations": steps})
    for rows, row_labels in sequences:
        trainer.append(rows, row_labels)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model"
        trainer.train(str(file))
        tagger = pycrfsuite.Tagger()
        tagger.open(str(file))
        info = tagger.info()
        tagger.close()
    return _field(info.state_features, info.transitions, labels)


def _field(
    state_features: Mapping[tuple[str, str], float],
    transitions: Mapping[tuple[str, str], float],
    labels: Sequence[str],
) -> Field:
    column = {label: number for number, label in enumerate(labels)}
    names = {name: row for row, name in enumerate(sorted({name for name, _ in state_features}))}
    state, moves = np.zeros((len(names), len(labels))), np.zeros((len(labels), len(labels)))
    for (name, label), weight in state_features.items():
        state[names[name], column[label]] = weight
    for (previous, following), weight in transitions.items():
        moves[column[previous], column[following]] = weight
    return Field(names=names, state=state, moves=moves)
