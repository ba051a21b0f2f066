"""Block beacons, and the resources that the options name: fonts, films and sounds, and images with declared sizes.

Beacons and pings of links change nothing in a page: they are never sent.

An image with a declared width and height is replaced by a plain gray one of that size, on which text in any usual color
is visible, so no box moves.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urldefrag

from ...devtools.channel import Channel, CommandFailed
from ...devtools.scripts import call

#: DevTools' name of the type of images.
IMAGE = "Image"
GRAY_TYPE = "image/svg+xml"
#: DevTools' name of the type of beacons and pings of links. (There is no pattern for what is fetched for other pages.)
_PING = "Ping"

#: Seconds for which an image waits for the document, and for a reply; images whose size is requested, at most.
_WAIT, _CALL, _MOST = 5.0, 2.0, 5_000


def gray_image(width: int, height: int) -> bytes:
    """Return a plain gray image with a size in CSS pixels."""
    size = f'width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect {size} fill="#808080"/></svg>'.encode()


class BlockedResources:
    """Decides which requests of a page are blocked.

    ``types`` are DevTools' names of the blocked types: of beacons and of those that the options name.
    """

    def __init__(self, channel: Channel, blocked: Sequence[str], parsed: Callable[[], Awaitable[None]]) -> None:
        self._channel = channel
        #: Waits until the document has been parsed: images are requested before their elements are created.
        self._parsed = parsed
        self.types = tuple(dict.fromkeys([_PING, *(name.capitalize() for name in blocked)]))
        self._sizes: dict[str, tuple[int, int]] = {}
        self._queries = 0
        self._lock = asyncio.Lock()

    def fails(self, resource_type: str) -> bool:
        """Return whether all requests of a type fail."""
        return resource_type in self.types and resource_type != IMAGE

    async def size(self, address: str) -> tuple[int, int] | None:
        """Return the declared width and height of an image; None unless the markup declares both."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_WAIT):
                await self._parsed()
        queries = self._queries
        async with self._lock:
            # Whoever waited for the lock shares the reply.
            if address not in self._sizes and self._queries == queries:
                self._sizes |= await self._declared_sizes()
                self._queries += 1
        return self._sizes.get(address)

    async def _declared_sizes(self) -> dict[str, tuple[int, int]]:
        """Return the declared sizes by address; the page may answer anything."""
        value: Any = []
        with suppress(CommandFailed, TimeoutError):
            query = {"expression": call("declared_image_sizes", _MOST), "returnByValue": True, "timeout": 1000}
            value = (await self._channel.send("Runtime.evaluate", query, timeout=_CALL))["result"].get("value")
        sizes = {}
        for entry in value if isinstance(value, list) else []:
            match entry:
                case [str(address), str(width), str(height)] if width.isdecimal() and height.isdecimal():
                    sizes[urldefrag(address).url] = (int(width), int(height))
        return sizes
