"""Pages with all that they loaded, in one file: MHTML (RFC 2557), WARC (ISO 28500) and HAR.

An archive is played back: what is in it is served under the addresses that it had, and nothing else can be reached.
"""

from __future__ import annotations

import base64
import binascii
import email
import email.policy
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Any
from urllib.parse import quote, urldefrag

from warcio.archiveiterator import ArchiveIterator
from warcio.exceptions import ArchiveLoadFailed

from .errors import PageFailed

_HEAD_BYTES = 8_192
#: Parts of an MHTML file may be named by number instead of by address; browsers cannot ask for these.
_CID = re.compile(r"cid:([^\s\"'<>)]+)")
_CID_ADDRESS = "http://blocksight.invalid/cid/"
_HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One answer of a server, as it was archived.

    Attributes
    ----------
    status : int
    kind : str
        The header ``Content-Type``.
    body : bytes
        Without transfer or content encoding.
    location : str
        Where a redirect leads, else "".
    """

    status: int
    kind: str
    body: bytes
    location: str = ""

    @property
    def encoding(self) -> str | None:
        """The ``charset`` of the header, if it has one."""
        found = re.search(r"charset=[\"']?([\w.:-]+)", self.kind, re.IGNORECASE)
        return found[1] if found else None

    @property
    def is_page(self) -> bool:
        """Whether it is an HTML document and no error."""
        return self.status < 300 and self.kind.lower().startswith(_HTML)


#: Method and address (without fragment) of a request.
Key = tuple[str, str]


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
    """Return by its first bytes what kind of archive a file is: "mhtml", "warc" or "har", "" for none of them."""
    if head.startswith(b"\x1f\x8b"):
        try:
            head = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(head, _HEAD_BYTES)
        except zlib.error:
            return ""
        return "warc" if head.startswith(b"WARC/") else ""
    if head.startswith(b"WARC/"):
        return "warc"
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
        Of a file of one of the three kinds (:func:`archive_kind`).
    name : str
    max_bytes : int
        Answers larger than this are left out.

    Raises
    ------
    PageFailed
        When it is damaged or none of them.
    """
    readers = {"mhtml": _mhtml, "warc": _warc, "har": _har}
    kind = archive_kind(data[:_HEAD_BYTES])
    if not kind:
        raise PageFailed(name, "this is no MHTML, WARC or HAR archive")
    try:
        resources: dict[Key, Resource] = {}
        for key, resource in readers[kind](data):
            if len(resource.body) <= max_bytes:
                resources.setdefault(key, resource)
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        LookupError,
        EOFError,
        OSError,
        ArchiveLoadFailed,
    ) as error:
        raise PageFailed(name, f"the {kind.upper()} archive is damaged ({error})") from error
    pages = tuple(address for (method, address), found in resources.items() if method == "GET" and found.is_page)
    return Archive(name=name, pages=pages, resources=resources)


def _mhtml(data: bytes) -> Iterator[tuple[Key, Resource]]:
    message = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    own = str(message.get("Snapshot-Content-Location") or message.get("Content-Location") or "").strip()
    parts = [part for part in message.walk() if not part.is_multipart()]
    start = str(message.get_param("start") or "").strip("<> ")
    # The part that is named as the start is the page; else the first.
    parts.sort(key=lambda part: str(part.get("Content-ID", "")).strip("<> ") != start or not start)
    for number, part in enumerate(parts):
        location = str(part.get("Content-Location", "")).strip() or (own if number == 0 else "")
        body = part.get_payload(decode=True) or b""
        assert isinstance(body, bytes)
        kind = part.get_content_type()
        charset = part.get_content_charset()
        if kind in _HTML:
            text = body.decode(charset or "utf-8", "replace")
            body, charset = _CID.sub(lambda found: _cid_address(found[1]), text).encode(), "utf-8"
        resource = Resource(status=200, kind=f"{kind}; charset={charset}" if charset else kind, body=body)
        if re.match(r"https?://", location):
            yield ("GET", urldefrag(location).url), resource
        if part.get("Content-ID"):
            yield ("GET", _cid_address(str(part["Content-ID"]).strip("<> "))), resource


def _cid_address(cid: str) -> str:
    return _CID_ADDRESS + quote(cid, safe="@.-_")


def _warc(data: bytes) -> Iterator[tuple[Key, Resource]]:
    for record in ArchiveIterator(io.BytesIO(data)):
        if record.rec_type != "response" or record.http_headers is None:
            continue
        address = record.rec_headers.get_header("WARC-Target-URI") or ""
        status = record.http_headers.get_statuscode()
        if not re.match(r"https?://", address) or not status.isdigit():
            continue
        headers = record.http_headers
        yield (
            ("GET", urldefrag(address).url),
            Resource(
                status=int(status),
                kind=headers.get_header("Content-Type", ""),
                body=record.content_stream().read(),
                location=headers.get_header("Location", ""),
            ),
        )


def _har(data: bytes) -> Iterator[tuple[Key, Resource]]:
    entries: list[dict[str, Any]] = json.loads(data.decode("utf-8-sig"))["log"]["entries"]
    for entry in entries:
        request, response = entry["request"], entry["response"]
        content = response.get("content", {})
        text = content.get("text", "")
        status = int(response.get("status") or 0)
        if not status or not re.match(r"https?://", request["url"]):
            continue
        try:
            body = base64.b64decode(text) if content.get("encoding") == "base64" else text.encode("utf-8", "replace")
        except binascii.Error:
            continue
        kind = content.get("mimeType", "")
        if content.get("encoding") != "base64" and kind.lower().startswith(("text/", "application/")):
            # The text of a HAR file has been decoded already, whatever the server said.
            kind = f"{kind.split(';')[0]}; charset=utf-8"
        location = response.get("redirectURL") or ""
        yield (
            (request.get("method", "GET").upper(), urldefrag(request["url"]).url),
            Resource(status=status, kind=kind, body=body, location=location),
        )
