"""Frames and pictures of a page whose clock stands."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from ...devtools.channel import Channel, CommandFailed

#: Seconds after which a picture that has not come is waited for no longer while the clock stands. One takes two
#: seconds at worst.
PATIENCE = 3.0
#: Seconds in which a frame is drawn, and frames that do not come one after the other until none is waited for.
FRAME_SECONDS, MOST_MISSED = 0.5, 2
#: Seconds for a picture of a page of which no frame is drawn.
HELD_SECONDS = 2.0

#: What is asked next is answered after the frame: the browser does nothing else while it draws one.
_FRAME = "new Promise(done => requestAnimationFrame(done))"


class Frames:
    """Waits for frames of a page, and for none any more once the browser seems to draw none."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._missed = 0

    @property
    def missing(self) -> bool:
        """Whether the browser seems to draw none."""
        return self._missed >= MOST_MISSED

    async def draw(self, script: str = _FRAME) -> None:
        """Have a frame drawn: only then do observers learn what has come into view.

        Parameters
        ----------
        script : str
            What to wait for instead, with frames in it.
        """
        if self.missing:
            return
        wanted = {"expression": script, "awaitPromise": True}
        try:
            await self._channel.send("Runtime.evaluate", wanted, timeout=FRAME_SECONDS)
            self._missed = 0
        except CommandFailed:
            pass
        except TimeoutError:
            self._missed += 1


async def shoot(channel: Channel, wanted: dict[str, Any], seconds: float, *, held: bool = False) -> str:
    """Take a picture of a page.

    Now and then the browser holds frames back until some of the page's time has gone by, which it never does while the
    clock stands. Then the clock is let go for one picture, during which no script of the page runs.

    Parameters
    ----------
    channel : Channel
        To a page whose clock stands.
    wanted : dict
        The parameters of ``Page.captureScreenshot``.
    seconds : float
        For all of it.
    held : bool
        Whether it is known that no frame is drawn: the clock is let go at once.

    Returns
    -------
    str
        In Base64.

    Raises
    ------
    TimeoutError
        When it did not come.
    """
    deadline = time.monotonic() + seconds

    async def call(method: str, given: dict[str, Any], most: float = seconds) -> dict[str, Any]:
        return await channel.send(method, given, timeout=min(max(deadline - time.monotonic(), 0.0), most))

    if not held:
        with suppress(TimeoutError):
            shot: str = (await call("Page.captureScreenshot", wanted, min(PATIENCE, seconds / 2)))["data"]
            return shot
    await call("Emulation.setScriptExecutionDisabled", {"value": True})
    await call("Emulation.setVirtualTimePolicy", {"policy": "advance"})
    try:
        await call("Page.captureScreenshot", {"format": "jpeg", "quality": 1})
    finally:
        with suppress(TimeoutError, CommandFailed):
            await channel.send("Emulation.setVirtualTimePolicy", {"policy": "pause"}, timeout=PATIENCE)
    late: str = (await call("Page.captureScreenshot", wanted))["data"]
    return late
