"""Another proxy behind ours: tunnels are asked of it, plain requests are written out for it (RFC 9110, 9112)."""

from __future__ import annotations

import asyncio

from ..errors import PageFailed
from ..options import Upstream
from .heads import basic

_DIAL_SECONDS = 10.0
_LARGEST_HEAD = 262_144


async def behind(
    proxy: Upstream, host: str, port: int, *, tunnel: bool
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to the proxy and, for a tunnel, have it connect to a host.

    Raises
    ------
    PageFailed
        When the proxy is not there or does not do it.
    """
    at = f"{proxy.host}:{proxy.port}"
    try:
        async with asyncio.timeout(_DIAL_SECONDS):
            reader, writer = await asyncio.open_connection(proxy.host, proxy.port, limit=_LARGEST_HEAD)
            if tunnel:
                target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
                writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n".encode() + _pass(proxy) + b"\r\n")
                status = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")[0].split(b" ", 2)
                if len(status) < 2 or status[1] != b"200":
                    writer.transport.abort()
                    said = b" ".join(status[1:]).decode("latin-1")
                    raise PageFailed(host, f"the proxy {at} does not connect to it ({said})")
            return reader, writer
    except TimeoutError as late:
        raise PageFailed(host, f"the proxy {at} did not answer") from late
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise PageFailed(host, f"the proxy {at} cannot be reached") from error


def through(proxy: Upstream | None, host: str, port: int, head: bytes) -> bytes:
    """Write the head of a plain request as a proxy wants it: with the whole address, and the password."""
    if proxy is None:
        return head
    method, path, rest = head.split(b" ", 2)
    name = f"[{host}]" if ":" in host else host
    authority = name if port == 80 else f"{name}:{port}"
    line, _, headers = rest.partition(b"\r\n")
    return b" ".join([method, b"http://" + authority.encode() + path, line]) + b"\r\n" + _pass(proxy) + headers


def _pass(proxy: Upstream) -> bytes:
    if proxy.credentials is None:
        return b""
    return b"Proxy-Authorization: " + basic(*proxy.credentials) + b"\r\n"
