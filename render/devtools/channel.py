"""The DevTools connection to a browser, and a channel to each page on it.

Playwright's driver relays every DevTools reply, which costs five to ten times the CPU time of decoding it from the pipe
with orjson; the snapshot of a large page has several megabytes. Every call has its own deadline.

Commands and replies pass through two pipes as JSON, each message terminated by a zero byte (Chromium's switch
``--remote-debugging-pipe``). A port would be open to every user of the machine; and when this process ends, for
whatever reason, the pipes are closed and the browser ends.
"""

from __future__ import annotations

import asyncio
import ctypes
import itertools
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from functools import cache, partial
from typing import Any, TypeVar

import orjson

from .messages import read
from .scripts import joined, script

T = TypeVar("T")
#: The reply to the command for a frame.
FrameReply = asyncio.Future[dict[str, Any]]

#: Seconds for a frame, which ends with its page at the latest, and between two attempts if the browser refuses one.
_FRAME_SECONDS, _REFUSED_SECONDS = 86_400.0, 0.005
#: Seconds to wait for the frame that is being drawn before the next command is sent.
_LATE_SECONDS = 0.25


class FrameControl:
    """Draws the frames of a page one after the other, only while something waits for them.

    A frame by itself comes at a sixtieth of a second; one on demand takes as long as its work. The headless shell ends
    when it draws frames of two pages at once: it has one page at a time.
    """

    def __init__(self, commands: Channel) -> None:
        self._commands = commands
        self._frame: FrameReply | None = None

    @property
    def is_drawing(self) -> bool:
        """Whether a frame has not been finished."""
        return self._frame is not None and not self._frame.done()

    def demand(self) -> FrameReply:
        """Demand a frame, or none if one is being drawn; return its future, which has no errors."""
        if self._frame is None or self._frame.done():
            self._frame = self._commands.start(self._draw())
        return self._frame

    async def during(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Draw frames until some work has ended, a command that waits for them; return its result."""
        # A screenshot that is requested while a frame is drawn may wait for ever, and so does the next frame.
        await self.finish(_LATE_SECONDS)
        task = asyncio.ensure_future(work())
        try:
            # The command is sent before the frame is demanded.
            await asyncio.wait({task}, timeout=0.001)
            while not task.done():
                either: set[asyncio.Future[Any]] = {task, self.demand()}
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            return await task
        finally:
            task.cancel()

    @asynccontextmanager
    async def at_intervals(self, seconds: float) -> AsyncIterator[None]:
        """Draw a frame again and again, at intervals, as a page that is waited for in real time expects."""

        async def draw() -> None:
            while True:
                await asyncio.sleep(seconds)
                await asyncio.shield(self.demand())

        drawing = asyncio.ensure_future(draw())
        try:
            yield
        finally:
            drawing.cancel()

    async def screenshot(self, parameters: dict[str, Any], timeout: float) -> str:
        """Draw a frame and return a picture of it, in base64; raises ``TimeoutError`` if there is none in time."""
        async with asyncio.timeout(timeout):
            while True:
                if not await self.finish(timeout):
                    raise TimeoutError
                self._frame = frame = self._commands.start(self._draw({"screenshot": parameters}))
                if data := (await asyncio.shield(frame)).get("screenshotData"):
                    return str(data)

    async def finish(self, seconds: float) -> bool:
        """Wait for the frame that is being drawn; return whether it is finished in time."""
        if self._frame is not None:
            await asyncio.wait({self._frame}, timeout=seconds)
        return not self.is_drawing

    async def _draw(self, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        frame = await self._commands.try_send("HeadlessExperimental.beginFrame", parameters, timeout=_FRAME_SECONDS)
        if frame is None:
            # The page is being closed, or its first document is being replaced.
            await asyncio.sleep(_REFUSED_SECONDS)
        return frame or {}


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


Handler = Callable[[dict[str, Any]], Awaitable[None] | None]
#: The future of a command's result.
Reply = asyncio.Future[dict[str, Any]]

#: Bytes from which on a reply of the browser is large (the snapshot of about 20,000 nodes); parameters of mallopt: the
#: size from which on each allocation is a mapping of its own, how much may stay free at the top of an arena, and both.
_LARGE, _M_MMAP_THRESHOLD, _M_TRIM_THRESHOLD, _MOST_FREE = 4_000_000, -3, -1, 1_000_000
#: Name of the isolated worlds of documents; milliseconds that a script in them may run without a pause.
_WORLD, _MOST_RUNNING = "blocksight", 1000
_DETACHED = frozenset({"Inspector.targetCrashed", "Inspector.detached"})


class ChannelClosed(Exception):
    """The page crashed or was closed during a call."""


class CommandFailed(Exception):
    """The browser replied to a command with an error."""


@cache
def _return_large_buffers() -> None:
    """Have large buffers return to the system when they are freed.

    By default glibc keeps up to 64 MB of them free in each thread. Most programs never render a large page.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_M_MMAP_THRESHOLD, _MOST_FREE)
            library.mallopt(_M_TRIM_THRESHOLD, _MOST_FREE)


