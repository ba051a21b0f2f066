"""Fetch a file that is no page, such as a sitemap, through the proxy of pages, within limits of size and time."""

from __future__ import annotations

import asyncio
import http.client
import ssl
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from ...errors import ConnectionFailed, HttpFailed, PageFailed, Refused, TimedOut, TooLarge
from ...version import VERSION
from ..render_options import RenderOptions, parse_proxy
from ..sources.sources import is_address
from .guard import Policy, host_and_port
from .http_headers import basic_auth
from .proxy import PageProxy, open_proxy

#: Most redirects.
_REDIRECTS = 5
_CHUNK = 65_536


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedFile:
    """The content of a file, and the address that it was read from, after redirects."""

    url: str
    data: bytes


def fetch_file(url: str, options: RenderOptions, *, max_bytes: int) -> FetchedFile:
    """Fetch a file without a browser; each address on the way, redirects included, must be allowed.

    Raises Refused for other than http(s) addresses and for private ones, TooLarge beyond ``max_bytes``,
    TimedOut after ``options.timeout``, HttpFailed for an error of the server, and other PageFailed.
    """
    try:
        return asyncio.run(_fetch(url, options, max_bytes))
    except TimeoutError as error:
        raise TimedOut(url, f"no answer within {options.timeout:g} s (--timeout sets it)") from error


async def _fetch(url: str, options: RenderOptions, max_bytes: int) -> FetchedFile:
    opening = open_proxy(
        Policy(allow_private=options.allow_private),
        max_bytes=max_bytes,
        proxy=parse_proxy(options.proxy) if options.proxy else None,
        proxy_resolves=options.proxy_resolves,
    )
    # The proxy's end also ends a request that a thread waits for, which a timeout of its socket would not: that starts
    # again with each byte.
    async with asyncio.timeout(options.timeout), opening as proxy:
        for _ in range(_REDIRECTS + 1):
            if not is_address(url) or urlsplit(url).username is not None:
                raise Refused(url, "this is not an address: it should look like https://example.org/sitemap.xml")
            try:
                answer = await asyncio.to_thread(_request, url, options, proxy, max_bytes)
            except (OSError, http.client.HTTPException, ValueError) as error:
                # A connection that ends for its certificate is a broken one for the proxy.
                failure = None if isinstance(error, ssl.SSLError) else proxy.failure(url)
                failure = failure or ConnectionFailed(url, f"it cannot be fetched ({error})")
                raise type(failure)(url, failure.reason) from error
            if isinstance(answer, bytes):
                return FetchedFile(url=url, data=answer)
            url = urljoin(url, answer)
        raise PageFailed(url, f"it redirects more than {_REDIRECTS} times")


def _request(url: str, options: RenderOptions, proxy: PageProxy, max_bytes: int) -> bytes | str:
    """Return the body of the answer, or the address of a redirect."""
    parts = urlsplit(url)
    host, port = host_and_port(proxy.address)
    connection = (
        http.client.HTTPSConnection(host, port, timeout=options.timeout, context=ssl.create_default_context())
        if parts.scheme == "https"
        else http.client.HTTPConnection(host, port, timeout=options.timeout)
    )
    key = basic_auth(proxy.name, proxy.secret).decode()
    name, number = host_and_port(url)
    connection.set_tunnel(f"[{name}]" if ":" in name else name, number, headers={"Proxy-Authorization": key})
    agent = options.user_agent or f"Mozilla/5.0 (compatible; blocksight/{VERSION})"
    headers = {"Host": parts.netloc, "User-Agent": agent, "Accept": "*/*", "Connection": "close"}
    try:
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        connection.request("GET", path, headers=headers)
        with connection.getresponse() as response:
            location = response.getheader("Location")
            if response.status in (301, 302, 303, 307, 308) and location:
                return location
            if response.status >= 400:
                raise HttpFailed(url, f"the server answered with HTTP {response.status}", response.status)
            return _body(url, response, max_bytes)
    finally:
        connection.close()


def _body(url: str, response: http.client.HTTPResponse, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := response.read(_CHUNK):
        size += len(chunk)
        if size > max_bytes:
            raise TooLarge(url, f"it has more than {max_bytes / 1e6:g} MB")
        parts.append(chunk)
    return b"".join(parts)
