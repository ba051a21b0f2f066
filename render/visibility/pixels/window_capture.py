"""Draw frames and take screenshots of a page whose clock is paused."""

from __future__ import annotations

import time
from contextlib import AbstractAsyncContextManager, suppress
from typing import Any

from ...devtools.channel import Channel, CommandFailed

#: Seconds to wait for a screenshot while the clock is paused. One takes at most two seconds.
PATIENCE = 3.0
#: Seconds in which a frame is drawn, and consecutive missing frames after which none is waited for.
FRAME_SECONDS, MOST_MISSED = 0.5, 2
#: Seconds for a screenshot of a page that draws no frames.
HELD_SECONDS = 2.0
#: Seconds between two frames of a page that is waited for in real time, if it draws none by itself.
INTERVAL = 0.05


class Frames:
    """Waits for frames of a page, until the browser seems to draw none."""

    def __init__(self, channel: Channel) -> None:
        #: When the last frame was drawn (``time.monotonic``).
        self.last = 0.0
        self._channel = channel
        self._missed = 0

    @property
    def missing(self) -> bool:
        """Whether the browser seems to draw no frames."""
        return self._missed >= MOST_MISSED

    def drawing(self) -> AbstractAsyncContextManager[None]:
        """Return a context in which the page draws frames, as it does by itself in most browsers."""
        return self._channel.drawing(INTERVAL)

    async def draw(self, expression: str = "blocksight.drawFrames(1)", *, most: int = 1) -> Any:
        """Draw a frame, after which observers know what is in view; or evaluate an expression that waits for ``most``.

        Returns the value of the expression, None if there is none.
        """
        if self.missing:
            return None
        try:
            value = await self._channel.evaluate(expression, timeout=FRAME_SECONDS * max(most, 1), draws=True)
        except CommandFailed:
            return None
        except TimeoutError:
            self._missed += 1
            return None
        if most:
            self._missed, self.last = 0, time.monotonic()
        return value


async def shoot(
    channel: Channel, parameters: dict[str, Any], seconds: float, *, held: bool = False, is_shown: bool = False
) -> str:
    """Take a screenshot of a page whose clock is paused; ``is_shown``: the window shows the clip, and nothing else.

    The browser may hold frames back until some of the page's time has passed, which never happens while the clock is
    paused. Then, or at once if ``held``, the clock runs for one screenshot, during which no script of the page runs.
    Raises ``TimeoutError`` when there is no screenshot in time.
    """
    deadline = time.monotonic() + seconds

    async def call(method: str, arguments: dict[str, Any]) -> None:
        await channel.send(method, arguments, timeout=max(deadline - time.monotonic(), 0.0))

    # Frames on demand come with a picture of what the window shows.
    async def capture(arguments: dict[str, Any], most: float = seconds) -> str:
        left = min(max(deadline - time.monotonic(), 0.0), most)
        if channel.frames is not None and is_shown:
            return await channel.frames.screenshot({key: arguments[key] for key in arguments if key != "clip"}, left)
        data: str = (await channel.send_and_draw("Page.captureScreenshot", arguments, timeout=left))["data"]
        return data

    if not held:
        with suppress(TimeoutError):
            return await capture(parameters, min(PATIENCE, seconds / 2))
    await call("Emulation.setScriptExecutionDisabled", {"value": True})
    await call("Emulation.setVirtualTimePolicy", {"policy": "advance"})
    try:
        await capture({"format": "jpeg", "quality": 1})
    finally:
        with suppress(TimeoutError, CommandFailed):
            await channel.send("Emulation.setVirtualTimePolicy", {"policy": "pause"}, timeout=PATIENCE)
    return await capture(parameters)
