"""Another proxy behind ours (RFC 9110, RFC 9112).

It would look up by itself whatever name it was given, in its own network, and what had been checked here would be
somebody else's address. So it is asked for tunnels to the addresses that were checked; only on demand is it told names.
"""

from __future__ import annotations

import asyncio
from ipaddress import IPv4Address, IPv6Address

from ...errors import PageFailed
from ..render_options import UpstreamProxy
from .http_headers import basic_auth, status_code

_DIAL_SECONDS = 10.0
_LARGEST_HEAD = 262_144

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connect_to_proxy(proxy: UpstreamProxy, host: str) -> Streams:
    """Connect to the proxy itself.

    Raises
    ------
    PageFailed
        When it is not there; of ``host``, for which it was wanted.
    """
    try:
        async with asyncio.timeout(_DIAL_SECONDS):
            return await asyncio.open_connection(proxy.host, proxy.port, limit=_LARGEST_HEAD)
    except TimeoutError as late:
        raise PageFailed(host, f"the proxy {_at(proxy)} did not answer") from late
    except OSError as error:
        raise PageFailed(host, f"the proxy {_at(proxy)} cannot be reached") from error


async def open_tunnel(proxy: UpstreamProxy, host: str | IPv4Address | IPv6Address, port: int) -> Streams:
    """Have the proxy connect to an address, or to what it takes a name for.

    Raises
    ------
    PageFailed
        When the proxy is not there or does not do it.
    """
    target = f"{_bracketed(str(host))}:{port}"
    reader, writer = await connect_to_proxy(proxy, str(host))
    try:
        writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n".encode() + _pass(proxy) + b"\r\n")
        async with asyncio.timeout(_DIAL_SECONDS):
            head = await reader.readuntil(b"\r\n\r\n")
        if status_code(head) != 200:
            said = head.split(b"\r\n")[0].partition(b" ")[2].decode("latin-1")
            raise PageFailed(str(host), f"the proxy {_at(proxy)} does not connect to it ({said})")
    except TimeoutError as late:
        writer.transport.abort()
        raise PageFailed(str(host), f"the proxy {_at(proxy)} did not answer") from late
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        writer.transport.abort()
        raise PageFailed(str(host), f"the proxy {_at(proxy)} hung up") from error
    except BaseException:
        writer.transport.abort()
        raise
    return reader, writer


def absolute_request(proxy: UpstreamProxy, host: str, port: int, head: bytes) -> bytes:
    """Write the head of a plain request as a proxy wants it: with the whole address, and the password."""
    method, path, rest = head.split(b" ", 2)
    authority = _bracketed(host) if port == 80 else f"{_bracketed(host)}:{port}"
    line, _, headers = rest.partition(b"\r\n")
    return b" ".join([method, b"http://" + authority.encode() + path, line]) + b"\r\n" + _pass(proxy) + headers


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _at(proxy: UpstreamProxy) -> str:
    return f"{proxy.host}:{proxy.port}"


def _pass(proxy: UpstreamProxy) -> bytes:
    if proxy.credentials is None:
        return b""
    return b"Proxy-Authorization: " + basic_auth(*proxy.credentials) + b"\r\n"
