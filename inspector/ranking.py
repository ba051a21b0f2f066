"""Order of the pages to label: as given, or by the model's confidence."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ..classify.systems.blocksight import Blocksight
from ..errors import BlocksightError
from ..page.page import Page
from .items import InspectorItem

Order = Literal["given", "confidence"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """The score of a page: the F1 that the model expects, or an error."""

    confidence: float = 0.0
    error: str = ""


def rank(page: Page, system: Blocksight) -> Rank:
    """Score a page by the model."""
    return Rank(confidence=round(system.judge(page).expected_f1, 4))


def ordered(items: Sequence[InspectorItem], ranks: dict[str, Rank], order: Order) -> list[InspectorItem]:
    """Return pages in an order; those without scores are last."""
    if order == "given":
        return list(items)

    def key(item: InspectorItem) -> tuple[bool, float]:
        scores = ranks.get(item.id)
        if scores is None or scores.error:
            return True, 0.0
        return False, scores.confidence

    return sorted(items, key=key)


class Ranking:
    """Ranks all pages in the background, each by a function."""

    def __init__(self, items: Sequence[InspectorItem], rank_item: Callable[[InspectorItem], Rank]) -> None:
        self.ranks: dict[str, Rank] = {}
        self._items = items
        self._rank_item = rank_item
        self._round = 0
        self._lock = threading.Lock()

    def start(self) -> threading.Thread:
        """Start, or start again with another model; return the thread."""
        with self._lock:
            self._round += 1
            number = self._round
        thread = threading.Thread(target=self._run, args=(number,), name="blocksight-ranking", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Stop after the current page."""
        with self._lock:
            self._round += 1

    def _run(self, number: int) -> None:
        for item in self._items:
            if number != self._round:
                return
            try:
                scores = self._rank_item(item)
            except (BlocksightError, TimeoutError) as error:
                scores = Rank(error=str(error))
            if number == self._round:
                self.ranks[item.id] = scores
