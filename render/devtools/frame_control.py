"""Demand the frames of a page from a browser that draws none by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
#: The reply to the command for a frame.
FrameReply = asyncio.Future[dict[str, Any]]

#: Seconds for a frame, which ends with its page at the latest, and between two attempts if the browser refuses one.
_FRAME_SECONDS, _REFUSED_SECONDS = 86_400.0, 0.005
#: Seconds to wait for the frame that is being drawn before the next command is sent.
_LATE_SECONDS = 0.25


class PageCommands(Protocol):
    """The commands of a page, as :class:`~.channel.Channel` has them."""

    async def try_send(self, method: str, params: dict[str, Any] | None, *, timeout: float) -> dict[str, Any] | None:
        """Return the result of a command, None if there is none."""

    def start(self, work: Awaitable[T]) -> asyncio.Future[T]:
        """Start some work that ends with the page."""


class FrameControl:
    """Draws the frames of a page one after the other, only while something waits for them.

    A frame by itself comes at a sixtieth of a second; one on demand takes as long as its work. The headless shell ends
    when it draws frames of two pages at once: it has one page at a time.
    """

    def __init__(self, commands: PageCommands) -> None:
        self._commands = commands
        self._frame: FrameReply | None = None

    @property
    def is_drawing(self) -> bool:
        """Whether a frame has not been finished."""
        return self._frame is not None and not self._frame.done()

    def demand(self) -> FrameReply:
        """Demand a frame, or none if one is being drawn; return its future, which has no errors."""
        if self._frame is None or self._frame.done():
            self._frame = self._commands.start(self._draw())
        return self._frame

    async def during(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Draw frames until some work has ended, a command that waits for them; return its result."""
        # A screenshot that is requested while a frame is drawn may wait for ever, and so does the next frame.
        await self.finish(_LATE_SECONDS)
        task = asyncio.ensure_future(work())
        try:
            # The command is sent before the frame is demanded.
            await asyncio.wait({task}, timeout=0.001)
            while not task.done():
                either: set[asyncio.Future[Any]] = {task, self.demand()}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return await task
        finally:
            task.cancel()

    @asynccontextmanager
    async def at_intervals(self, seconds: float) -> AsyncIterator[None]:
        """Draw a frame again and again, at intervals, as a page that is waited for in real time expects."""

        async def draw() -> None:
            while True:
                await asyncio.sleep(seconds)
                await asyncio.shield(self.demand())

        drawing = asyncio.ensure_future(draw())
        try:
            yield
        finally:
            drawing.cancel()

    async def screenshot(self, parameters: dict[str, Any], timeout: float) -> str:
        """Draw a frame and return a picture of it, in base64; raises ``TimeoutError`` if there is none in time."""
        async with asyncio.timeout(timeout):
            while True:
                if not await self.finish(timeout):
                    raise TimeoutError
                self._frame = frame = self._commands.start(self._draw({"screenshot": parameters}))
                if data := (await asyncio.shield(frame)).get("screenshotData"):
                    return str(data)

    async def finish(self, seconds: float) -> bool:
        """Wait for the frame that is being drawn; return whether it is finished in time."""
        if self._frame is not None:
            await asyncio.wait({self._frame}, timeout=seconds)
        return not self.is_drawing

    async def _draw(self, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        frame = await self._commands.try_send("HeadlessExperimental.beginFrame", parameters, timeout=_FRAME_SECONDS)
        if frame is None:
            # The page is being closed, or its first document is being replaced.
            await asyncio.sleep(_REFUSED_SECONDS)
        return frame or {}
