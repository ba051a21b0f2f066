"""Order of the pages to label: as given, or by the model's confidence."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from typing import Literal, get_args

from ..classify.systems.blocksight import Blocksight
from ..errors import BlocksightError
from ..page.page import Page
from .items import InspectorItem

Order = Literal["given", "confidence"]
ORDERS: tuple[Order, ...] = get_args(Order)


def rank(page: Page, system: Blocksight) -> float:
    """Return the confidence of a page: the F1 that the model expects."""
    return round(system.judge(page).expected_f1, 4)


class Ranking:
    """Ranks all pages in the background, each by a function: ``confidence`` and ``errors`` by the pages' ids."""

    def __init__(self, items: Sequence[InspectorItem], rank_item: Callable[[InspectorItem], float]) -> None:
        self.confidence: dict[str, float] = {}
        self.errors: dict[str, str] = {}
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
                confidence = self._rank_item(item)
            except (BlocksightError, TimeoutError) as error:
                self.errors[item.id] = str(error)
                continue
            if number == self._round:
                self.confidence[item.id] = confidence

    def ordered(self, order: Order) -> list[InspectorItem]:
        """Return the pages in an order; those without a confidence are last."""
        if order == "given":
            return list(self._items)
        return sorted(self._items, key=lambda item: self.confidence.get(item.id, math.inf))
