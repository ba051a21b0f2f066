"""Which page to label next: where the model is least sure, where systems disagree most, or any."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ..classify.systems.blocksight import Blocksight
from ..compare.agreement import compare_systems
from ..errors import BlocksightError
from ..page.page import Page
from .items import Item

#: How pages can stand in a row.
Order = Literal["given", "confidence", "disagreement", "random"]
ORDERS: tuple[Order, ...] = get_args(Order)
#: Systems of different kinds that cost little: density, a stretch of words, one element.
DOUBTERS = ("cetd", "mss-simple", "newsfeed-dom")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """What is known of a page before anybody has looked at it.

    Attributes
    ----------
    confidence : float
        The expected F1 of what the model chose.
    disputed : float
        Share of its words that some systems keep and others do not.
    error : str
        Why the page cannot be had.
    """

    confidence: float = 0.0
    disputed: float = 0.0
    error: str = ""


def rank(page: Page, system: Blocksight) -> Rank:
    """Judge a page by the model and by the other systems."""
    found = compare_systems(page, [system, *DOUBTERS])
    return Rank(confidence=round(system.judge(page).expected_f1, 4), disputed=round(found.disputed, 4))


def ordered(sheets: Sequence[Item], ranks: dict[str, Rank], order: Order) -> list[Item]:
    """Return pages in an order; those of which nothing is known yet stand behind the others."""
    if order == "random":  # the same one every time
        return sorted(sheets, key=lambda sheet: zlib.crc32(sheet.id.encode()))
    if order == "given":
        return list(sheets)

    def key(sheet: Item) -> tuple[bool, float]:
        known = ranks.get(sheet.id)
        if known is None or known.error:
            return True, 0.0
        return False, known.confidence if order == "confidence" else -known.disputed

    return sorted(sheets, key=key)


class Ranking:
    """Goes through all pages in the background.

    Parameters
    ----------
    sheets : sequence of Item
    look : callable
        Opens and ranks one page.
    """

    def __init__(self, sheets: Sequence[Item], look: Callable[[Item], Rank]) -> None:
        self.ranks: dict[str, Rank] = {}
        self._sheets = sheets
        self._look = look
        self._round = 0
        self._lock = threading.Lock()

    def start(self) -> None:
        """Begin, or begin anew: the model is another one."""
        with self._lock:
            self._round += 1
            number = self._round
        threading.Thread(target=self._go, args=(number,), name="blocksight-ranking", daemon=True).start()

    def stop(self) -> None:
        """End after the page that is being ranked."""
        with self._lock:
            self._round += 1

    def look_through(self) -> None:
        """Rank all pages anew, here and now."""
        self._round += 1
        self._go(self._round)

    def _go(self, number: int) -> None:
        for sheet in self._sheets:
            if number != self._round:
                return
            try:
                found = self._look(sheet)
            except (BlocksightError, TimeoutError) as error:
                found = Rank(error=str(error))
            if number == self._round:
                self.ranks[sheet.id] = found
