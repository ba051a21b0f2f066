"""The systems by name. The list is written by hand: what stands here is what there is."""

from __future__ import annotations

from ..system import System
from .blocksight import Blocksight, BlocksightDom
from .bte import Bte
from .everything import Everything
from .mss import LongestDiv, MssSimple, MssSimpleHr

SYSTEMS: tuple[System, ...] = (
    Blocksight(),
    BlocksightDom(),
    Bte(),
    LongestDiv(),
    MssSimple(),
    MssSimpleHr(),
    Everything(),
)


def system_named(name: str) -> System:
    """Give a system by its name.

    Raises
    ------
    ValueError
        When there is none of that name; the message lists those there are.
    """
    for system in SYSTEMS:
        if system.card.name == name:
            return system
    known = ", ".join(system.card.name for system in SYSTEMS)
    raise ValueError(f"no system is called {name!r}; there are {known}")
