"""Open the parts of a settled page that one click shows, for the option ``reveal``.

The script runs in an isolated world, which the page neither sees nor changes. It marks the parts when no script of the
page runs any more, by a name of this page alone, which becomes :data:`~blocksight.page.html.REVEALED`.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from contextlib import suppress
from typing import Any

from ...lexicon.phrases import alternatives
from ...lexicon.word_lists import entries
from ...page.html import REVEALED
from ..devtools.channel import Channel, CommandFailed
from ..devtools.scripts import call
from .page_clock import PageClock

#: Most clicks on a page, and steps: what opens over the page takes some more to be closed.
_MOST_CLICKS, _MOST_STEPS = 40, 100
#: Seconds of the page's clock in which it shows what changes without a click, and after each click.
_REST, _ANSWER = 5.0, 1.0
#: Real seconds for a reply.
_REPLY = 2.0
_WORDS = entries("labels")["SHOW_MORE"]


class RevealedParts:
    """The parts of a page that were opened: call :meth:`open` on a live page, and :meth:`mark` its snapshot."""

    def __init__(self, channel: Channel, clock: PageClock) -> None:
        #: Number of parts, for the environment of the page; empty if nothing was to be opened.
        self.environment: dict[str, str] = {}
        self._channel, self._clock = channel, clock
        self._mark = f"data-{secrets.token_hex(8)}"

    async def open(self, cap: float) -> None:
        """Open the parts of the page, in at most ``cap`` real seconds; what was opened by then is shown."""
        count, late = 0, ""
        with suppress(CommandFailed, TimeoutError):
            try:
                async with asyncio.timeout(cap):
                    await self._click(cap)
            except TimeoutError:
                late = ", not all in time"
            count = await self._channel.evaluate("globalThis.blocksightParts?.finish()", timeout=_REPLY) or 0
            if count:
                await self._channel.send("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=_REPLY)
                await self._channel.evaluate(f"blocksightParts.mark({json.dumps(self._mark)})", timeout=_REPLY)
        self.environment = {"revealed": f"{count}{late}"}

    async def _click(self, cap: float) -> None:
        if not await self._channel.evaluate(call("reveal_parts", alternatives(_WORDS), _MOST_CLICKS), timeout=_REPLY):
            return
        await self._clock.run(_REST, cap)
        for _ in range(_MOST_STEPS):
            if not await self._channel.evaluate("blocksightParts.step()", timeout=_REPLY):
                return
            await self._clock.run(_ANSWER, cap)

    def mark(self, reply: dict[str, Any]) -> None:
        """Rename the marks in a snapshot, in place."""
        strings: list[str] = reply["strings"]
        if self._mark in strings:
            strings[strings.index(self._mark)] = REVEALED
