"""The forward proxy of a page on this machine, through which all requests of the page must pass.

It is a proxy and not a request handler in the browser because redirects, WebSockets, workers, popups and prerendering
bypass handlers. It sees plain requests and, for all others, the host and port to connect to (CONNECT, RFC 9110 section
9.3.6); it inspects no content and changes only hop-by-hop headers.

Every user of this machine can connect to it, so it requires a secret: the browser gets it by the page's context
(``render/chromium/browser_context.py``) and sends it with all requests, those of workers and popups included.

An upstream proxy would resolve a name in its own network, possibly to another address than the one that was checked
here. So it is asked for tunnels to the checked addresses; it gets names only if the options say so.
"""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from ipaddress import IPv4Address, IPv6Address

from ...errors import ConnectionFailed, PageFailed, ProxyFailed, Refused
from ..render_options import RenderOptions, UpstreamProxy, parse_proxy
from ..sources.sources import PageSource
from .guard import Address, Guard, Policy, Resolve, host_and_port


def empty_response(line: str, *headers: str, close: bool = True) -> bytes:
    """Return a response without a body, after which the connection is closed or kept alive."""
    connection = "Connection: close" if close else "Connection: keep-alive"
    return "\r\n".join((f"HTTP/1.1 {line}", *headers, "Content-Length: 0", connection, "", "")).encode()


