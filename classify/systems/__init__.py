"""The systems by name. The list is written by hand: what stands here is what there is."""

from __future__ import annotations

from collections.abc import Callable

from ...render.errors import unknown_name
from ..system import Card, System
from .blocksight import Blocksight, BlocksightDom
from .bte import Bte
from .cetd import Cetd
from .cetr import Cetr
from .coreex import Constor, Constor2, CoreEx
from .everything import Everything
from .fiasco.fiasco import Fiasco
from .fiasco.krdwrd import Krdwrd
from .genieknows import GenieKnows
from .htmlcleaner import HtmlCleaner
from .kimatu import Kimatu
from .mss.semi import MssSemi
from .mss.simple import LongestDiv, MssSimple, MssSimpleHr
from .mss.trained import Mss, MssCleaneval, MssHr, Www, WwwPlus
from .newsfeed import NewsfeedDom
from .peers import PEERS
from .scedd import Scedd, SceddVisual
from .stupidos import Stupidos
from .text_system import TextSystem
from .victor.victor import Victor
from .vips import VipsOracle, VipsWords
from .wcc.genetic import WccGenetic
from .wcc.heuristic import WccBaseline, WccHeuristic
from .wcc.lm import WccLm
from .wcc.tree import WccTree

__all__ = ["ORACLES", "PEERS", "SYSTEMS", "as_system", "system_named"]

SYSTEMS: tuple[System, ...] = (
    Blocksight(),
    BlocksightDom(),
    Bte(),
    LongestDiv(),
    MssSimple(),
    MssSimpleHr(),
    NewsfeedDom(),
    WccBaseline(),
    WccHeuristic(),
    HtmlCleaner(),
    Kimatu(),
    Cetd(),
    Cetr(),
    CoreEx(),
    Constor(),
    Constor2(),
    Scedd(),
    SceddVisual(),
    VipsWords(),
    GenieKnows(),
    Mss(),
    MssHr(),
    MssCleaneval(),
    MssSemi(),
    Www(),
    WwwPlus(),
    Fiasco(),
    Krdwrd(),
    Victor(),
    Stupidos(),
    WccTree(),
    WccLm(),
    WccGenetic(),
    Everything(),
)

#: Upper bounds for evaluation: they are told the gold text of the page, so they are no systems.
ORACLES: dict[str, Callable[[str], System]] = {VipsOracle.card.name: lambda gold: VipsOracle(gold=gold)}


def system_named(name: str) -> System:
    """Return a system, or a peer, by its name.

    Raises
    ------
    ValueError
        When there is none of that name; the message says which are like it, or which there are.
    """
    for system in (*SYSTEMS, *PEERS):
        if system.card.name == name:
            return system
    raise unknown_name("system", name, (system.card.name for system in (*SYSTEMS, *PEERS)))


def as_system(given: System | str | Callable[[str], str | None]) -> System:
    """Return what a user names or brings as a system.

    Parameters
    ----------
    given : System, str or callable
        A system, the name of one or of a peer, or a function from HTML to text.

    Raises
    ------
    ValueError
        When no system has that name.
    TypeError
        When it is none of these, or a class instead of a system made from it.
    """
    if isinstance(given, str):
        return system_named(given)
    if isinstance(given, type):
        raise TypeError(f"{given.__name__} is a class: pass a system made from it, {given.__name__}()")
    if hasattr(given, "mark") and hasattr(given, "card"):
        if not isinstance(given.card, Card):
            raise TypeError(f"the card of a system is a blocksight.Card (a name will do), not {given.card!r}")
        return given
    if callable(given):
        return TextSystem(given)
    raise TypeError(f"a system has a card and mark(page), or is a function from HTML to text; {given!r} is neither")
