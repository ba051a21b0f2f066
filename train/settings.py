"""Options of `blocksight train`: kernels, their parameters, folds. Needs no scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

KERNELS = ("linear", "rbf")
#: Rows for which C is meant: each of more rows counts less, so that a C means the same strength of regularisation
#: however many rows are learned from.
C_ROWS = 1000
LINEAR_C = (0.0003, 0.001, 0.01, 0.1)
RBF_C = (1.0, 5.0, 25.0)
#: In parts of 1 / number of features.
RBF_GAMMA = (0.1, 0.5, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Parameters of a support vector machine."""

    kernel: str  # Of :data:`KERNELS`
    c: float  # For :data:`C_ROWS` rows
    gamma: float = 0.0  # For "rbf", in parts of 1 / number of features

    def __str__(self) -> str:
        return f"{self.kernel}, C = {self.c:g}" + (f", gamma = {self.gamma:g} / features" if self.gamma else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Options of fitting and cross-validation."""

    folds: int = 4  # All pages of a site are in the same one
    blocks: int = 20_000  # Rows to learn from at most, drawn by their weight
    search_blocks: int = 5_000  # The same while settings and groups are compared
    seed: int = 0


def grid(
    kernels: Sequence[str] = KERNELS,
    linear_c: Sequence[float] = LINEAR_C,
    rbf_c: Sequence[float] = RBF_C,
    gammas: Sequence[float] = RBF_GAMMA,
) -> tuple[Setting, ...]:
    """Return all settings of a grid."""
    unknown = set(kernels) - set(KERNELS)
    if unknown:
        raise ValueError(f"unknown kernel: {', '.join(sorted(unknown))}; choose from {', '.join(KERNELS)}")
    linear = [Setting(kernel="linear", c=c) for c in linear_c] if "linear" in kernels else []
    rbf = [Setting(kernel="rbf", c=c, gamma=gamma) for c, gamma in product(rbf_c, gammas)] if "rbf" in kernels else []
    return (*linear, *rbf)
