"""The deadlines of a page, and of one attempt to render it.

Two things do not count: the start of the page's processes, and what other programs take of the processors. A busy
machine needs several seconds for the first, and gives a page a tenth of its usual speed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ...processes.contention import MOST_STRETCH
from ..render_options import RenderOptions
from .requests.main_response import UNANSWERED_SECONDS

#: Seconds, and share of the time, reserved for capturing.
CAPTURE_RESERVE, CAPTURE_SHARE = 4.0, 0.4
#: The same for an address that has not answered: what arrives after that is hardly more than the start of a page.
ANSWER_RESERVE, ANSWER_SHARE = 1.5, 0.1
#: The same for another attempt, with the truncated page; it needs at least so many seconds, after it was opened.
RETRY_RESERVE, RETRY_SHARE, RETRY_LEAST = 3.5, 0.35, 1.2


class PageTime:
    """The time of a page: ``timeout`` seconds, ``stretch`` times as many on a busy machine.

    ``end`` and ``last`` are by ``time.monotonic()``. Time that does not count moves the end, but not beyond ``last``:
    twice the timeout after the start.
    """

    def __init__(self, timeout: float, stretch: float = 1.0) -> None:
        self.timeout = timeout
        self.stretch = stretch
        self.start = time.monotonic()
        self.end = self.start + timeout * stretch
        self.last = self.start + timeout * MOST_STRETCH
        #: Seconds that the latest attempt needed to open an empty page.
        self.opening = 0.0
        self._opening_since = self.start

    @property
    def left(self) -> float:
        """Seconds of all attempts; negative when they are over."""
        return self.end - time.monotonic()

    @property
    def work_left(self) -> float:
        """Seconds of work that fit in the time left: on a busy machine work takes longer."""
        return self.left / self.stretch

    @property
    def most_left(self) -> float:
        """Seconds until the page ends in any case."""
        return max(self.last - time.monotonic(), 0.0)

    @property
    def limit(self) -> str:
        """The limit in words, for messages."""
        busy = f", {self.end - self.start:.0f} s on this busy machine" if self.stretch > 1.0 else ""
        return f"{self.timeout:g} s{busy}"

    def begin_opening(self) -> None:
        """Stop counting: an attempt opens an empty page, perhaps in a new browser."""
        self._opening_since = time.monotonic()

    def end_opening(self) -> None:
        """Count on."""
        self.opening = time.monotonic() - self._opening_since
        self.end = min(self.end + self.opening, self.last)


class TimeBudget:
    """Deadlines by ``time.monotonic()``: ``deadline`` of this attempt; the next one, if there is time, is truncated."""

    def __init__(self, page_time: PageTime, options: RenderOptions, *, truncated: bool) -> None:
        self.page_time = page_time
        self.is_truncated = truncated
        self.deadline = page_time.end
        self._limit: asyncio.Timeout | None = None
        self._options = options
        stretch = page_time.stretch
        if not truncated:
            reserve = min(RETRY_RESERVE * stretch, RETRY_SHARE * self.left)
            self.deadline -= reserve if reserve >= RETRY_LEAST * stretch + page_time.opening else 0.0
        #: Deadline of loading; the rest of this attempt is for capturing.
        self.load_by = self.deadline - min(CAPTURE_RESERVE * stretch, CAPTURE_SHARE * self.left)

    @property
    def left(self) -> float:
        """Seconds of this attempt."""
        return max(self.deadline - time.monotonic(), 0.0)

    @property
    def total_left(self) -> float:
        """Seconds of all attempts; negative when they are over."""
        return self.page_time.left

    @property
    def load_left(self) -> float:
        """Seconds that the page may still load."""
        return max(self.load_by - time.monotonic(), 0.0)

    @property
    def settle_left(self) -> float:
        """Seconds that the page may still settle."""
        return min(self.load_left, (self._options.settle_cap + UNANSWERED_SECONDS) * self.page_time.stretch)

    @property
    def answer_left(self) -> float:
        """Seconds in which the address must answer."""
        reserve = min(ANSWER_RESERVE, ANSWER_SHARE * self._options.timeout) * self.page_time.stretch
        return max(self.total_left - reserve, 0.0)

    def skip_retry_if_late(self) -> None:
        """Use the time of the next attempt as well if too little is left for one."""
        if self.left < RETRY_LEAST * self.page_time.stretch:
            self.skip_retry()

    def skip_retry(self) -> None:
        """Use the time of the next attempt as well."""
        self.deadline = self.page_time.end
        if self._limit is not None:
            self._limit.reschedule(asyncio.get_running_loop().time() + self.left)

    @asynccontextmanager
    async def limit(self) -> AsyncIterator[None]:
        """Raise TimeoutError when this attempt is over."""
        async with asyncio.timeout(self.left) as self._limit:
            yield
