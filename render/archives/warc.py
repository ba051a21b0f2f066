"""WARC (ISO 28500): the answers in it, one record after the other."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping

from ...files.bounded_reader import BoundedReader, SizeLimitExceeded, inflate
from .resource import Resource, Responses, web_address

#: Bytes of a line and of a head of a record or of an HTTP answer.
_LONGEST_LINE, LONGEST_HEAD = 1 << 16, 1 << 18
_HEAD_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(r"HTTP/\S+\s+(\d{3})(?!\d)")
_CHUNK = re.compile(rb"[ \t]*([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n]*)?\r?\n")
#: Windows of zlib for each content encoding; servers mean zlib's or bare data by "deflate".
_WINDOWS = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}


def read_warc(data: bytes, *, most: int, largest: int) -> Responses:
    """Yield the answers of an archive.

    Parameters
    ----------
    data : bytes
        Gzipped or not.
    most : int
        Bytes that may be unpacked, all in all.
    largest : int
        Bodies of more bytes are left out.

    Raises
    ------
    SizeLimitExceeded
        When more comes out of it.
    ValueError, EOFError, OSError
        When it is damaged.
    """
    for fields, content in read_records(BoundedReader(data, most=most), largest + LONGEST_HEAD):
        address = web_address(fields.get("warc-target-uri", "").strip("<>"))
        if fields.get("warc-type", "") == "response" and address and content is not None:
            resource = parse_response(content, largest)
            if resource is not None:
                yield ("GET", address), resource


def read_records(source: BoundedReader, largest: int) -> Iterator[tuple[Mapping[str, str], bytes | None]]:
    """Yield the named fields of each record, and the content of responses; None for what is larger than ``largest``."""
    while line := source.line(_LONGEST_LINE):
        if not line.strip():
            continue
        if not line.startswith(b"WARC/"):
            raise ValueError("a record does not begin as one")
        fields = _fields(_head(source))
        length = fields.get("content-length", "")
        if not re.fullmatch(r"[0-9]{1,15}", length):
            raise ValueError(f"Content-Length is no number of bytes: {length[:30]!r}")
        wanted = fields.get("warc-type", "") == "response" and int(length) <= largest
        content = source.take(int(length)) if wanted else None
        if (content is None and not source.skip(int(length))) or (content is not None and len(content) < int(length)):
            raise EOFError("it ends in the middle of a record")
        yield fields, content


def _head(source: BoundedReader) -> bytes:
    lines: list[bytes] = []
    size = 0
    while (line := source.line(_LONGEST_LINE)).strip():
        lines.append(line)
        size += len(line)
        if size > LONGEST_HEAD:
            raise ValueError("the head of a record does not end")
    return b"".join(lines)


def _fields(head: bytes) -> dict[str, str]:
    """Read header lines, names in lower case; of a name that stands twice the first, folded lines in one."""
    fields: dict[str, str] = {}
    for line in re.sub(rb"\r?\n[ \t]+", b" ", head).splitlines():
        name, _, value = line.decode("utf-8", "replace").partition(":")
        fields.setdefault(name.strip().lower(), value.strip())
    return fields


def parse_response(content: bytes, largest: int) -> Resource | None:
    """Read an HTTP answer; None for what is none, is too large, or is packed in an unknown way."""
    end = _HEAD_END.search(content, 0, LONGEST_HEAD)
    head = content[: end.start()] if end else content[:LONGEST_HEAD]
    status = _STATUS.match(head.decode("latin-1"))
    if status is None:
        return None
    fields = _fields(head.partition(b"\n")[2])
    body = content[end.end() :] if end else b""
    if "chunked" in fields.get("transfer-encoding", "").lower():
        body = _unchunked(body)
    try:
        unpacked = _decoded(body, fields.get("content-encoding", "").lower().strip(), largest)
    except SizeLimitExceeded:
        return None
    if unpacked is None or len(unpacked) > largest:
        return None
    location = fields.get("location", "")
    return Resource(status=int(status[1]), kind=fields.get("content-type", ""), body=unpacked, location=location)


def _unchunked(body: bytes) -> bytes:
    """Join the chunks of a body; what says that it is chunked and is not stays as it is."""
    found, place = bytearray(), 0
    while head := _CHUNK.match(body, place):
        size = int(head[1], 16)
        found += body[head.end() : head.end() + size]
        place = head.end() + size
        if not size:
            break
        place += 2 if body[place : place + 2] == b"\r\n" else body[place : place + 1] == b"\n"
    return bytes(found) if place else body


def _decoded(body: bytes, encoding: str, largest: int) -> bytes | None:
    """Unpack a body; archivers often unpack it themselves and leave the header as it was."""
    if encoding in ("", "identity"):
        return body
    for window in _WINDOWS.get(encoding, ()):
        try:
            return inflate(body, window=window, most=largest)
        except zlib.error:
            continue
    return body if encoding in _WINDOWS else None
