"""Fetch a file that is no page, such as a sitemap, within the policy for addresses and limits of size and time."""

from __future__ import annotations

import asyncio
import http.client
import socket
import ssl
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

from ...errors import ConnectionFailed, HttpFailed, PageFailed, Refused, TimedOut, TooLarge
from ...version import VERSION
from ..render_options import RenderOptions
from ..sources.sources import is_address
from .guard import Guard, Policy, host_and_port

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

    Raises Refused for other than http(s) addresses, private ones, or with a proxy, TooLarge beyond ``max_bytes``,
    TimedOut, HttpFailed for an error of the server, and other PageFailed.
    """
    if options.proxy:
        raise Refused(url, "sitemaps and feeds are not read through --proxy: give the addresses in a list")
    deadline = time.monotonic() + options.timeout
    for _ in range(_REDIRECTS + 1):
        if not is_address(url) or urlsplit(url).username is not None:
            raise Refused(url, "this is not an address: it should look like https://example.org/sitemap.xml")
        answer = _request(url, options, deadline, max_bytes)
        if isinstance(answer, bytes):
            return FetchedFile(url=url, data=answer)
        url = urljoin(url, answer)
    raise PageFailed(url, f"it redirects more than {_REDIRECTS} times")


def _request(url: str, options: RenderOptions, deadline: float, max_bytes: int) -> bytes | str:
    """Return the body of the answer, or the address of a redirect."""
    host, port = host_and_port(url)
    address = asyncio.run(_address(host, port, options))
    connection = _CheckedConnection(
        host, port, address, urlsplit(url).scheme == "https", max(deadline - time.monotonic(), 0.1)
    )
    # A timeout of the socket starts again with each byte.
    end = threading.Timer(max(deadline - time.monotonic(), 0.1), connection.end)
    end.start()
    parts = urlsplit(url)
    agent = options.user_agent or f"Mozilla/5.0 (compatible; blocksight/{VERSION})"
    try:
        path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
        connection.request("GET", path, headers={"User-Agent": agent, "Accept": "*/*", "Connection": "close"})
        response = connection.getresponse()
        location = response.getheader("Location")
        if response.status in (301, 302, 303, 307, 308) and location:
            return location
        if response.status >= 400:
            raise HttpFailed(url, f"the server answered with HTTP {response.status}", response.status)
        return _body(url, response, deadline, max_bytes)
    except TimeoutError as error:
        raise TimedOut(url, f"no answer within {options.timeout:g} s (--timeout sets it)") from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        if time.monotonic() > deadline:
            raise TimedOut(url, f"no answer within {options.timeout:g} s (--timeout sets it)") from error
        raise ConnectionFailed(url, f"it cannot be fetched ({error})") from error
    finally:
        end.cancel()
        connection.close()


async def _address(host: str, port: int, options: RenderOptions) -> str:
    guard = Guard(Policy(allow_private=options.allow_private))
    try:
        return str((await guard.addresses(host, port))[0])
    finally:
        guard.close()


def _body(url: str, response: http.client.HTTPResponse, deadline: float, max_bytes: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := response.read(_CHUNK):
        size += len(chunk)
        if size > max_bytes:
            raise TooLarge(url, f"it has more than {max_bytes / 1e6:g} MB")
        parts.append(chunk)
    # A connection that was ended at the deadline looks like the end of the file.
    if time.monotonic() > deadline:
        raise TimedOut(url, "only a part arrived in time")
    return b"".join(parts)


class _CheckedConnection(http.client.HTTPConnection):
    """A connection to a checked address instead of a name, which could have another one by now."""

    def __init__(self, host: str, port: int, address: str, is_secure: bool, seconds: float) -> None:
        super().__init__(host, port, timeout=seconds)
        self._address, self._is_secure = address, is_secure
        self._socket: socket.socket | None = None
        self.default_port = 443 if is_secure else 80

    def connect(self) -> None:
        """Connect to the address; the certificate must be that of the name."""
        self.sock = socket.create_connection((self._address, self.port), self.timeout)
        if self._is_secure:
            self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)
        # ``sock`` is None as soon as the answer alone reads from the socket.
        self._socket = self.sock

    def end(self) -> None:
        """End the connection while another thread waits for it."""
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
