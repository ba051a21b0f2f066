"""One page's way out: a forward proxy on this machine through which everything that the page asks for must pass.

A proxy, and not a handler in the browser, because redirects, WebSockets, workers, popups and prerendering go round
handlers, and every hop comes by here. It sees plain requests and, for the rest, the host and port to connect to
(CONNECT, RFC 9110 section 9.3.6); it looks into nothing and changes nothing but the headers that belong to one hop.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

from ..errors import PageFailed, Refused
from ..options import Upstream
from .guard import Address, Guard, Policy, Resolve, place
from .upstream import behind, through

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
#: Connects to an address.
Dial = Callable[[Address, int], Awaitable[Streams]]

#: A page may take so many times the size of its largest document, and make so many requests.
DOCUMENTS_A_PAGE, MOST_REQUESTS = 20, 2_000

_CHUNK = 65_536
_LARGEST_HEAD = 262_144
#: Heads that may come before an answer's own (100 Continue, 103 Early Hints); more are no answer.
_MOST_INTERIM = 20
_HEAD_SECONDS = 30.0
_DIAL_SECONDS = 10.0
_MOST_ADDRESSES = 4
#: Plain requests to one server at once: what browsers keep to when there is no proxy.
_LANES = 6
_HOP_HEADERS = (b"connection:", b"keep-alive:", b"proxy-")


class Exit:
    """The proxy of one page.

    Attributes
    ----------
    address : str
        What the browser is to be told: ``http://127.0.0.1:PORT``.
    cut_off : bool
        Whether the page wanted more bytes or requests than it may have.
    requests, received : int
        What went out (a tunnel counts once), and the bytes that came in.
    """

    def __init__(
        self, guard: Guard, *, most_bytes: int, most_requests: int, dial: Dial, behind: Upstream | None
    ) -> None:
        self.address = ""
        self.cut_off = False
        self.requests = 0
        self.received = 0
        self._guard = guard
        self._most_bytes = most_bytes
        self._most_requests = most_requests
        self._dial = dial
        self._behind = behind
        self._failures: dict[tuple[str, int], PageFailed] = {}
        self._lanes: dict[tuple[str, int], asyncio.Semaphore] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def check(self, url: str) -> None:
        """Look up an address before anything is asked of it.

        Raises
        ------
        Refused
            When it may not be reached.
        PageFailed
            When there is no such host.
        """
        try:
            await self._addresses(*place(url))
        except PageFailed as failed:
            raise type(failed)(url, failed.why) from failed

    async def _addresses(self, host: str, port: int) -> list[Address]:
        """Look up a name; behind another proxy, names that are not known here are left to that."""
        try:
            return await self._guard.addresses(host, port)
        except Refused:
            raise
        except PageFailed:
            if self._behind is None:
                raise
            return []

    def failure(self, url: str) -> PageFailed | None:
        """Return why nothing came from an address, if it failed here."""
        return self._failures.get(place(url))

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Begin to answer one connection of the browser: one request or one tunnel."""
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            async with asyncio.timeout(_HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            await self._pass_on(head, (reader, writer))
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            # The browser or the server went away; the other side shall see that too, not a whole answer.
            writer.transport.abort()
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _pass_on(self, head: bytes, browser: Streams) -> None:
        request = _parse(head)
        if request is None:
            browser[1].write(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return
        host, port, first, body = request
        if first is None:
            await self._exchange(host, port, None, 0, browser)
            return
        async with self._lanes.setdefault((host, port), asyncio.Semaphore(_LANES)):
            await self._exchange(host, port, first, body, browser)

    async def _exchange(self, host: str, port: int, first: bytes | None, body: int, browser: Streams) -> None:
        try:
            server = await self._connected(host, port, tunnel=first is None)
        except PageFailed as failed:
            self._failures[host, port] = failed
            if first is None:
                browser[1].write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            # A plain request gets no answer at all: an answer would look like the server's to the page's scripts.
            return
        self._writers.add(server[1])
        try:
            if first is None:
                await self._tunnel(browser, server)
            else:
                await self._ask(through(self._behind, host, port, first), body, browser, server)
            self._failures.pop((host, port), None)
        except ConnectionResetError:
            self._failures[host, port] = PageFailed(host, "the connection was reset")
            raise
        finally:
            self._writers.discard(server[1])
            server[1].transport.abort()

    async def _connected(self, host: str, port: int, *, tunnel: bool) -> Streams:
        self.requests += 1
        if self.requests > self._most_requests or self.received > self._most_bytes:
            self.cut_off = True
            raise Refused(host, f"the page asks for too much ({self.requests} requests, {self.received:,} bytes)")
        addresses = (await self._addresses(host, port))[:_MOST_ADDRESSES]
        if self._behind is not None:
            return await behind(self._behind, host, port, tunnel=tunnel)
        why = "the host cannot be reached"
        for address in addresses:
            try:
                async with asyncio.timeout(_DIAL_SECONDS / len(addresses)):
                    return await self._dial(address, port)
            except ConnectionRefusedError:
                why = "connection refused"
            except TimeoutError:
                why = "the host did not answer"
            except OSError:
                continue
        raise PageFailed(host, why)

    async def _tunnel(self, browser: Streams, server: Streams) -> None:
        browser[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await _first_of(self._upload(browser[0], server[1]), self._download(server[0], browser[1]))

    async def _ask(self, first: bytes, body: int, browser: Streams, server: Streams) -> None:
        server[1].write(first)
        await _first_of(self._upload(browser[0], server[1], body), self._answer(server[0], browser[1]))

    async def _upload(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, most: int | None = None) -> None:
        """Copy what the browser sends, ``most`` bytes of it; it is over when the browser hangs up."""
        while data := await source.read(_CHUNK):
            wanted = data if most is None else data[:most]
            if most is not None:
                most -= len(wanted)
            if wanted:
                sink.write(wanted)
                await sink.drain()

    async def _answer(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Copy one answer, telling the browser that the connection ends with it: the next may go elsewhere."""
        for _ in range(_MOST_INTERIM + 1):
            try:
                head = await source.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError as ended:
                # No answer, or one in a form that browsers know and we need not.
                sink.write(ended.partial)
                return
            except asyncio.LimitOverrunError:
                break
            interim = head[9:10] == b"1"
            sink.write(head if interim else _one_hop(head))
            if not interim:
                break
            await sink.drain()
        else:
            sink.transport.abort()
            return
        await self._download(source, sink)

    async def _download(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(_CHUNK):
            self.received += len(data)
            if self.received > self._most_bytes:
                self.cut_off = True
                sink.transport.abort()
                return
            sink.write(data)
            await sink.drain()

    async def close(self) -> None:
        """End every connection."""
        self._guard.close()
        for writer in self._writers:
            writer.transport.abort()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def open_exit(
    policy: Policy,
    *,
    max_bytes: int,
    max_requests: int = MOST_REQUESTS,
    proxy: Upstream | None = None,
    resolve: Resolve | None = None,
    dial: Dial | None = None,
) -> AsyncIterator[Exit]:
    """Open a way out for one page, on a port of its own, for as long as the context lasts.

    Parameters
    ----------
    policy : Policy
    max_bytes : int
        Largest document; the page may take :data:`DOCUMENTS_A_PAGE` times as much in all.
    max_requests : int
        After so many requests and tunnels every further one is refused.
    proxy : Upstream, optional
        Another proxy to go out by.
    resolve, dial : callable, optional
        How names become addresses, and how addresses are connected to.

    Yields
    ------
    Exit
    """
    way = Exit(
        Guard(policy, resolve),
        most_bytes=DOCUMENTS_A_PAGE * max_bytes,
        most_requests=max_requests,
        dial=dial or _direct,
        behind=proxy,
    )
    server = await asyncio.start_server(way.serve, "127.0.0.1", 0, limit=_LARGEST_HEAD)
    way.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield way
    finally:
        server.close()
        await way.close()


async def _direct(address: Address, port: int) -> Streams:
    return await asyncio.open_connection(str(address), port, limit=_LARGEST_HEAD)


async def _first_of(upload: Awaitable[None], download: Awaitable[None]) -> None:
    """Wait until either direction has ended, and end the other."""
    tasks = [asyncio.ensure_future(upload), asyncio.ensure_future(download)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


def _parse(head: bytes) -> tuple[str, int, bytes | None, int] | None:
    """Read a request's head: host, port, the head to send on (None for a tunnel), and the size of its body."""
    line, _, headers = head.partition(b"\r\n")
    words = line.decode("latin-1").split(" ")
    if len(words) != 3:
        return None
    method, target, version = words
    tunnel = method == "CONNECT"
    if not tunnel and not target.startswith("http://"):
        return None
    authority, _, path = target.removeprefix("http://").partition("/")
    try:
        host, port = place(f"//{authority}")
    except ValueError:
        return None
    if not host or any(mark in authority for mark in "?#@"):
        return None
    if tunnel:
        return host, port, None, 0
    return host, port, _one_hop(f"{method} /{path} {version}\r\n".encode("latin-1") + headers), _body_size(headers)


def _one_hop(head: bytes) -> bytes:
    """Drop the headers that concern the connection before, and say that this one ends."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


def _body_size(headers: bytes) -> int:
    for line in headers.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return 0
