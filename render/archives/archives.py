"""Pages with all that they loaded, in one file: MHTML (RFC 2557), WARC (ISO 28500), WACZ (1.1.1) and HAR.

An archive is played back: what is in it is served under the addresses that it had, and nothing else can be reached.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urldefrag

from ...errors import PageFailed, Refused
from ...files.bounded_reader import DAMAGED_ZIP, SizeLimitExceeded
from .har import read_har
from .resource import Key, Resource, Responses
from .wacz import is_wacz, read_wacz
from .warc import read_warc

_HEAD_BYTES = 8_192
#: An archive holds a page's pictures, styles and scripts as well: so many times the bytes of a page.
PARTS_PER_PAGE = 20
#: What a packed archive may unpack to: so many times its own size, and so many times the bytes of a page.
_UNPACKED, _LEAST_PARTS = 20, 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """What an archive holds.

    Attributes
    ----------
    name : str
        What the user calls it.
    pages : tuple of str
        Addresses of the HTML documents in it, in the order of the file.
    resources : mapping
        All answers.
    """

    name: str
    pages: tuple[str, ...]
    resources: Mapping[Key, Resource]

    def page(self, url: str | None = None) -> tuple[str, Resource]:
        """Return the address and the answer of a page; without ``url`` of the first.

        Raises
        ------
        PageFailed
            When it is not in there.
        """
        if not self.pages:
            raise PageFailed(self.name, "there is no page in this archive")
        wanted = urldefrag(url).url if url else self.pages[0]
        if wanted not in self.pages:
            some = ", ".join(self.pages[:3]) + (", ..." if len(self.pages) > 3 else "")
            raise PageFailed(self.name, f"{wanted} is no page of this archive; there is {some}")
        return wanted, self.resources["GET", wanted]


def archive_kind(head: bytes) -> str:
    """Return by its first bytes what archive a file is: "mhtml", "warc", "wacz" or "har", "" for none of them."""
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
    if re.match(rb'\{\s*"log"\s*:\s*\{', start):
        return "har"
    lines = start.lower().split(b"\r\n\r\n" if b"\r\n\r\n" in start else b"\n\n", 1)[0]
    return "mhtml" if b"mime-version:" in lines and b"multipart/related" in lines else ""


def read_archive(data: bytes, *, name: str, max_bytes: int) -> Archive:
    """Read an archive.

    Parameters
    ----------
    data : bytes
        Of a file of one of the four kinds (:func:`archive_kind`).
    name : str
    max_bytes : int
        Responses larger than this are left out.

    Raises
    ------
    PageFailed
        When it is damaged or none of them.
    Refused
        When it unpacks to far more than it is itself.
    """
    kind = archive_kind(data[:_HEAD_BYTES])
    if not kind:
        raise PageFailed(name, "this is no MHTML, WARC, WACZ or HAR archive")
    resources: dict[Key, Resource] = {}
    try:
        for key, resource in _answers(kind, data, max_bytes):
            if len(resource.body) <= max_bytes:
                resources.setdefault(key, resource)
    except SizeLimitExceeded as error:
        raise Refused(name, f"the {kind.upper()} archive is too large: {error} (--max-bytes raises it)") from error
    except RecursionError as error:
        raise PageFailed(name, f"the {kind.upper()} archive is damaged (it is nested too deeply)") from error
    except (*DAMAGED_ZIP, TypeError) as error:
        raise PageFailed(name, f"the {kind.upper()} archive is damaged ({error})") from error
    pages = tuple(address for (method, address), found in resources.items() if method == "GET" and found.is_page)
    return Archive(name=name, pages=pages, resources=resources)


def _answers(kind: str, data: bytes, max_bytes: int) -> Responses:
    if kind in ("warc", "wacz"):
        most = min(PARTS_PER_PAGE * max_bytes, max(_UNPACKED * len(data), _LEAST_PARTS * max_bytes))
        return (read_warc if kind == "warc" else read_wacz)(data, most=max(most, len(data)), largest=max_bytes)
    if kind == "har":
        return read_har(data)
    from .mhtml import read_mhtml

    return read_mhtml(data)
