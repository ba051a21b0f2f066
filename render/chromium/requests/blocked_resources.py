"""What a page can do without: films and sounds, what is sent to be counted, pictures whose size the markup tells.

Nothing of it moves a box, as far as the markup can be believed. A picture comes as one of the declared size in plain
grey, on which text in any usual colour is seen.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urldefrag

from ...devtools.channel import Channel, CommandFailed

#: Kinds of request that fail: what plays, beacons and the pings of links.
FAILING = frozenset({"Media", "Ping"})
PICTURE = "Image"
#: Kinds of request to stop at.
KINDS = (*sorted(FAILING), PICTURE)
GREY_TYPE = "image/svg+xml"

#: Seconds for which a picture waits for the document, and for an answer; pictures that are asked about, at most.
_WAIT, _CALL, _MOST = 5.0, 2.0, 5_000
_SIZES = f"""Array.from(document.images).slice(0, {_MOST}).map(image =>
  [image.currentSrc || image.src, ...["width", "height"].map(name => image.getAttribute(name) || "")]).filter(
  ([, wide, high]) => /^[1-9][0-9]{{0,4}}$/.test(wide) && /^[1-9][0-9]{{0,4}}$/.test(high))"""


def grey(wide: int, high: int) -> bytes:
    """Return a picture of a size, in CSS pixels, all grey."""
    size = f'width="{wide}" height="{high}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect {size} fill="#808080"/></svg>'.encode()


class BlockedResources:
    """Knows which pictures of a page have their size in its markup.

    Parameters
    ----------
    channel : Channel
    parsed : callable
        Waits until the document has been parsed: the browser asks for pictures before it has their elements.
    """

    def __init__(self, channel: Channel, parsed: Callable[[], Awaitable[None]]) -> None:
        self._channel = channel
        self._parsed = parsed
        self._sizes: dict[str, tuple[int, int]] = {}
        self._asked = 0
        self._one = asyncio.Lock()

    async def size(self, address: str) -> tuple[int, int] | None:
        """Return the declared width and height of a picture; None where the markup does not tell both."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_WAIT):
                await self._parsed()
        asked = self._asked
        async with self._one:
            # Who waited while another asked has its answer, too.
            if address not in self._sizes and self._asked == asked:
                self._sizes |= await self._declared()
                self._asked += 1
        return self._sizes.get(address)

    async def _declared(self) -> dict[str, tuple[int, int]]:
        """Ask the page, which may answer anything."""
        told: Any = []
        with suppress(CommandFailed, TimeoutError):
            wanted = {"expression": _SIZES, "returnByValue": True, "timeout": 1000}
            told = (await self._channel.send("Runtime.evaluate", wanted, timeout=_CALL))["result"].get("value")
        found = {}
        for one in told if isinstance(told, list) else []:
            match one:
                case [str(address), str(wide), str(high)] if wide.isdecimal() and high.isdecimal():
                    found[urldefrag(address).url] = (int(wide), int(high))
        return found
