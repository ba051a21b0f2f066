"""The slots of a service: how many pages are processed at once, and how long a request may wait for one."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Awaitable

from ...errors import TimedOut
from ...inspector.server.requests import Refusal

#: Seconds after which a refused request may be sent again, if it is unknown how long pages take.
_RETRY_AFTER = 2.0
#: Weight of the last page in the mean time of pages.
_NEWEST = 0.2


class Busy(Refusal):
    """A request that would wait too long, with the seconds after which it may be sent again."""

    def __init__(self, seconds: float = 0.0) -> None:
        super().__init__(503, "too many requests are in progress; try again later")
        self.seconds = seconds or _RETRY_AFTER


class Slots:
    """Slots for ``count`` pages at once; a request waits at most ``most_wait`` seconds for one."""

    def __init__(self, count: int, most_wait: float) -> None:
        self._count = count
        self._most_wait = most_wait
        self._mean_seconds = 0.0
        self._waiting = 0
        self.reset()

    def reset(self) -> None:
        """Make all slots free, for the event loop of this thread."""
        self._free = asyncio.Semaphore(self._count)

    async def acquire(self, timeout: float | None) -> float:
        """Acquire a slot, and return the seconds that it took.

        Raises Busy at once if it is expected to take longer than ``timeout`` or the most that a request may wait, and
        when it does.
        """
        start = time.monotonic()
        most = min(self._most_wait, math.inf if timeout is None else timeout)
        if (expected := self._expected_wait()) > most:
            raise Busy(expected)
        self._waiting += 1
        try:
            async with asyncio.timeout(most):
                await self._free.acquire()
        except TimeoutError as error:
            raise Busy(self._expected_wait()) from error
        finally:
            self._waiting -= 1
        return time.monotonic() - start

    def _expected_wait(self) -> float:
        """Return the seconds until a new request has a slot, by the mean time of pages."""
        return self._mean_seconds * (self._waiting + 1) / self._count if self._free.locked() else 0.0

    async def work(self, work: Awaitable[bytes], seconds: float | None) -> bytes:
        """Do the work of an acquired slot, which is free when the work has ended; TimedOut after some seconds."""
        start, task = time.monotonic(), asyncio.ensure_future(work)
        task.add_done_callback(self._release)
        try:
            await asyncio.wait({task}, timeout=seconds)
            if not task.done():
                raise TimedOut("the page", f"not done within the timeout of the request ({seconds:.1f} s were left)")
            result = task.result()
        finally:
            task.cancel()
        last = time.monotonic() - start
        self._mean_seconds += _NEWEST * (last - self._mean_seconds) if self._mean_seconds else last
        return result

    def _release(self, task: asyncio.Future[bytes]) -> None:
        self._free.release()
        if not task.cancelled():
            task.exception()  # the request reports it, if it is still there
