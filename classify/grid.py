"""What machines are fitted with: kernels, their parameters, folds. Needs no scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

KERNELS = ("linear", "rbf")
#: C as KrdWrd's grid has it (Steger & Stemle, WAC5 2009); gamma is in parts of 1 / number of features.
LINEAR_C = (0.0001, 0.001, 0.01, 0.1)
RBF_C = (1.0, 10.0, 100.0)
RBF_GAMMA = (0.1, 0.5, 2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a machine is fitted with; ``gamma`` (in parts of 1 / number of features) is for the kernel "rbf"."""

    kernel: str
    c: float
    gamma: float = 0.0

    def __str__(self) -> str:
        return f"{self.kernel}, C = {self.c:g}" + (f", gamma = {self.gamma:g} / features" if self.gamma else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """How machines are fitted.

    Attributes
    ----------
    folds : int
        All pages of a site are in the same one.
    blocks : int
        Rows that a machine learns from at most, drawn by their weight.
    search_blocks : int
        The same while settings and groups are compared.
    balanced : bool
        Content and boilerplate weigh the same.
    seed : int
    """

    folds: int = 4
    blocks: int = 20_000
    search_blocks: int = 5_000
    balanced: bool = False
    seed: int = 0


def grid(
    kernels: Sequence[str] = KERNELS,
    linear_c: Sequence[float] = LINEAR_C,
    rbf_c: Sequence[float] = RBF_C,
    gammas: Sequence[float] = RBF_GAMMA,
) -> tuple[Setting, ...]:
    """Give all settings of a grid."""
    unknown = set(kernels) - set(KERNELS)
    if unknown:
        raise ValueError(f"no such kernel: {', '.join(sorted(unknown))}; there are {', '.join(KERNELS)}")
    linear = [Setting(kernel="linear", c=c) for c in linear_c] if "linear" in kernels else []
    rbf = [Setting(kernel="rbf", c=c, gamma=gamma) for c, gamma in product(rbf_c, gammas)] if "rbf" in kernels else []
    return (*linear, *rbf)
