"""How large a page becomes while it loads: one that grows without end is stopped while it can still be captured."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from ..devtools.channel import Channel, CommandFailed

#: Seconds between two looks, and for how long an answer is waited for. The browser answers from within scripts that
#: run without a pause, but not from within a layout.
_LOOK, _CALL = 0.2, 1.0
#: Seconds that capturing a node takes, and finding out what it is, all in all, on a slow machine.
NODE_SECONDS = 2e-4
#: The same of a character of text.
CHARACTER_SECONDS = 1e-6


class SizeLimit:
    """Counts a page's nodes while it loads.

    Parameters
    ----------
    channel : Channel
    most : int
        Nodes from which on a page is not taken any more.
    deadline : float
        When the page must have been captured, by ``time.monotonic()``.

    Attributes
    ----------
    nodes : int
        Those of the last look.
    """

    def __init__(self, channel: Channel, most: int, deadline: float) -> None:
        self._channel = channel
        self._most = most
        self._deadline = deadline
        self.nodes = 0

    @property
    def is_enough(self) -> bool:
        """Whether it has more nodes than it may, or as many as can be captured in the time that is left."""
        return self.nodes > self._most or time.monotonic() > self._deadline - self.nodes * NODE_SECONDS

    async def watch(self) -> None:
        """Look again and again, until it is enough."""
        with suppress(TimeoutError, CommandFailed):
            await self._channel.send("Performance.enable", timeout=_CALL)
        while not self.is_enough:
            await asyncio.sleep(_LOOK)
            with suppress(TimeoutError, CommandFailed):
                found = await self._channel.send("Performance.getMetrics", timeout=_CALL)
                self.nodes = int({one["name"]: one["value"] for one in found["metrics"]}.get("Nodes", 0))