#: Maximum bytes that a page may receive, in multiples of the largest document, and maximum number of requests.
DOCUMENTS_PER_PAGE, MAX_REQUESTS = 20, RenderOptions().max_requests
#: The first request of the browser, so that it is asked for the secret and learns that it is accepted.
AUTH_URL = "http://door.blocksight.invalid/"
_CHUNK = 65_536
_MAX_HEADER = 262_144
#: Maximum number of interim responses (100 Continue, 103 Early Hints).
_MAX_INTERIM = 20
_HEADER_TIMEOUT = 30.0
_CONNECT_TIMEOUT = 10.0
_MAX_ADDRESSES = 4
#: Steps of the event loop between accepting a connection and serving it.
_ACCEPT_STEPS = 5
_AUTH_REQUEST = f"GET {AUTH_URL} ".encode()
_AUTH_REQUIRED = ("407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="blocksight"')
_ASK_AGAIN, _DENIED = empty_response(*_AUTH_REQUIRED, close=False), empty_response(*_AUTH_REQUIRED)
_ACCEPTED = empty_response("204 No Content")
_BAD_REQUEST = empty_response("400 Bad Request")
_FORBIDDEN = empty_response("403 Forbidden")
#: Maximum number of simultaneous plain requests to one server, as in browsers without a proxy.
_MAX_CONNECTIONS = 6
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
#: Opens a connection to an address.
Dial = Callable[[Address, int], Awaitable[Streams]]


class PageProxy:
    """The proxy of one page; the browser must send ``name`` and ``secret`` (Proxy-Authorization: Basic)."""

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
        #: ``http://127.0.0.1:PORT``, for the browser.
        self.address = ""
        self.name, self.secret = "page", secrets.token_urlsafe(32)
        #: Whether the browser has sent them.
        self.authenticated = False
        #: Whether the page exceeded its limit of bytes or requests; a tunnel counts as one request.
        self.limit_exceeded = False
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
        self._connection_limits: dict[tuple[str, int], asyncio.Semaphore] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._is_closed = False

    async def check(self, url: str) -> None:
        """Resolve the host of a URL; raise Refused if the page may not connect to it, PageFailed if there is none."""
        try:
            await self._addresses(*host_and_port(url))
        except PageFailed as failed:
            raise type(failed)(url, failed.reason) from failed

    async def _addresses(self, host: str, port: int) -> list[Address]:
        """Resolve a host; unknown names are left to an upstream proxy that resolves them."""
        try:
            return await self._guard.addresses(host, port)
        except Refused:
            raise
        except PageFailed as unknown:
            if self._resolving is not None:
                return []
            hint = " (proxy_resolves leaves names to the proxy)" if self._proxy is not None else ""
            raise type(unknown)(host, unknown.reason + hint) from unknown

    def failure(self, url: str) -> PageFailed | None:
        """Return the error of the last request to the host of a URL, if it failed here."""
        return self._failures.get(host_and_port(url))

    def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Start to serve a connection of the browser: one request or one tunnel."""
        if self._is_closed:
            writer.transport.abort()
            return
        # Here, since a task may be cancelled before its first step.
        self._writers.add(writer)
        task = asyncio.ensure_future(self._serve(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            if head := await self._authenticate(reader, writer):
                await self._handle(head, (reader, writer))
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            # The browser or the server disconnected; the other side must not see a complete response.
            writer.transport.abort()
        finally:
            self._writers.discard(writer)
            writer.close()

    async def _authenticate(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bytes:
        """Return the header of a request with the secret; ask for the secret once, then return b""."""
        for answer in (_ASK_AGAIN, _DENIED):
            async with asyncio.timeout(_HEADER_TIMEOUT):
                head = await reader.readuntil(b"\r\n\r\n")
            if secrets.compare_digest(header_value(head, b"proxy-authorization"), self._key):
                return head
            writer.write(answer)
        return b""

    async def _handle(self, head: bytes, browser: Streams) -> None:
        if head.startswith(_AUTH_REQUEST):
            self.authenticated = True
            browser[1].write(_ACCEPTED)
            return
        request = parse_request(head)
        if request is None:
            browser[1].write(_BAD_REQUEST)
        elif request.head is None:
            await self._exchange(request, browser)
        else:
            async with self._connection_limits.setdefault(
                (request.host, request.port), asyncio.Semaphore(_MAX_CONNECTIONS)
            ):
                await self._exchange(request, browser)

    async def _exchange(self, request: Request, browser: Streams) -> None:
        target = (request.host, request.port)
        try:
            await self._forward(request, browser)
            self._failures.pop(target, None)
        except PageFailed as failed:
            self._failures[target] = failed
            if request.head is None:
                browser[1].write(_FORBIDDEN)
            # A plain request gets no response: the page's scripts would take it for the server's.
        except ConnectionResetError:
            self._failures[target] = ConnectionFailed(request.host, "the connection was reset")
            raise

    async def _forward(self, request: Request, browser: Streams) -> None:
        self._count(request.host)
        addresses = await self._addresses(request.host, request.port)
        by_name = self._resolving
        server = await (self._connect_by_name(request, by_name) if by_name else self._connect(request, addresses))
        self._writers.add(server[1])
        try:
            if request.head is None:
                browser[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
                await _first_of(self._upload(browser[0], server[1]), self._download(server[0], browser[1]))
            else:
                head = absolute_request(by_name, request.host, request.port, request.head) if by_name else request.head
                server[1].write(head)
                response = self._relay_response(server[0], browser[1])
                await _first_of(self._upload(browser[0], server[1], request.body), response)
        finally:
            self._writers.discard(server[1])
            server[1].transport.abort()

    def _count(self, host: str) -> None:
        self.requests += 1
        if self.requests > self._most_requests or self.received > self._most_bytes:
            self.limit_exceeded = True
            raise Refused(host, f"the page asks for too much ({self.requests} requests, {self.received:,} bytes)")

    async def _connect_by_name(self, request: Request, proxy: UpstreamProxy) -> Streams:
        """Connect through a proxy that resolves names."""
        if request.head is not None:
            return await connect_to_proxy(proxy, request.host)
        return await open_tunnel(proxy, request.host, request.port)

    async def _connect(self, request: Request, addresses: list[Address]) -> Streams:
        """Connect to the first address that accepts."""
        kind: type[PageFailed] = ConnectionFailed
        reason = "the host cannot be reached"
        addresses = addresses[:_MAX_ADDRESSES]
        for address in addresses:
            try:
                async with asyncio.timeout(_CONNECT_TIMEOUT / len(addresses)):
                    return await self._dial(address, request.port)
            except ConnectionRefusedError:
                reason = "connection refused"
            except TimeoutError:
                reason = "the host did not answer"
            except PageFailed as failed:
                kind, reason = type(failed), failed.reason
            except OSError:
                continue
        raise kind(request.host, reason)

    async def _upload(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, limit: int | None = None) -> None:
        """Relay up to ``limit`` bytes from the browser until it disconnects."""
        while data := await source.read(_CHUNK):
            allowed = data if limit is None else data[:limit]
            if limit is not None:
                limit -= len(allowed)
            if allowed:
                sink.write(allowed)
                await sink.drain()

    async def _relay_response(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Relay one response with ``Connection: close``: the browser's next request may go to another host."""
        for _ in range(_MAX_INTERIM + 1):
            try:
                head = await source.readuntil(b"\r\n\r\n")
            except asyncio.IncompleteReadError as ended:
                # No response, or one that only browsers can parse.
                sink.write(ended.partial)
                return
            except asyncio.LimitOverrunError:
                break
            interim = 100 <= status_code(head) < 200
            if status_code(head) == 407:
                # The browser would take it for a response of this proxy, and forget the secret.
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
                self.limit_exceeded = True
                sink.transport.abort()
                return
            sink.write(data)
            await sink.drain()

    def shut(self) -> None:
        """Abort all connections and refuse new requests."""
        self._most_requests = 0
        for writer in self._writers:
            writer.transport.abort()

    async def close(self) -> None:
        """Close every connection, and those that are accepted meanwhile."""
        self._is_closed = True
        self._guard.close()
        self.shut()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        # A connection that the server has accepted reaches ``serve`` a few steps of the loop later.
        for _ in range(_ACCEPT_STEPS):
            await asyncio.sleep(0)


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
    """Run the proxy of one page on a port of its own while the context is open.

    ``max_bytes`` limits a document; the page may receive :data:`DOCUMENTS_PER_PAGE` times as much. An upstream
    ``proxy`` connects to addresses that were resolved and checked here, or resolves names itself (``proxy_resolves``).
    """
    page_proxy = PageProxy(
        Guard(policy, resolve),
        most_bytes=DOCUMENTS_PER_PAGE * max_bytes,
        most_requests=max_requests,
        proxy=proxy,
        proxy_resolves=proxy_resolves,
        dial=dial,
    )
    server = await asyncio.start_server(page_proxy.serve, "127.0.0.1", 0, limit=_MAX_HEADER)
    page_proxy.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield page_proxy
    finally:
        server.close()
        await page_proxy.close()


@asynccontextmanager
async def proxy_for(target: str | PageSource, options: RenderOptions) -> AsyncIterator[PageProxy]:
    """Run the proxy of the page of an address or a document; raise as :meth:`PageProxy.check` for an address."""
    async with open_proxy(
        Policy.for_page(options, target),
        max_bytes=options.max_bytes,
        max_requests=options.max_requests,
        proxy=parse_proxy(options.proxy) if options.proxy else None,
        proxy_resolves=options.proxy_resolves,
    ) as proxy:
        if isinstance(target, str):
            await proxy.check(target)
        yield proxy


async def _direct(address: Address, port: int) -> Streams:
    return await asyncio.open_connection(str(address), port, limit=_MAX_HEADER)


async def _first_of(upload: Awaitable[None], download: Awaitable[None]) -> None:
    """Wait until one direction has ended, and cancel the other."""
    tasks = [asyncio.ensure_future(upload), asyncio.ensure_future(download)]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in done:
        task.result()


async def connect_to_proxy(proxy: UpstreamProxy, host: str) -> Streams:
    """Connect to the proxy itself; raise PageFailed for ``host``, the target, if it cannot be reached."""
    try:
        async with asyncio.timeout(_CONNECT_TIMEOUT):
            return await asyncio.open_connection(proxy.host, proxy.port, limit=_MAX_HEADER)
    except TimeoutError as late:
        raise ProxyFailed(host, f"the proxy {_at(proxy)} did not answer") from late
    except OSError as error:
        raise ProxyFailed(host, f"the proxy {_at(proxy)} cannot be reached") from error


async def open_tunnel(proxy: UpstreamProxy, host: str | IPv4Address | IPv6Address, port: int) -> Streams:
    """Open a tunnel through the proxy to an address, or to a name that it resolves; raise PageFailed if it fails."""
    target = f"{_bracketed(str(host))}:{port}"
    reader, writer = await connect_to_proxy(proxy, str(host))
    try:
        writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n".encode() + _authorization(proxy) + b"\r\n")
        async with asyncio.timeout(_CONNECT_TIMEOUT):
            head = await reader.readuntil(b"\r\n\r\n")
        if status_code(head) != 200:
            status = head.split(b"\r\n")[0].partition(b" ")[2].decode("latin-1")
            raise ConnectionFailed(str(host), f"the proxy {_at(proxy)} does not connect to it ({status})")
    except TimeoutError as late:
        writer.transport.abort()
        raise ConnectionFailed(str(host), f"the proxy {_at(proxy)} did not answer") from late
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        writer.transport.abort()
        raise ConnectionFailed(str(host), f"the proxy {_at(proxy)} hung up") from error
    except BaseException:
        writer.transport.abort()
        raise
    return reader, writer


def absolute_request(proxy: UpstreamProxy, host: str, port: int, head: bytes) -> bytes:
    """Return the header of a plain request in absolute form, with the password of the proxy."""
    method, path, rest = head.split(b" ", 2)
    authority = _bracketed(host) if port == 80 else f"{_bracketed(host)}:{port}"
    line, _, headers = rest.partition(b"\r\n")
    return b" ".join([method, b"http://" + authority.encode() + path, line]) + b"\r\n" + _authorization(proxy) + headers


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _at(proxy: UpstreamProxy) -> str:
    return f"{proxy.host}:{proxy.port}"


def _authorization(proxy: UpstreamProxy) -> bytes:
    if proxy.credentials is None:
        return b""
    return b"Proxy-Authorization: " + basic_auth(*proxy.credentials) + b"\r\n"


_HOP_HEADERS = (b"connection:", b"keep-alive:", b"proxy-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request to a proxy: ``head`` is the header to forward, None for a tunnel; ``body`` the size of the body."""

    host: str
    port: int
    head: bytes | None
    body: int


def parse_request(head: bytes) -> Request | None:
    """Parse the header of a request; None if a proxy cannot forward it."""
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
        host, port = host_and_port(f"//{authority}")
    except ValueError:
        return None
    if not host or any(mark in authority for mark in "?#@"):
        return None
    forwarded = None if tunnel else without_hop_headers(f"{method} /{path} {version}\r\n".encode("latin-1") + headers)
    size = header_value(head, b"content-length")
    return Request(host=host, port=port, head=forwarded, body=int(size) if size.isdigit() and not tunnel else 0)


def without_hop_headers(head: bytes) -> bytes:
    """Remove the headers of the incoming connection, and add ``Connection: close``."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


def header_value(head: bytes, name: bytes) -> bytes:
    """Return the value of the first header of a lower-case name, empty if there is none."""
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.lower() == name:
            return value.strip()
    return b""


def status_code(head: bytes) -> int:
    """Return the status code of a response, 0 if there is none."""
    words = head.split(b"\r\n", 1)[0].split(b" ")
    return int(words[1]) if len(words) > 1 and words[1].isdigit() and len(words[1]) == 3 else 0


def basic_auth(name: str, password: str) -> bytes:
    """Return the value of an Authorization header with name and password (RFC 7617)."""
    return b"Basic " + b64encode(f"{name}:{password}".encode())
