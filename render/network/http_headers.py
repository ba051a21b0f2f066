"""Heads of requests and answers, as far as a proxy has to do with them (RFC 9110, RFC 9112)."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass

from .guard import host_and_port

_HOP_HEADERS = (b"connection:", b"keep-alive:", b"proxy-")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a proxy is asked for.

    Attributes
    ----------
    host : str
    port : int
    head : bytes or None
        The head to send on; None for a tunnel.
    body : int
        Bytes that follow the head.
    """

    host: str
    port: int
    head: bytes | None
    body: int


def parse_request(head: bytes) -> Request | None:
    """Read a request's head; None when it is none that a proxy can pass on."""
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
    onward = None if tunnel else without_hop_headers(f"{method} /{path} {version}\r\n".encode("latin-1") + headers)
    size = header_value(head, b"content-length")
    return Request(host=host, port=port, head=onward, body=int(size) if size.isdigit() and not tunnel else 0)


def without_hop_headers(head: bytes) -> bytes:
    """Drop the headers that concern the connection before, and say that this one ends."""
    lines = head.removesuffix(b"\r\n\r\n").split(b"\r\n")
    kept = [line for line in lines if not line.lower().startswith(_HOP_HEADERS)]
    return b"\r\n".join([*kept, b"Connection: close", b"", b""])


def header_value(head: bytes, name: bytes) -> bytes:
    """Return the value of the first header of a name (in lower case); empty when there is none."""
    for line in head.split(b"\r\n")[1:]:
        found, _, value = line.partition(b":")
        if found.lower() == name:
            return value.strip()
    return b""


def status_code(head: bytes) -> int:
    """Return the status of an answer, 0 where there is none."""
    words = head.split(b"\r\n", 1)[0].split(b" ")
    return int(words[1]) if len(words) > 1 and words[1].isdigit() and len(words[1]) == 3 else 0


def basic_auth(name: str, password: str) -> bytes:
    """Return the value of a header that tells name and password (RFC 7617)."""
    return b"Basic " + b64encode(f"{name}:{password}".encode())


def empty_response(line: str, *headers: str, close: bool = True) -> bytes:
    """Return an answer without a body, after which the connection ends or not."""
    connection = "Connection: close" if close else "Connection: keep-alive"
    return "\r\n".join((f"HTTP/1.1 {line}", *headers, "Content-Length: 0", connection, "", "")).encode()
