"""One page's way out: a forward proxy on this machine through which everything that the page asks for must pass.

A proxy, and not a handler in the browser, because redirects, WebSockets, workers, popups and prerendering go round
handlers, and every hop comes by here. It sees plain requests and, for the rest, the host and port to connect to
(CONNECT, RFC 9110 section 9.3.6); it looks into nothing and changes nothing but the headers that belong to one hop.

Every user of this machine can connect to it, so it serves nobody who does not know its secret: the browser is told by
way of the page's context (``render/chromium/browser_context.py``) and sends it along by itself, from workers and
popups too.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial

from ...errors import PageFailed, Refused
from ..render_options import RenderOptions, UpstreamProxy
from .guard import Address, Guard, Policy, Resolve, host_and_port
from .http_headers import (
    Request,
    basic_auth,
    empty_response,
    header_value,
    parse_request,
    status_code,
    without_hop_headers,
)
from .upstream import Streams, absolute_request, connect_to_proxy, open_tunnel

#: Connects to an address.
Dial = Callable[[Address, int], Awaitable[Streams]]

#: A page may take so many times the size of its largest document, and make so many requests.
DOCUMENTS_PER_PAGE, MAX_REQUESTS = 20, RenderOptions().max_requests

#: What the browser asks for first, to be asked for the secret and to learn that it is the right one.
AUTH_URL = "http://door.blocksight.invalid/"

_CHUNK = 65_536
_LARGEST_HEAD = 262_144
#: Heads that may come before an answer's own (100 Continue, 103 Early Hints); more are no answer.
_MOST_INTERIM = 20
_HEAD_SECONDS = 30.0
_DIAL_SECONDS = 10.0
_MOST_ADDRESSES = 4
_AT_THE_DOOR = f"GET {AUTH_URL} ".encode()
_ASKED = ("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="blocksight"')
_WHO, _NOT_YOU = empty_response(*_ASKED, close=False), empty_response(*_ASKED)
_COME_IN = empty_response("204 No Content")
_BAD = empty_response("400 Bad Request")
_REFUSED = empty_response("403 Forbidden")
#: Plain requests to one server at once: what browsers keep to when there is no proxy.
_LANES = 6


class PageProxy:
    """The proxy of one page.

    Attributes
    ----------
    address : str
        What the browser is to be told: ``http://127.0.0.1:PORT``.
    name, secret : str
        What it wants to be told by the browser (Proxy-Authorization: Basic).
    entered : bool
        Whether the browser has told it.
    cut_off : bool
        Whether the page wanted more bytes or requests than it may have.
    requests, received : int
        What went out (a tunnel counts once), and the bytes that came in.
    """

    def __init__(
        self,
        guard: Guard,
        *,
        most_bytes: int,
        most_requests: int,
        proxy: UpstreamProxy | None,
        proxy_resolves: bool,
        dial: Dial | None,
    ) -> None:
        self.address = ""
        self.name, self.secret = "page", secrets.token_urlsafe(32)
        self.entered = False
        self.cut_off = False
        self.requests = 0
        self.received = 0
        self._key = basic_auth(self.name, self.secret)
        self._guard = guard
        self._most_bytes = most_bytes
        self._most_requests = most_requests
        self._proxy = proxy
        self._resolving = proxy if proxy_resolves else None
        self._dial = dial or (partial(open_tunnel, proxy) if proxy else _direct)
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
            await self._addresses(*host_and_port(url))
        except PageFailed as failed:
            raise type(failed)(url, failed.reason) from failed

    async def _addresses(self, host: str, port: int) -> list[Address]:
        """Look up a name; those that are not known here are left to a proxy that resolves them."""
        try:
            return await self._guard.addresses(host, port)
        except Refused:
            raise
        except PageFailed as unknown:
            if self._resolving is not None:
                return []
            hint = " (--proxy-resolves leaves names to the proxy)" if self._proxy is not None else ""
            raise PageFailed(host, unknown.reason + hint) from unknown

    def failure(self, url: str) -> PageFailed | None:
        """Return why nothing came from an address, if it failed here."""
        return self._failures.get(host_and_port(url))

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Begin to answer one connection of the browser: one request or one tunnel."""
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        try:
            if head := await self._introduced(reader, writer):
                await self._pass_on(head, (reader, writer))
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            # The browser or the server went away; the other side shall see that too, not a whole answer.
            writer.transport.abort()
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _introduced(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """Read the head of a request that tells the secret; who does not is asked for it, once."""
        for answer in (_WHO, _NOT_YOU):
            async with asyncio.timeout(_HEAD_SECONDS):
                head = await reader.readuntil(b"\r\n\r\n")
            if secrets.compare_digest(header_value(head, b"proxy-authorization"), self._key):
                return head
            writer.write(answer)
        return b""

    async def _pass_on(self, head: bytes, browser: Streams) -> None:
        if head.startswith(_AT_THE_DOOR):
            self.entered = True
            browser[1].write(_COME_IN)
            return
        request = parse_request(head)
        if request is None:
            browser[1].write(_BAD)
        elif request.head is None:
            await self._exchange(request, browser)
        else:
            async with self._lanes.setdefault((request.host, request.port), asyncio.Semaphore(_LANES)):
                await self._exchange(request, browser)

    async def _exchange(self, request: Request, browser: Streams) -> None:
        target = (request.host, request.port)
        try:
            await self._served(request, browser)
            self._failures.pop(target, None)
        except PageFailed as failed:
            self._failures[target] = failed
            if request.head is None:
                browser[1].write(_REFUSED)
            # A plain request gets no answer at all: an answer would look like the server's to the page's scripts.
        except ConnectionResetError:
            self._failures[target] = PageFailed(request.host, "the connection was reset")
            raise

    async def _served(self, request: Request, browser: Streams) -> None:
        self._count(request.host)
        addresses = await self._addresses(request.host, request.port)
        by_name = self._resolving
        server = await (self._named(request, by_name) if by_name else self._connected(request, addresses))
        self._writers.add(server[1])
        try:
            if request.head is None:
                await self._tunnel(browser, server)
            else:
                head = absolute_request(by_name, request.host, request.port, request.head) if by_name else request.head
                await self._ask(head, request.body, browser, server)
        finally:
            self._writers.discard(server[1])
            server[1].transport.abort()

    def _count(self, host: str) -> None:
        self.requests += 1
        if self.requests > self._most_requests or self.received > self._most_bytes:
            self.cut_off = True
            raise Refused(host, f"the page asks for too much ({self.requests} requests, {self.received:,} bytes)")

    async def _named(self, request: Request, proxy: UpstreamProxy) -> Streams:
        """Connect to a proxy that is told names."""
        if request.head is not None:
            return await connect_to_proxy(proxy, request.host)
        return await open_tunnel(proxy, request.host, request.port)

    async def _connected(self, request: Request, addresses: list[Address]) -> Streams:
        """Connect to the first address that takes it."""
        why = "the host cannot be reached"
        addresses = addresses[:_MOST_ADDRESSES]
        for address in addresses:
            try:
                async with asyncio.timeout(_DIAL_SECONDS / len(addresses)):
                    return await self._dial(address, request.port)
            except ConnectionRefusedError:
                why = "connection refused"
            except TimeoutError:
                why = "the host did not answer"
            except PageFailed as failed:
                why = failed.reason
            except OSError:
                continue
        raise PageFailed(request.host, why)

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
            interim = 100 <= status_code(head) < 200
            if status_code(head) == 407:
                # Not to be shown to the browser: it would take it for ours, and forget the secret.
                raise PageFailed("the server", "it answers as a proxy that wants a password (407)")
            sink.write(head if interim else without_hop_headers(head))
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

    def shut(self) -> None:
        """End what is under way, and let nothing out any more."""
        self._most_requests = 0
        for writer in self._writers:
            writer.transport.abort()

    async def close(self) -> None:
        """End every connection."""
        self._guard.close()
        self.shut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def open_proxy(
    policy: Policy,
    *,
    max_bytes: int,
    max_requests: int = MAX_REQUESTS,
    proxy: UpstreamProxy | None = None,
    proxy_resolves: bool = False,
    resolve: Resolve | None = None,
    dial: Dial | None = None,
) -> AsyncIterator[PageProxy]:
    """Open a way out for one page, on a port of its own, for as long as the context lasts.

    Parameters
    ----------
    policy : Policy
    max_bytes : int
        Largest document; the page may take :data:`DOCUMENTS_PER_PAGE` times as much in all.
    max_requests : int
        After so many requests and tunnels every further one is refused.
    proxy : UpstreamProxy, optional
        Another proxy to go out by: it connects to addresses that were looked up and checked here.
    proxy_resolves : bool
        Tell that proxy names instead.
    resolve, dial : callable, optional
        How names become addresses, and how addresses are connected to.
    """
    way = PageProxy(
        Guard(policy, resolve),
        most_bytes=DOCUMENTS_PER_PAGE * max_bytes,
        most_requests=max_requests,
        proxy=proxy,
        proxy_resolves=proxy_resolves,
        dial=dial,
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
