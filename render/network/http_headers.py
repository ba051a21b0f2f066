"""Headers of HTTP requests and responses that a proxy reads or changes (RFC 9110, RFC 9112)."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass

from .guard import host_and_port

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


def empty_response(line: str, *headers: str, close: bool = True) -> bytes:
    """Return a response without a body, after which the connection is closed or kept alive."""
    connection = "Connection: close" if close else "Connection: keep-alive"
    return "\r\n".join((f"HTTP/1.1 {line}", *headers, "Content-Length: 0", connection, "", "")).encode()
