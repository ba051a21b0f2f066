"""MHTML (RFC 2557): a page and all its parts as one mail, as browsers save it."""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterator
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from urllib.parse import quote

from .resource import HTML, Resource, Responses, web_address

#: Levels of parts within parts; browsers write one.
MOST_LEVELS = 20
#: Bytes of the head of a part.
_LONGEST_HEAD = 1 << 18
#: Parts of an MHTML file may be named by number instead of by address; browsers cannot ask for these.
_CID = re.compile(r"cid:([^\s\"'<>)]+)")
_CID_ADDRESS = "http://blocksight.invalid/cid/"
_HEAD_END = re.compile(rb"\r?\n\r?\n|\A\r?\n")
_PARSER = BytesHeaderParser(policy=compat32)


def read_mhtml(data: bytes) -> Responses:
    """Yield the parts of an archive, the page first.

    Raises
    ------
    ValueError
        When parts lie in parts beyond :data:`MOST_LEVELS`, or a head does not end.
    """
    head, _ = _split(data)
    own = _said(head, "Snapshot-Content-Location") or _said(head, "Content-Location")
    parts = list(_parts(data, 0))
    start = str(head.get_param("start") or "").strip("<> ")
    # The part that is named as the start is the page; else the first.
    parts.sort(key=lambda part: not start or _cid(part[0]) != start)
    for number, (given, body) in enumerate(parts):
        address = web_address(_said(given, "Content-Location") or (own if number == 0 else ""))
        resource = _resource(given, body)
        if address:
            yield ("GET", address), resource
        if _cid(given):
            yield ("GET", _cid_address(_cid(given))), resource


def _parts(data: bytes, level: int) -> Iterator[tuple[Message, bytes]]:
    """Yield head and body of the parts that hold no others, in order."""
    if level > MOST_LEVELS:
        raise ValueError(f"its parts lie in one another more than {MOST_LEVELS} levels deep")
    head, body = _split(data)
    boundary = head.get_boundary() if head.get_content_maintype() == "multipart" else None
    if not boundary:
        yield head, body
        return
    line = re.compile(rb"^--" + re.escape(boundary.encode("latin-1", "replace")) + rb"(--)?[ \t]*(?:\r?\n|\Z)", re.M)
    # Before the first boundary and after the last one stands nothing that belongs to it.
    found = list(line.finditer(body))
    for this, following in zip(found, [*found[1:], None], strict=True):
        if this[1]:
            return
        part = body[this.end() : following.start() if following else len(body)]
        yield from _parts(part.removesuffix(b"\n").removesuffix(b"\r"), level + 1)


def _split(data: bytes) -> tuple[Message, bytes]:
    """Part the head of a mail, or of a part of it, from its body."""
    end = _HEAD_END.search(data, 0, _LONGEST_HEAD)
    if end is None and len(data) > _LONGEST_HEAD:
        raise ValueError("the head of a part does not end")
    head, body = (data[: end.start()], data[end.end() :]) if end else (data, b"")
    return _PARSER.parsebytes(head + b"\n\n"), body


def _resource(head: Message, body: bytes) -> Resource:
    body = _unpacked(body, _said(head, "Content-Transfer-Encoding").lower())
    kind, charset = head.get_content_type(), head.get_content_charset()
    if kind in HTML:
        text = _decoded(body, charset)
        body, charset = _CID.sub(lambda found: _cid_address(found[1]), text).encode("utf-8", "replace"), "utf-8"
    return Resource(status=200, kind=f"{kind}; charset={charset}" if charset else kind, body=body)


def _unpacked(body: bytes, encoding: str) -> bytes:
    if encoding == "quoted-printable":
        return binascii.a2b_qp(body)
    if encoding == "base64":
        try:
            return binascii.a2b_base64(body)
        except binascii.Error:
            return body
    return body


def _decoded(body: bytes, charset: str | None) -> str:
    try:
        return body.decode(charset or "utf-8", "replace")
    except (LookupError, UnicodeError):  # a name that stands for no encoding of text
        return body.decode("utf-8", "replace")


def _said(head: Message, name: str) -> str:
    return str(head.get(name, "")).strip()


def _cid(head: Message) -> str:
    return _said(head, "Content-ID").strip("<> ")


def _cid_address(cid: str) -> str:
    return _CID_ADDRESS + quote(cid, safe="@.-_", errors="replace")
