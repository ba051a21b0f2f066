"""MHTML (RFC 2557): a page and its resources as one multipart message, as browsers save it."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from urllib.parse import quote

from .resource import HTML, Resource, Responses, web_address

#: Maximum nesting of multipart messages; browsers write one level.
MAX_LEVELS = 20
#: Maximum bytes of the header of a part.
_MAX_HEADER = 1 << 18
#: Parts may have a Content-ID instead of an address; browsers cannot request these.
_CID = re.compile(r"cid:([^\s\"'<>)]+)")
_CID_ADDRESS = "http://blocksight.invalid/cid/"
_HEAD_END = re.compile(rb"\r?\n\r?\n|\A\r?\n")
_PARSER = BytesHeaderParser(policy=compat32)


def read_mhtml(data: bytes) -> Responses:
    """Yield the parts of an archive, the page first; ValueError if it is nested too deeply or a header does not end."""
    head, _ = _split(data)
    page_url = _field(head, "Snapshot-Content-Location") or _field(head, "Content-Location")
    parts = list(_parts(data, 0))
    start = str(head.get_param("start") or "").strip("<> ")
    # The page is the part that "start" names, else the first.
    parts.sort(key=lambda part: not start or _cid(part[0]) != start)
    for number, (header, body) in enumerate(parts):
        address = web_address(_field(header, "Content-Location") or (page_url if number == 0 else ""))
        resource = _resource(header, body)
        if address:
            yield ("GET", address), resource
        if _cid(header):
            yield ("GET", _cid_address(_cid(header))), resource


def _parts(data: bytes, level: int) -> Iterator[tuple[Message, bytes]]:
    """Yield header and body of the parts that are no multipart themselves, in order."""
    if level > MAX_LEVELS:
        raise ValueError(f"its parts are nested more than {MAX_LEVELS} levels deep")
    head, body = _split(data)
    boundary = head.get_boundary() if head.get_content_maintype() == "multipart" else None
    if not boundary:
        yield head, body
        return
    line = re.compile(rb"^--" + re.escape(boundary.encode("latin-1", "replace")) + rb"(--)?[ \t]*(?:\r?\n|\Z)", re.M)
    # Text before the first boundary and after the last one is ignored.
    boundaries = list(line.finditer(body))
    for this, following in zip(boundaries, [*boundaries[1:], None], strict=True):
        if this[1]:
            return
        part = body[this.end() : following.start() if following else len(body)]
        yield from _parts(part.removesuffix(b"\n").removesuffix(b"\r"), level + 1)


def _split(data: bytes) -> tuple[Message, bytes]:
    end = _HEAD_END.search(data, 0, _MAX_HEADER)
    if end is None and len(data) > _MAX_HEADER:
        raise ValueError("the header of a part does not end")
    head, body = (data[: end.start()], data[end.end() :]) if end else (data, b"")
    return _PARSER.parsebytes(head + b"\n\n"), body


def _resource(head: Message, body: bytes) -> Resource:
    body = _decode_transfer(body, _field(head, "Content-Transfer-Encoding").lower())
    kind, charset = head.get_content_type(), head.get_content_charset()
    if kind in HTML:
        text = _decode_text(body, charset)
        body, charset = _CID.sub(lambda match: _cid_address(match[1]), text).encode("utf-8", "replace"), "utf-8"
    return Resource(status=200, kind=f"{kind}; charset={charset}" if charset else kind, body=body)


def _decode_transfer(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding == "base64":
        try:
            return binascii.a2b_base64(body)
        except binascii.Error:
            return body
    return body


def _decode_text(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except (LookupError, UnicodeError):  # the name of no text encoding
        return body.decode("utf-8", "replace")


def _field(head: Message, name: str) -> str:
    return str(head.get(name, "")).strip()


def _cid(head: Message) -> str:
    return _field(head, "Content-ID").strip("<> ")


def _cid_address(cid: str) -> str:
    return _CID_ADDRESS + quote(cid, safe="@.-_", errors="replace")
