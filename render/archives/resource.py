"""Responses of servers as archives store them, each with the request that it answered."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag, urlsplit

HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One archived response; ``kind`` is its ``Content-Type``, ``location`` the target of a redirect, else ""."""

    status: int
    kind: str
    #: Without transfer or content encoding.
    body: bytes
    location: str = ""
    #: What its headers state about the use of the page.
    usage: str = ""

    @property
    def encoding(self) -> str | None:
        """The ``charset`` of the header, if it has one."""
        match = re.search(r"charset=[\"']?([\w.:-]+)", self.kind, re.IGNORECASE)
        return match[1] if match else None

    @property
    def is_page(self) -> bool:
        """Whether it is an HTML document and no error."""
        return self.status < 300 and self.kind.lower().startswith(HTML)


#: Method and address (without fragment) of a request.
Key = tuple[str, str]
Responses = Iterator[tuple[Key, Resource]]


def web_address(url: str) -> str:
    """Return an http(s) address without its fragment; "" for anything else."""
    try:
        address = urldefrag(url).url
        is_web = urlsplit(address).hostname and re.match(r"https?://", address)
    except ValueError:
        return ""
    return address if is_web else ""
