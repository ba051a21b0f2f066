"""Two pipes that the browser shares with this process only.

DevTools commands and replies pass through them as JSON, each message terminated by a zero byte (Chromium's switch
``--remote-debugging-pipe``). A port would be open to every user of the machine; and when this process ends, for
whatever reason, the pipes are closed and the browser ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

#: An end of a pipe for asyncio: a file or, on Windows, a handle.
End = Any
#: Terminates a message; JSON never contains it.
_TERMINATOR = b"\0"


class Pipe(asyncio.Protocol):
    """Whole messages to and from the browser."""

    def __init__(self, receive: Callable[[bytes], None], lose: Callable[[], None]) -> None:
        self._receive = receive
        self._lose = lose
        self._parts: list[bytes] = []
        self._messages: list[bytes] = []
        self._ends: list[asyncio.BaseTransport] = []
        self._writable = asyncio.Event()
        self._writable.set()
        self._is_lost = False

    async def open(self, reading: End, writing: End) -> None:
        """Connect this process's ends of the two pipes."""
        loop = asyncio.get_running_loop()
        self._ends.append((await loop.connect_read_pipe(lambda: self, reading))[0])
        self._writer, _ = await loop.connect_write_pipe(lambda: self, writing)
        self._ends.append(self._writer)

    async def write(self, message: bytes) -> None:
        """Send a message when most others were read; raises ``BrokenPipeError`` when the browser closed the pipe."""
        await self._writable.wait()
        if self._is_lost:
            raise BrokenPipeError
        self._messages.append(message + _TERMINATOR)
        if len(self._messages) == 1:
            # Messages of one step of the loop are written at once: each write would wake the browser.
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        data = b"".join(self._messages)
        self._messages.clear()
        if not self._is_lost:
            self._writer.write(data)

    def close(self) -> None:
        """Close the pipes; the browser ends because of it."""
        for end in self._ends:
            end.close()
        self.connection_lost(None)

    def data_received(self, data: bytes) -> None:
        """Split the data into messages; a large message arrives in many parts."""
        *ends, rest = data.split(_TERMINATOR)
        for end in ends:
            message = b"".join([*self._parts, end])
            self._parts.clear()
            self._receive(message)
        if rest:
            self._parts.append(rest)

    def pause_writing(self) -> None:
        """Block writers while the browser reads."""
        self._writable.clear()

    def resume_writing(self) -> None:
        """Unblock writers."""
        self._writable.set()

    def connection_lost(self, _: Exception | None) -> None:
        """Record that one of the pipes is closed."""
        self._writable.set()
        if not self._is_lost:
            self._is_lost = True
            self._lose()
