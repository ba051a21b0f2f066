"""Registry of the systems; each is imported when it is requested.

Other packages add systems by entry points of the group ``blocksight.systems``: each is named as the system, and its
object is a system, a class of one that needs no arguments, or a function from HTML to text.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from ...errors import PluginFailed, unknown_name
from ..system import Card, System, system_tables

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from .peers import PEERS

    #: All systems, and oracles: upper bounds for evaluation, which need the gold text of the page.
    SYSTEMS: tuple[System, ...]
    ORACLES: dict[str, Callable[[str], System]]

__all__ = ["ORACLES", "PEERS", "SYSTEMS", "SYSTEM_NAMES", "as_system", "plugin_names", "system_named"]

#: The name of each system, its module and its class.
_HOMES: dict[str, tuple[str, str]] = {name: table["home"] for name, table in system_tables().items() if "home" in table}
SYSTEM_NAMES = tuple(_HOMES)


@cache
def _system(name: str) -> System:
    module, class_name = _HOMES[name]
    return cast(System, getattr(import_module(f".{module}", __name__), class_name)())


def system_named(name: str) -> System:
    """Return a system, a peer, or a plug-in by its name; ValueError for an unknown name, with suggestions.

    The names of systems and peers cannot be taken by plug-ins. Raises PluginFailed for one that cannot be loaded.
    """
    if name in _HOMES:
        return _system(name)
    from . import PEERS

    for peer in PEERS:
        if peer.card.name == name:
            return peer
    if name in _plugins():
        return _plugin(name)
    raise unknown_name("system", name, (*_HOMES, *(peer.card.name for peer in PEERS), *plugin_names()))


def plugin_names() -> tuple[str, ...]:
    """Return the names of the systems of other packages, sorted."""
    return tuple(sorted(_plugins()))


def _plugins() -> dict[str, EntryPoint]:
    from importlib.metadata import entry_points

    from . import PEERS

    ours = {*_HOMES, *(peer.card.name for peer in PEERS)}
    return {point.name: point for point in entry_points(group="blocksight.systems") if point.name not in ours}


@cache
def _plugin(name: str) -> System:
    """Load the system of another package; PluginFailed if that fails."""
    point = _plugins()[name]
    try:
        loaded = point.load()
        return as_system(loaded() if isinstance(loaded, type) else loaded)
    except Exception as error:  # the code of others
        package = point.dist.name if point.dist else "an unknown package"
        cause = f"{type(error).__name__}: {error}"
        raise PluginFailed(name, f"{point.value} of {package} is no system ({cause})") from error


def as_system(given: System | str | Callable[[str], str | None]) -> System:
    """Return a system from a system, its name, or a function from HTML to text; else raise ValueError or TypeError."""
    if isinstance(given, str):
        return system_named(given)
    if isinstance(given, type):
        raise TypeError(f"{given.__name__} is a class: pass an instance, {given.__name__}()")
    if hasattr(given, "mark") and hasattr(given, "card"):
        if not isinstance(given.card, Card):
            raise TypeError(
                f"the card of a system is a blocksight.Card (only the name is required), not {given.card!r}"
            )
        return given
    if callable(given):
        from .text_system import TextSystem

        return TextSystem(given)
    raise TypeError(f"a system has a card and mark(page), or is a function from HTML to text; {given!r} is neither")


# Values that import every system are created on first access (PEP 562).
if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "SYSTEMS":
            value = tuple(map(_system, _HOMES))
        elif name == "PEERS":
            value = import_module(".peers", __name__).PEERS
        elif name == "ORACLES":
            value = {"vips-oracle": lambda gold: import_module(".vips_content", __name__).VipsOracle(gold=gold)}
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        globals()[name] = value
        return value
