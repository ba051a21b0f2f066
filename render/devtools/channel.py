"""The DevTools connection to a browser, and a channel to each page on it.

Playwright's driver relays every DevTools answer, which costs five to ten times the CPU time of reading it from the pipe
with orjson; a snapshot of a large page has several megabytes. Every call has its own deadline.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import orjson

from . import malloc
from .messages import read
from .pipe import End, Pipe

Handler = Callable[[dict[str, Any]], Awaitable[None] | None]

_GONE = frozenset({"Inspector.targetCrashed", "Inspector.detached"})


class ChannelClosed(Exception):
    """The page went away (crashed or closed) while a call was under way."""


class CommandFailed(Exception):
    """The browser answered a command with an error."""


class Channel:
    """One page's DevTools commands and events, or the browser's own."""

    def __init__(self, connection: Connection, session: str) -> None:
        self._connection = connection
        self._session = session
        self._calls: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._handlers: dict[str, Handler] = {}
        self._tasks: set[asyncio.Future[None]] = set()
        self.crashed = asyncio.Event()

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
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        number = self._connection.next_number()
        self._calls[number] = answer
        command = {"id": number, "method": method, "params": params or {}}
        try:
            async with asyncio.timeout(max(timeout, 0.001)):
                await self._connection.write(command | {"sessionId": self._session} if self._session else command)
                message = await answer
        finally:
            self._calls.pop(number, None)
        if "error" in message:
            raise CommandFailed(f"{method}: {message['error'].get('message')}")
        result: dict[str, Any] = message["result"]
        return result

    def close(self) -> None:
        """Take no more answers and events."""
        self._connection.forget(self._session)
        for task in self._tasks:
            task.cancel()

    def take(self, message: dict[str, Any]) -> None:
        """Take an answer or an event."""
        if "id" in message:
            answer = self._calls.get(message["id"])
            if answer is not None and not answer.done():
                answer.set_result(message)
            return
        if message["method"] in _GONE:
            self.give_up()
        handler = self._handlers.get(message["method"])
        outcome = handler(message["params"]) if handler else None
        if outcome is not None:
            task = asyncio.ensure_future(outcome)
            self._tasks.add(task)
            task.add_done_callback(self._done)

    def give_up(self) -> None:
        """Fail every call: the other end is gone."""
        self.crashed.set()
        for answer in self._calls.values():
            if not answer.done():
                answer.set_exception(ChannelClosed("the page went away"))
                answer.exception()

    def _done(self, task: asyncio.Future[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # A page may vanish while a request of it is being answered; nothing is lost by that.
            error = task.exception()
            if error is not None and not isinstance(error, (TimeoutError, ChannelClosed, CommandFailed)):
                raise error


class Connection:
    """The pipe that all channels of one browser share.

    Attributes
    ----------
    browser : Channel
        For commands to the browser itself.
    worn : bool
        Whether the browser has failed to do what every browser should: better not to use it any further.
    """

    def __init__(self) -> None:
        self._pipe = Pipe(self._take, self._lose)
        self._numbers = itertools.count(1)
        self.browser = Channel(self, "")
        self.worn = False
        self._channels = {"": self.browser}

    @classmethod
    async def open(cls, reading: End, writing: End) -> Connection:
        """Connect to the browser at the other ends of two pipes."""
        connection = cls()
        await connection._pipe.open(reading, writing)
        return connection

    def channel(self, session: str) -> Channel:
        """Make the channel of a session that the browser has opened (``Target.attachToTarget``, flattened)."""
        self._channels[session] = Channel(self, session)
        return self._channels[session]

    def forget(self, session: str) -> None:
        """Drop a channel."""
        self._channels.pop(session, None)

    def next_number(self) -> int:
        """Return a number for a command, never the same twice."""
        return next(self._numbers)

    async def write(self, command: dict[str, Any]) -> None:
        """Send a command.

        Raises
        ------
        ChannelClosed
            When the browser is gone.
        """
        try:
            await self._pipe.write(orjson.dumps(command))
        except BrokenPipeError as closed:
            raise ChannelClosed(command["method"]) from closed

    def close(self) -> None:
        """End the connection, and with it the browser."""
        self._pipe.close()

    def _take(self, data: bytes) -> None:
        if len(data) > malloc.LARGE:
            malloc.expect_large()
        message = read(data)
        if message.get("method") == "Target.detachedFromTarget":
            gone = self._channels.get(message["params"]["sessionId"])
            if gone is not None:
                gone.give_up()
        channel = self._channels.get(message.get("sessionId", ""))
        if channel is not None:
            channel.take(message)

    def _lose(self) -> None:
        for channel in self._channels.values():
            channel.give_up()
