"""Connections through an upstream proxy (RFC 9110, RFC 9112).

The proxy would resolve a name in its own network, possibly to another address than the one that was checked here. So it
is asked for tunnels to the checked addresses; it gets names only if the options say so.
"""

from __future__ import annotations

import asyncio
from ipaddress import IPv4Address, IPv6Address

from ...errors import ConnectionFailed, ProxyFailed
from ..render_options import UpstreamProxy
from .http_headers import basic_auth, status_code

_CONNECT_TIMEOUT = 10.0
_MAX_HEADER = 262_144

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


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
