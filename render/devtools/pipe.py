"""The browser's controls: two pipes that it shares with this process and with nobody else.

DevTools commands and answers go through them as JSON, each message ended by a zero byte (Chromium's switch
``--remote-debugging-pipe``). A port would serve every user of the machine; and when this process ends, however it ends,
the pipes end with it, and the browser with them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

#: An end of a pipe as asyncio takes it: a file or, on Windows, a handle.
End = Any
#: Ends a message; JSON never holds it.
_END = b"\0"


class Pipe(asyncio.Protocol):
    """Whole messages to and from the browser.

    Parameters
    ----------
    take : callable
        Called with each message that comes.
    lose : callable
        Called once, when none will come any more.
    """

    def __init__(self, take: Callable[[bytes], None], lose: Callable[[], None]) -> None:
        self._take = take
        self._lose = lose
        self._parts: list[bytes] = []
        self._ends: list[asyncio.BaseTransport] = []
        self._room = asyncio.Event()
        self._room.set()
        self._gone = False

    async def open(self, reading: End, writing: End) -> None:
        """Take over our ends of the two pipes."""
        loop = asyncio.get_running_loop()
        self._ends.append((await loop.connect_read_pipe(lambda: self, reading))[0])
        self._writer, _ = await loop.connect_write_pipe(lambda: self, writing)
        self._ends.append(self._writer)

    async def write(self, message: bytes) -> None:
        """Send a message, as soon as the browser has read most of what came before.

        Raises
        ------
        BrokenPipeError
            When the browser has hung up.
        """
        await self._room.wait()
        if self._gone:
            raise BrokenPipeError
        self._writer.write(message + _END)

    def close(self) -> None:
        """Hang up; the browser ends of it."""
        for end in self._ends:
            end.close()
        self.connection_lost(None)

    def data_received(self, data: bytes) -> None:
        """Cut what comes into messages; a large one comes in many parts."""
        *ends, rest = data.split(_END)
        for end in ends:
            message = b"".join([*self._parts, end])
            self._parts.clear()
            self._take(message)
        if rest:
            self._parts.append(rest)

    def pause_writing(self) -> None:
        """Have those wait who send more than the browser reads."""
        self._room.clear()

    def resume_writing(self) -> None:
        """Have them go on."""
        self._room.set()

    def connection_lost(self, _: Exception | None) -> None:
        """Note that either pipe has ended."""
        self._room.set()
        if not self._gone:
            self._gone = True
            self._lose()
