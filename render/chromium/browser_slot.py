"""Keep a browser process for one page at a time: start it, replace it when it is worn, and end it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from ...errors import BrowserMissing
from .browser_process import BrowserProcess


class BrowserSlot:
    """The browser process of one page at a time; it starts with the first page."""

    def __init__(self, launch: Callable[[], Awaitable[BrowserProcess]]) -> None:
        self.process: BrowserProcess | None = None
        self._launch = launch
        self._renewal: asyncio.Future[BrowserProcess] | None = None
        self._endings: set[asyncio.Future[None]] = set()
        self._is_ending = False

    async def ready(self, instead_of: BrowserProcess | None = None) -> BrowserProcess:
        """Return the process to use, a new one if it is worn. Raises BrowserMissing while the slot ends."""
        if self._is_ending:
            raise BrowserMissing("the browser was closed")
        process = self.process
        if process is not None and process is not instead_of and not process.is_worn():
            return process
        if self._renewal is None:
            self._renewal = asyncio.ensure_future(self._renew())
        renewal = self._renewal
        # It goes on if the caller is cancelled: others may wait for it, too.
        await asyncio.wait({renewal})
        if renewal.cancelled():
            raise BrowserMissing("the browser was closed")
        return renewal.result()

    def drop(self, process: BrowserProcess) -> None:
        """End a worn process without pages in the background, if another one has taken its place."""
        if process.worn and not process.busy and process is not self.process:
            task = asyncio.ensure_future(process.end())
            self._endings.add(task)
            task.add_done_callback(self._endings.discard)

    async def end(self) -> None:
        """End the process, also one that is being started, and let none start."""
        self._is_ending = True
        if self._renewal is not None:
            self._renewal.cancel()
            await asyncio.wait({self._renewal})
        processes = [self.process.end()] if self.process is not None else []
        await asyncio.gather(*processes, *self._endings, return_exceptions=True)

    async def _renew(self) -> BrowserProcess:
        try:
            old = self.process
            if old is not None:
                old.worn = True
            self.process = process = await self._launched(attempts=1 if old is None else 2)
            if old is not None:
                self.drop(old)
            return process
        finally:
            self._renewal = None

    async def _launched(self, *, attempts: int) -> BrowserProcess:
        """Start a browser; one that has started before gets a second attempt: it was killed from outside."""
        try:
            return await self._launch()
        except BrowserMissing:
            if attempts < 2:
                raise
            return await self._launch()
