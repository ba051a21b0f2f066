"""Pictures of a page whose clock stands."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from ..channel import Channel, CommandFailed

#: Seconds after which a picture that has not come is waited for no longer while the clock stands. One takes two
#: seconds at worst.
PATIENCE = 3.0


async def shoot(channel: Channel, wanted: dict[str, Any], seconds: float) -> str:
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