class Channel:
    """The DevTools commands and events of one page, or of the browser itself."""

    #: Draws the frames of a page whose browser draws none by itself.
    frames: FrameControl | None = None
    #: Id of the page's own frame.
    frame = ""
    #: The context of the isolated world of its document, once it has been used.
    _context: int | None = None

    def __init__(self, connection: Connection, session: str) -> None:
        self._connection = connection
        self._session = session
        self._calls: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._handlers: dict[str, Handler] = {}
        self._tasks: set[asyncio.Future[Any]] = set()
        self._children: list[Channel] = []
        self.crashed = asyncio.Event()

    def on(self, event: str, handler: Handler) -> None:
        """Set the one handler of an event; it is called with the event's parameters."""
        self._handlers[event] = handler

    async def send(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> dict[str, Any]:
        """Return the result of a command; raises ``TimeoutError``, ``ChannelClosed``, or ``CommandFailed``."""
        if self.crashed.is_set():
            raise ChannelClosed(method)
        reply: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        number = self._connection.next_number()
        self._calls[number] = reply
        command = {"id": number, "method": method, "params": params or {}}
        try:
            async with asyncio.timeout(max(timeout, 0.001)):
                await self._connection.write(command | {"sessionId": self._session} if self._session else command)
                message = await reply
        finally:
            self._calls.pop(number, None)
        if "error" in message:
            raise CommandFailed(f"{method}: {message['error'].get('message')}")
        result: dict[str, Any] = message["result"]
        return result

    def post(self, method: str, params: dict[str, Any] | None = None, *, timeout: float) -> Reply:
        """Send a command before all that are posted later; return the future of its result, whose error may be ignored.

        It is cancelled when the channel is closed.
        """
        return self.start(self.send(method, params, timeout=timeout))

    def start(self, work: Awaitable[T]) -> asyncio.Future[T]:
        """Start some work on the page, which is cancelled when the channel is closed; return its future."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)
        return task

    async def try_send(
        self, method: str, params: dict[str, Any] | None = None, *, timeout: float
    ) -> dict[str, Any] | None:
        """Return the result of a command, None if it fails or has none in time."""
        with suppress(ChannelClosed, CommandFailed, TimeoutError):
            return await self.send(method, params, timeout=timeout)
        return None

    async def send_and_draw(self, method: str, params: dict[str, Any], *, timeout: float) -> dict[str, Any]:
        """Return the result of a command that waits for frames of the page."""
        call = partial(self.send, method, params, timeout=timeout)
        return await (call() if self.frames is None else self.frames.during(call))

    async def world(self, frame: str, *, timeout: float) -> int:
        """Return the context of a frame's isolated world, where nothing counts that the page has redefined."""
        settings = {"frameId": frame, "worldName": _WORLD}
        created = await self.send("Page.createIsolatedWorld", settings, timeout=timeout)
        return int(created["executionContextId"])

    async def evaluate(self, expression: str, *, timeout: float, frame: str = "", draws: bool = False) -> Any:
        """Return the value of an expression in the isolated world of the page's document (``isolated_world.js``).

        None if it fails. ``frame``: that of another document. With ``draws`` it is a promise that waits for frames.
        """
        for is_last in (False, True):
            context = await (self.world(frame, timeout=timeout) if frame else self._own_world(timeout))
            query = {"expression": expression, "contextId": context, "returnByValue": True}
            query |= {"awaitPromise": True} if draws else {"timeout": _MOST_RUNNING}
            send = self.send_and_draw if draws else self.send
            try:
                return (await send("Runtime.evaluate", query, timeout=timeout))["result"].get("value")
            except CommandFailed:  # the page may have another document
                self._context = None
                if is_last:
                    raise
        return None

    async def _own_world(self, timeout: float) -> int:
        if self._context is None:
            context = await self.world(self.frame, timeout=timeout)
            source = joined(script("finish_animations"), script("isolated_world"))
            await self.send("Runtime.evaluate", {"expression": source, "contextId": context}, timeout=timeout)
            self._context = context
        return self._context

    def drawing(self, seconds: float) -> AbstractAsyncContextManager[None]:
        """Return a context in which frames are drawn at intervals, for what is waited for in real time."""
        return nullcontext() if self.frames is None else self.frames.at_intervals(seconds)

    def child(self, session: str) -> Channel:
        """Create the channel of a session that belongs to this page, such as that of a worker; it is closed with it."""
        channel = self._connection.channel(session)
        self._children.append(channel)
        return channel

    def close(self) -> None:
        """Ignore all further replies and events."""
        self._connection.forget(self._session)
        for child in self._children:
            child.close()
        for task in self._tasks:
            task.cancel()

    def receive(self, message: dict[str, Any]) -> None:
        """Process a reply or an event."""
        if "id" in message:
            reply = self._calls.get(message["id"])
            if reply is not None and not reply.done():
                reply.set_result(message)
            return
        if message["method"] in _DETACHED:
            self.fail_calls()
        handler = self._handlers.get(message["method"])
        work = handler(message["params"]) if handler else None
        if work is not None:
            self.start(work)

    def fail_calls(self) -> None:
        """Fail every pending call: the page is gone."""
        self.crashed.set()
        for reply in self._calls.values():
            if not reply.done():
                reply.set_exception(ChannelClosed("the page crashed or was closed"))
                reply.exception()

    def _finish(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            # A page may be closed while one of its requests is answered; that loses nothing.
            error = task.exception()
            if error is not None and not isinstance(error, (TimeoutError, ChannelClosed, CommandFailed)):
                raise error


class Connection:
    """The pipe that all channels of one browser share; ``worn`` if it failed at something that all browsers must do."""

    def __init__(self) -> None:
        self._pipe = Pipe(self._receive, self._lose)
        self._numbers = itertools.count(1)
        self.browser = Channel(self, "")
        self.worn = False
        #: Version of the browser, such as "156.0.8078.79".
        self.version = ""
        #: Whether pages can be made whose frames are drawn on demand only.
        self.has_frame_control = False
        self._channels = {"": self.browser}

    @classmethod
    async def open(cls, reading: End, writing: End) -> Connection:
        """Connect to the browser at the other ends of two pipes."""
        connection = cls()
        await connection._pipe.open(reading, writing)
        return connection

    def channel(self, session: str) -> Channel:
        """Create the channel of a session of the browser (``Target.attachToTarget``, flattened)."""
        self._channels[session] = Channel(self, session)
        return self._channels[session]

    def forget(self, session: str) -> None:
        """Remove a channel."""
        self._channels.pop(session, None)

    def next_number(self) -> int:
        """Return a new number for a command."""
        return next(self._numbers)

    async def write(self, command: dict[str, Any]) -> None:
        """Send a command; raises ``ChannelClosed`` when the browser is gone."""
        try:
            await self._pipe.write(orjson.dumps(command))
        except BrokenPipeError as closed:
            raise ChannelClosed(command["method"]) from closed

    def close(self) -> None:
        """Close the connection, which ends the browser."""
        self._pipe.close()

    def _receive(self, data: bytes) -> None:
        if len(data) > _LARGE:
            _return_large_buffers()
        message = read(data)
        if message.get("method") == "Target.detachedFromTarget":
            detached = self._channels.get(message["params"]["sessionId"])
            if detached is not None:
                detached.fail_calls()
        channel = self._channels.get(message.get("sessionId", ""))
        if channel is not None:
            channel.receive(message)

    def _lose(self) -> None:
        for channel in self._channels.values():
            channel.fail_calls()
