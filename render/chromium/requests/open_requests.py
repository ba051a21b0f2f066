"""The requests of a page that have not ended, for its clock.

Chromium's virtual clock pauses for requests, with two exceptions: not for the body of fetch() that a script reads in
pieces, and for ever for an event stream.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

from ...devtools.channel import Channel

#: Responses that may be read in pieces.
_STREAMS = ("Fetch", "EventSource")
#: Real seconds for the next piece of a body.
_PIECE_SECONDS = 3.0
#: Real seconds without a message after which a socket is not waited for, and those of all waits for sockets of a page.
_SOCKET_SECONDS, _MOST_SOCKET_SECONDS = 0.5, 2.0
#: Shares of the time to settle that a page may wait for bodies, and for event streams only: those may never end, and
#: the clock needs the rest.
_BODY_SHARE, _EVENT_SHARE = 0.7, 0.5


class OpenRequests:
    """Records which requests of a page are open, by reports of the browser (DevTools' domain Network)."""

    def __init__(self) -> None:
        self._types: dict[str, str] = {}
        #: When the last piece of a body arrived that may be read in pieces.
        self._pieces: dict[str, float] = {}
        #: When a socket was opened, or got its last message.
        self._sockets: dict[str, float] = {}
        self._waited = self._waited_for_sockets = 0.0
        self._ended = asyncio.Event()

    @property
    def are_event_streams(self) -> bool:
        """Whether all requests that are open are event streams, and there is one."""
        return set(self._types.values()) == {"EventSource"}

    async def watch(self, worker: Channel, timeout: float) -> None:
        """Record the bodies that a worker reads, which the browser does not report with those of the page.

        Only bodies: the end of other requests is never reported if the worker is terminated.
        """
        worker.on("Network.responseReceived", self._responded_to_worker)
        worker.on("Network.dataReceived", self.received)
        worker.on("Network.loadingFinished", self.end)
        worker.on("Network.loadingFailed", self.end)
        await worker.send("Network.enable", timeout=timeout)

    def _responded_to_worker(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Fetch":
            self._pieces[event["requestId"]] = time.monotonic()

    def requested(self, event: dict[str, Any]) -> None:
        """Record a request."""
        self._types[event["requestId"]] = event.get("type", "")
        if event.get("type") == "EventSource":
            # The clock does not pause for it: its head is waited for as its first piece is.
            self._pieces[event["requestId"]] = time.monotonic()

    def responded(self, event: dict[str, Any]) -> None:
        """Record the head of a response."""
        if event.get("type") in _STREAMS and event["requestId"] in self._types:
            self._pieces[event["requestId"]] = time.monotonic()

    def received(self, event: dict[str, Any]) -> None:
        """Record a piece of a body."""
        if event["requestId"] in self._pieces:
            self._pieces[event["requestId"]] = time.monotonic()

    def end(self, event: dict[str, Any]) -> None:
        """Record the end of a request."""
        self._types.pop(event["requestId"], None)
        if self._pieces.pop(event["requestId"], None) is not None:
            self._ended.set()

    async def wait_for_bodies(self, cap: float) -> None:
        """Wait for the bodies that may be read in pieces; one whose next piece is late is not waited for again.

        ``cap``: real seconds that the page has to settle.
        """
        while self._pieces and (left := self._share() * cap - self._waited) > 0:
            start = time.monotonic()
            self._pieces = {key: last for key, last in self._pieces.items() if start - last < _PIECE_SECONDS}
            if not self._pieces:
                return
            due = min(self._pieces.values()) + _PIECE_SECONDS - start
            self._ended.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(due, left)):
                    await self._ended.wait()
            self._waited += time.monotonic() - start

    def touch_socket(self, event: dict[str, Any]) -> None:
        """Record a new socket, or a message of one."""
        self._sockets[event["requestId"]] = time.monotonic()

    def close_socket(self, event: dict[str, Any]) -> None:
        """Record the end of a socket."""
        self._sockets.pop(event["requestId"], None)

    async def wait_for_sockets(self) -> None:
        """Wait until all sockets are quiet, which the clock does not do."""
        while (left := _MOST_SOCKET_SECONDS - self._waited_for_sockets) > 0 and self._sockets:
            due = max(self._sockets.values()) + _SOCKET_SECONDS - time.monotonic()
            if due <= 0:
                return
            await asyncio.sleep(min(due, left))
            self._waited_for_sockets += min(due, left)

    def _share(self) -> float:
        """Return the share of the time to settle for the bodies that are open."""
        is_body = any(self._types.get(key) != "EventSource" for key in self._pieces)
        return _BODY_SHARE if is_body else _EVENT_SHARE
