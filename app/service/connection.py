"""The connections of the service: heads as HTTP/1.1 has them, and requests that arrive in time."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

#: A request that is not complete has so many seconds, and one more for each so many bytes that have arrived.
GRACE, LEAST_RATE = 5.0, 16_384
#: A line that ends without a carriage return: other programs may read another request in it.
_BARE_LINE = re.compile(rb"(?<!\r)\n")
_REQUEST_LINE = re.compile(rb"[^\r\n]* HTTP/1\.[01]\r\n")


class _StrictConnection(h11.Connection):
    """A connection that refuses what h11 tolerates."""

    def next_event(self) -> Any:
        if self.their_state is h11.IDLE:
            head, end, _ = self.trailing_data[0].partition(b"\r\n\r\n")
            if _BARE_LINE.search(head) or (end and not _REQUEST_LINE.match(head + end)):
                raise h11.RemoteProtocolError("send HTTP/1.1, with CR and LF at the end of each line")
        return super().next_event()


class Protocol(H11Protocol):
    """A connection that ends unless its request arrives in time, however many others arrive slowly."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = _StrictConnection(h11.SERVER)
        self._timer: asyncio.TimerHandle | None = None
        self._begin()

    def _begin(self) -> None:
        """Begin to wait for a request."""
        self._cancel()
        self._start, self._received = self.loop.time(), 0
        self._timer = self.loop.call_later(GRACE, self._check)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _check(self) -> None:
        left = self._start + GRACE + self._received / LEAST_RATE - self.loop.time()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            return  # the request is complete
        if left > 0:
            self._timer = self.loop.call_later(left, self._check)
            return
        if self._received and self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            late = h11.Response(status_code=408, headers=[("connection", "close")], reason=b"Request Timeout")
            for event in (late, h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def data_received(self, data: bytes) -> None:
        """Count the bytes of a request, and read them."""
        self._received += len(data)
        super().data_received(data)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._begin()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        super().connection_lost(exc)
        self._cancel()
