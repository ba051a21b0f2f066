"""A linear-chain conditional random field as plain numbers: trained by CRFsuite, judged by NumPy.

CRFsuite trusts its model files, a crafted one ends the program. So a model keeps the weights, and CRFsuite is needed
for training only.
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
    """Weights of a random field.

    Attributes
    ----------
    names : mapping of str to int
        Row of each feature in ``state``.
    state : float64 (features, labels)
        What a feature of a block adds to each label.
    moves : float64 (labels, labels)
        What a label adds to the one behind it: ``[before, behind]``.
    """

    names: Mapping[str, int]
    state: FloatArray
    moves: FloatArray

    @classmethod
    def of(cls, learned: Learned, labels: int) -> Field:
        """Read what :meth:`arrays` has written.

        Raises
        ------
        ModelMismatch
            When something is missing or does not fit.
        """
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
        """Return it as the arrays of a model."""
        names = np.frombuffer("\n".join(self.names).encode(), dtype=np.uint8)
        return {"names": names, "state": self.state.astype(np.float32), "moves": self.moves.astype(np.float32)}

    def tag(self, rows: Sequence[Sequence[str]]) -> list[int]:
        """Return the likeliest sequence of labels for blocks with these features (Viterbi); unknown ones say nothing.

        Of labels that are as likely the first counts.
        """
        if not rows:
            return []
        best, *others = self._emissions(rows)
        came = []
        for scores in others:
            paths = best[:, None] + self.moves
            came.append(paths.argmax(axis=0))
            best = paths.max(axis=0) + scores
        label = int(best.argmax())
        found = [label]
        for before in reversed(came):
            label = int(before[label])
            found.append(label)
        return found[::-1]

    def _emissions(self, rows: Sequence[Sequence[str]]) -> FloatArray:
        """float64 (rows, labels): what the features of each row say."""
        known = [[self.names[name] for name in row if name in self.names] for row in rows]
        owner = np.repeat(np.arange(len(rows)), [len(row) for row in known])
        feature = np.fromiter(chain.from_iterable(known), dtype=np.int64, count=len(owner))
        found = np.zeros((len(rows), self.state.shape[1]))
        for label in range(found.shape[1]):
            found[:, label] = np.bincount(owner, weights=self.state[feature, label], minlength=len(rows))
        return found


def train(
    sequences: Iterable[tuple[list[list[str]], list[str]]], labels: Sequence[str], *, l1: float, l2: float, steps: int
) -> Field:
    """Fit a field to labelled sequences by L-BFGS.

    Parameters
    ----------
    sequences : iterable of tuple
        The features of each block of a sequence, and its labels.
    labels : sequence of str
        All that there are, in the order of the field's columns.
    l1, l2 : float
        Weights of the regularisations.
    steps : int
        Of L-BFGS, at most.
    """
    import pycrfsuite

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"c1": l1, "c2": l2, "max_iterations": steps})
    for rows, given in sequences:
        trainer.append(rows, given)
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
    """Return the field that CRFsuite describes."""
    column = {label: number for number, label in enumerate(labels)}
    names = {name: row for row, name in enumerate(sorted({name for name, _ in state_features}))}
    state, moves = np.zeros((len(names), len(labels))), np.zeros((len(labels), len(labels)))
    for (name, label), weight in state_features.items():
        state[names[name], column[label]] = weight
    for (before, behind), weight in transitions.items():
        moves[column[before], column[behind]] = weight
    return Field(names=names, state=state, moves=moves)
