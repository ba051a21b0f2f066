"""Stop a page that grows without end while it can still be captured."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress

from ..devtools.channel import Channel, CommandFailed

#: Seconds between two counts, and for a reply. The browser replies during scripts that run without a pause, but not
#: during layout.
_INTERVAL, _CALL = 0.2, 1.0
#: Seconds to capture and judge a node, in total, on a slow machine, and a character of text.
NODE_SECONDS, CHARACTER_SECONDS = 2e-4, 1e-6


class SizeLimit:
    """Counts the nodes of a page while it loads; it must be captured by ``deadline`` (``time.monotonic()``)."""

    def __init__(self, channel: Channel, most: int, deadline: float) -> None:
        self._channel = channel
        self._most = most
        self._deadline = deadline
        self.nodes = 0

    @property
    def is_reached(self) -> bool:
        """Whether there are too many nodes, or as many as can be captured in the remaining time."""
        return self.nodes > self._most or time.monotonic() > self._deadline - self.nodes * NODE_SECONDS

    async def watch(self) -> None:
        """Count nodes until the limit is reached."""
        with suppress(TimeoutError, CommandFailed):
            await self._channel.send("Performance.enable", timeout=_CALL)
        while not self.is_reached:
            await asyncio.sleep(_INTERVAL)
            with suppress(TimeoutError, CommandFailed):
                reply = await self._channel.send("Performance.getMetrics", timeout=_CALL)
                self.nodes = int({metric["name"]: metric["value"] for metric in reply["metrics"]}.get("Nodes", 0))
