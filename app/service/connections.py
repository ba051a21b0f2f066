"""Connections of the service: how many there may be, and how long each may wait for its client.

Uvicorn limits neither: a client that never ends the head of its request keeps its connection forever.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

#: Clients that take their answers must do so at this rate, in bytes a second.
_LEAST_RATE = 20_000
#: Most bytes that a client may send behind a request that is in progress.
_MOST_AHEAD = 65_536
#: Connections that wait in the system until they are accepted, and most that are accepted before they are counted.
_QUEUE, _ACCEPTED_AT_ONCE = 1024, 128


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectionLimits:
    """Limits of connections.

    Attributes
    ----------
    most, per_client : int
        Numbers of connections, in all and of one client.
    head_seconds : float
        Seconds for the head of a request, from the opening of the connection or the end of the last answer; the time
        to take that answer is added.
    """

    most: int = 256
    per_client: int = 64
    head_seconds: float = 10.0


class Connections:
    """The open connections of a server. If there are too many, the one that waits longest for its client is closed."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self.limits = limits
        self.dropped = 0
        self._open: dict[str, set[LimitedConnection]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._open.values()))

    def add(self, connection: LimitedConnection) -> None:
        """Count a new connection, and close one if there are too many."""
        own = self._open.setdefault(connection.owner, set())
        own.add(connection)
        if len(own) > self.limits.per_client:
            self._drop(own)
        elif len(self) > self.limits.most:
            self._drop([each for connections in self._open.values() for each in connections])

    def remove(self, connection: LimitedConnection) -> None:
        """Forget a closed connection."""
        own = self._open.get(connection.owner, set())
        own.discard(connection)
        if not own:
            self._open.pop(connection.owner, None)

    def _drop(self, among: Collection[LimitedConnection]) -> None:
        # The new connection waits, so there is one to close.
        waiting = [each for each in among if each.waits_since is not None and not each.transport.is_closing()]
        min(waiting, key=lambda each: each.waits_since or 0.0).drop()


class LimitedConnection(H11Protocol):
    """A connection that is closed if its client takes too long to send the head of a request or to take an answer."""

    def __init__(self, connections: Connections, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._all = connections
        self._timer: asyncio.TimerHandle | None = None
        self.owner = ""
        #: When this connection began to wait for its client; None while a request is in progress.
        self.waits_since: float | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request."""
        super().connection_made(transport)
        self.owner = _owner(self.client)
        self._watch()
        self._all.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End waiting; Uvicorn notifies the application."""
        self._end_wait()
        self._all.remove(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a part of a request."""
        super().data_received(data)
        if self.flow.read_paused and self.conn.their_state is h11.DONE:
            # The next request came before the answer to this one. Uvicorn stops reading until then, and would not
            # notice that the client has gone.
            if len(self.conn.trailing_data[0]) > _MOST_AHEAD:
                self.drop()
                return
            self.flow.resume_reading()
        self._watch()

    def on_response_complete(self) -> None:
        """Start to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def pause_writing(self) -> None:
        """Start to wait until the client takes its answer."""
        super().pause_writing()
        self._watch()

    def resume_writing(self) -> None:
        """End waiting for that."""
        super().resume_writing()
        self._watch()

    def drop(self) -> None:
        """Close the connection at once, because of a limit."""
        self._all.dropped += 1
        self._end_wait()
        self.transport.abort()

    def _watch(self) -> None:
        """Start the timer when the connection begins to wait for its client, and end it with the wait."""
        in_progress = self.cycle is not None and not self.cycle.response_complete
        if in_progress and not self.flow.write_paused and not self.transport.is_closing():
            self._end_wait()
        elif self.waits_since is None:
            self.waits_since = self.loop.time()
            unsent = self.transport.get_write_buffer_size()
            self._timer = self.loop.call_later(self._all.limits.head_seconds + unsent / _LEAST_RATE, self.drop)

    def _end_wait(self) -> None:
        self.waits_since = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _owner(client: tuple[str, int] | None) -> str:
    """Return what connections of one client have in common: the address, or the first half of one of IPv6."""
    if client is None:
        return ""
    address = ip_address(client[0].partition("%")[0])
    if isinstance(address, IPv4Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))


def fitting_limits(most: int, per_client: int) -> ConnectionLimits:
    """Return limits that leave pages half of the files that this process may open."""
    try:
        import resource
    except ImportError:  # Windows, which has no such limit
        return ConnectionLimits(most=most, per_client=per_client)
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    most = most if files == resource.RLIM_INFINITY else max(min(most, files // 2), 1)
    return ConnectionLimits(most=most, per_client=min(per_client, most))


class LimitedServer(uvicorn.Server):
    """A server with limited connections."""

    def __init__(self, app: ASGIApp, connections: Connections) -> None:
        super().__init__(_config(app, connections))

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start to listen."""
        await super().startup(sockets)
        for listening in sockets or ():
            listening.listen(_QUEUE)  # asyncio has one number for the queue and for how many it accepts at once


def _config(app: ASGIApp, connections: Connections) -> uvicorn.Config:
    """Return the configuration of a server with limited connections.

    Only h11 parses requests and no WebSocket library takes a connection over, whatever is installed. No answer may be
    stored by a cache on its way.
    """
    return uvicorn.Config(
        app,
        http=partial(LimitedConnection, connections),  # type: ignore[arg-type]
        ws="none",
        # So many are accepted before they are counted, several times over.
        backlog=max(min(_ACCEPTED_AT_ONCE, connections.limits.most // 8), 1),
        # Strangers could fill the log with warnings; access logs would contain addresses.
        log_level="error",
        access_log=False,
        server_header=False,
        headers=[("cache-control", "no-store"), ("x-content-type-options", "nosniff")],
        timeout_keep_alive=5,
        proxy_headers=False,
    )
