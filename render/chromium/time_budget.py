"""The deadlines of one attempt to render a page."""

from __future__ import annotations

import time

from ..render_options import RenderOptions

#: Seconds, and share of the time, reserved for capturing.
CAPTURE_RESERVE, CAPTURE_SHARE = 4.0, 0.4
#: The same for an address that has not answered: what arrives after that is hardly more than the start of a page.
ANSWER_RESERVE, ANSWER_SHARE = 1.5, 0.1
#: The same for another attempt, with the truncated page; it needs at least so many seconds.
RETRY_RESERVE, RETRY_SHARE, RETRY_LEAST = 3.5, 0.35, 1.2


class TimeBudget:
    """Deadlines by ``time.monotonic()``: ``end`` of all attempts, ``deadline`` of this one; the next is truncated."""

    def __init__(self, end: float, options: RenderOptions, *, truncated: bool) -> None:
        self.end = self.deadline = end
        self._options = options
        if not truncated:
            reserve = min(RETRY_RESERVE, RETRY_SHARE * self.left)
            self.deadline -= reserve if reserve >= RETRY_LEAST else 0.0
        #: Deadline of loading; the rest of this attempt is for capturing.
        self.load_by = self.deadline - min(CAPTURE_RESERVE, CAPTURE_SHARE * self.left)

    @property
    def left(self) -> float:
        """Seconds of this attempt."""
        return max(self.deadline - time.monotonic(), 0.0)

    @property
    def total_left(self) -> float:
        """Seconds of all attempts; negative when they are over."""
        return self.end - time.monotonic()

    @property
    def load_left(self) -> float:
        """Seconds that the page may still load."""
        return max(self.load_by - time.monotonic(), 0.0)

    @property
    def settle_left(self) -> float:
        """Seconds that the page may still settle."""
        return min(self.load_left, self._options.settle_cap)

    @property
    def answer_left(self) -> float:
        """Seconds in which the address must answer."""
        return max(self.total_left - min(ANSWER_RESERVE, ANSWER_SHARE * self._options.timeout), 0.0)

    def skip_retry_if_late(self) -> None:
        """Use the time of the next attempt as well if too little is left for one."""
        if self.left < RETRY_LEAST:
            self.deadline = self.end
