"""A plain DevTools connection to one page, beside Playwright's.

Playwright relays every DevTools answer through its driver, which costs five to ten times the CPU time of reading it
from the socket with orjson; a snapshot of a large page has several megabytes. Every call has its own deadline.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

Handler = Callable[[dict[str, Any]], Awaitable[None] | None]


class ChannelClosed(Exception):
    """The page went away (crashed or closed) while a call was under way."""


class CommandFailed(Exception):
    """The browser answered a command with an error."""


class Channel:
    """One page's DevTools commands and events."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self._calls: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._handlers: dict[str, Handler] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self._reader = asyncio.ensure_future(self._read())
        self.crashed = asyncio.Event()

    @classmethod
    async def open(cls, address: str, timeout: float) -> Channel:
        """Connect to a page's DevTools address (``ws://...``)."""
        socket = await asyncio.wait_for(
            connect(address, max_size=None, compression=None, origin=None, proxy=None, ping_interval=None), timeout
        )
        return cls(socket)

    def on(self, event: str, handler: Handler) -> None:
        """Call the handler with the parameters of each event of this name; one handler an event."""
        self._handlers[event] = handler

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        """Call a command and wait for its answer.

        Raises
        ------
        TimeoutError
            When no answer has come after ``timeout`` seconds.
        ChannelClosed
            When the page went away.
        CommandFailed
            When the browser answers with an error.
        """
        if self.crashed.is_set():
            raise ChannelClosed(method)
        number = next(self._numbers)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._calls[number] = answer
        try:
            await self._socket.send(orjson.dumps({"id": number, "method": method, "params": params or {}}).decode())
        except ConnectionClosed as closed:
            raise ChannelClosed(method) from closed
        try:
            message = await asyncio.wait_for(answer, max(timeout, 0.001))
        finally:
            self._calls.pop(number, None)
        if "error" in message:
            raise CommandFailed(f"{method}: {message['error'].get('message')}")
        result: dict[str, Any] = message["result"]
        return result

    async def close(self) -> None:
        """End the connection; the page stays."""
        with suppress(TimeoutError, ConnectionClosed):
            await asyncio.wait_for(self._socket.close(), 1.0)
        self._reader.cancel()
        for task in self._tasks:
            task.cancel()

    async def _read(self) -> None:
        try:
            async for message in self._socket:
                self._take(_loads(message))
        except ConnectionClosed:
            pass
        finally:
            self._give_up()

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            answer = self._calls.get(message["id"])
            if answer is not None and not answer.done():
                answer.set_result(message)
            return
        if message["method"] in {"Inspector.targetCrashed", "Inspector.detached"}:
            self._give_up()
        handler = self._handlers.get(message["method"])
        outcome = handler(message["params"]) if handler else None
        if outcome is not None:
            task = asyncio.ensure_future(outcome)
            self._tasks.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # A page may vanish while a request of it is being answered; nothing is lost by that.
            error = task.exception()
            if error is not None and not isinstance(error, (TimeoutError, ChannelClosed, CommandFailed)):
                raise error

    def _give_up(self) -> None:
        self.crashed.set()
        for answer in self._calls.values():
            if not answer.done():
                answer.set_exception(ChannelClosed("the page went away"))
                answer.exception()


def _loads(message: str | bytes) -> dict[str, Any]:
    try:
        loaded: dict[str, Any] = orjson.loads(message)
    except orjson.JSONDecodeError:
        # Lone surrogates: scripts can put them into strings, and only the standard library reads them.
        loaded = json.loads(message)
    return loaded
