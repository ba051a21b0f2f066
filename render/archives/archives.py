"""Archives of pages with all their resources: MHTML (RFC 2557), WARC (ISO 28500) and WACZ (1.1.1).

An archive is replayed: its resources are served at their original addresses, and nothing else can be reached.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urldefrag

from ...errors import PageFailed, Refused
from ...files.bounded_reader import DAMAGED_ZIP, SizeLimitExceeded
from .resource import Key, Resource, Responses
from .warc import is_wacz, read_wacz, read_warc

_HEAD_BYTES = 8_192
#: Maximum size of an archive, which has images, styles and scripts as well, in multiples of that of a page.
PARTS_PER_PAGE = 20
#: Maximum decompressed size of an archive: the larger of these multiples of its own size and of that of a page.
_MAX_RATIO, _MIN_PARTS = 20, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """The contents of an archive."""

    name: str
    #: Addresses of its HTML documents, in the order of the file.
    pages: tuple[str, ...]
    resources: Mapping[Key, Resource]

    def page(self, url: str | None = None) -> tuple[str, Resource]:
        """Return address and response of a page, by default the first; raise PageFailed if there is none."""
        if not self.pages:
            raise PageFailed(self.name, "there is no page in this archive")
        address = urldefrag(url).url if url else self.pages[0]
        if address not in self.pages:
            some = ", ".join(self.pages[:3]) + (", ..." if len(self.pages) > 3 else "")
            raise PageFailed(self.name, f"{address} is no page of this archive; there is {some}")
        return address, self.resources["GET", address]


def archive_kind(head: bytes) -> str:
    """Return the kind of archive by its first bytes: "mhtml", "warc", "wacz", or "" for other files."""
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _HEAD_BYTES)
        except zlib.error:
            return ""
        return "warc" if head.startswith(b"WARC/") else ""
    if head.startswith(b"WARC/"):
        return "warc"
    if is_wacz(head):
        return "wacz"
    start = head[:_HEAD_BYTES].lstrip(b"\xef\xbb\xbf \t\r\n")
    lines = start.lower().split(b"\r\n\r\n" if b"\r\n\r\n" in start else b"\n\n", 1)[0]
    return "mhtml" if b"mime-version:" in lines and b"multipart/related" in lines else ""


def read_archive(data: bytes, *, name: str, max_bytes: int) -> Archive:
    """Read an archive without responses over ``max_bytes``; raise PageFailed if it is damaged, Refused if too large."""
    kind = archive_kind(data[:_HEAD_BYTES])
    if not kind:
        raise PageFailed(name, "this is no MHTML, WARC or WACZ archive")
    resources: dict[Key, Resource] = {}
    try:
        for key, resource in _responses(kind, data, max_bytes):
            if len(resource.body) <= max_bytes:
                resources.setdefault(key, resource)
    except SizeLimitExceeded as error:
        raise Refused(name, f"the {kind.upper()} archive is too large: {error} (max_bytes raises it)") from error
    except RecursionError as error:
        raise PageFailed(name, f"the {kind.upper()} archive is damaged (it is nested too deeply)") from error
    except (*DAMAGED_ZIP, TypeError) as error:
        raise PageFailed(name, f"the {kind.upper()} archive is damaged ({error})") from error
    pages = tuple(address for (method, address), resource in resources.items() if method == "GET" and resource.is_page)
    return Archive(name=name, pages=pages, resources=resources)


def _responses(kind: str, data: bytes, max_bytes: int) -> Responses:
    if kind in ("warc", "wacz"):
        limit = min(PARTS_PER_PAGE * max_bytes, max(_MAX_RATIO * len(data), _MIN_PARTS * max_bytes))
        read = read_warc if kind == "warc" else read_wacz
        return read(data, max_bytes=max(limit, len(data)), max_body=max_bytes)
    from .mhtml import read_mhtml

    return read_mhtml(data)
