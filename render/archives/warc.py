"""WARC (ISO 28500): the responses in an archive, and in the archives of a WACZ file (1.1.1, 2021).

A crawl of gigabytes is scanned once, and each response is read by its offset.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from mmap import mmap

from ...files.bounded_reader import CHUNK_SIZE, GZIP_MAGIC, BoundedReader, SizeLimitExceeded, gunzip, inflate, read_zip
from ...page.metadata.usage import header_statements
from .resource import Resource, Responses, web_address

#: Maximum bytes of a line and of the header of a record or of an HTTP response.
_MAX_LINE, MAX_HEADER = 1 << 16, 1 << 18
_HEADER_END = re.compile(rb"\r?\n\r?\n")
_STATUS = re.compile(r"HTTP/\S+\s+(\d{3})(?!\d)")
_CHUNK = re.compile(rb"[ \t]*([0-9a-fA-F]{1,12})[ \t]*(?:;[^\r\n]*)?\r?\n")
#: Windows of zlib for each content encoding; servers use "deflate" for zlib or raw data.
_WINDOWS = {"gzip": (31,), "x-gzip": (31,), "deflate": (15, -15)}
#: Names of the archives in a WACZ file.
WARC_SUFFIXES = (".warc", ".warc.gz")
#: First member of a WACZ file; other ZIP files start with other names.
_WACZ = re.compile(
    rb"PK\x03\x04.{26}(?:archive/|indexes/|pages/|logs/|datapackage|fuzzy\.json|webarchive\.yaml)", re.DOTALL
)
#: Maximum size of a compressed record beyond its body.
_MAX_OVERHEAD = 2 * MAX_HEADER
#: A larger first record is not a part of a single gzip stream.
_MOST_FIRST = 64_000_000
#: The bytes of an archive; slices of both are bytes.
Buffer = bytes | mmap


def is_wacz(head: bytes) -> bool:
    """Return whether data starts like a WACZ file."""
    return _WACZ.match(head) is not None


def read_wacz(data: bytes, *, max_bytes: int, max_body: int) -> Responses:
    """Yield the responses of all archives in a WACZ file; the limits and errors are those of :func:`read_warc`."""
    members = read_zip(data, max_bytes=max_bytes)
    archives = [content for name, content in members.items() if name.lower().endswith(WARC_SUFFIXES)]
    if not archives:
        raise ValueError("there is no WARC in it")
    for archive in archives:
        for key, response in read_warc(archive, max_bytes=max_bytes, max_body=max_body):
            max_bytes -= len(response.body)
            yield key, response


def read_warc(data: bytes, *, max_bytes: int, max_body: int) -> Responses:
    """Yield the responses of an archive, gzipped or not, without those whose body is larger than ``max_body``.

    Raises SizeLimitExceeded beyond ``max_bytes`` decompressed bytes, or another error of
    :data:`~blocksight.files.bounded_reader.DAMAGED_ZIP`.
    """
    if is_single_stream(data):
        data = gunzip(data, max_bytes=max_bytes)
    for _, address, response in indexed_responses(data, 0, len(data), max_body=max_body, max_bytes=max_bytes):
        yield ("GET", address), response


def _read_head(source: BoundedReader) -> tuple[dict[str, str], int]:
    """Read the head of the next record; return its fields and the length of its content."""
    while not (line := source.readline(_MAX_LINE)).strip():
        if not line:
            raise EOFError("it ends in the middle of a record")
    if not line.startswith(b"WARC/"):
        raise ValueError("a record does not start with WARC/")
    lines, size = list[bytes](), 0
    while (line := source.readline(_MAX_LINE)).strip():
        lines.append(line)
        size += len(line)
        if size > MAX_HEADER:
            raise ValueError("the header of a record does not end")
    fields = _parse_fields(b"".join(lines))
    length = fields.get("content-length", "")
    if not re.fullmatch(r"[0-9]{1,15}", length):
        raise ValueError(f"Content-Length is no number of bytes: {length[:30]!r}")
    return fields, int(length)


def _parse_fields(header: bytes) -> dict[str, str]:
    """Return header fields by lower-case name, the first of each name, folded lines joined."""
    fields: dict[str, str] = {}
    for line in re.sub(rb"\r?\n[ \t]+", b" ", header).splitlines():
        name, _, value = line.decode("utf-8", "replace").partition(":")
        fields.setdefault(name.strip().lower(), value.strip())
    return fields


def parse_response(content: bytes, max_body: int) -> Resource | None:
    """Parse an HTTP response; None if it is none, is too large, or has an unknown content encoding."""
    end = _HEADER_END.search(content, 0, MAX_HEADER)
    header = content[: end.start()] if end else content[:MAX_HEADER]
    status = _STATUS.match(header.decode("latin-1"))
    if status is None:
        return None
    fields = _parse_fields(header.partition(b"\n")[2])
    body = content[end.end() :] if end else b""
    if "chunked" in fields.get("transfer-encoding", "").lower():
        body = _join_chunks(body)
    try:
        decoded = _decode_content(body, fields.get("content-encoding", "").lower().strip(), max_body)
    except SizeLimitExceeded:
        return None
    if decoded is None or len(decoded) > max_body:
        return None
    return Resource(
        status=int(status[1]),
        kind=fields.get("content-type", ""),
        body=decoded,
        location=fields.get("location", ""),
        usage=header_statements(fields),
    )


def _join_chunks(body: bytes) -> bytes:
    """Join the chunks of a body; a body that is not chunked, although declared so, is returned unchanged."""
    output, position = bytearray(), 0
    while head := _CHUNK.match(body, position):
        size = int(head[1], 16)
        output += body[head.end() : head.end() + size]
        position = head.end() + size
        if not size:
            break
        position += 2 if body[position : position + 2] == b"\r\n" else body[position : position + 1] == b"\n"
    return bytes(output) if position else body


def _decode_content(body: bytes, encoding: str, max_body: int) -> bytes | None:
    """Decompress a body; archivers often store it decompressed with the original header."""
    if encoding in ("", "identity"):
        return body
    for window in _WINDOWS.get(encoding, ()):
        try:
            return inflate(body, window=window, max_bytes=max_body)
        except zlib.error:
            continue
    return body if encoding in _WINDOWS else None


def indexed_responses(
    data: Buffer, first: int, last: int, *, max_body: int, max_bytes: int = 1 << 62
) -> Iterator[tuple[int, str, Resource]]:
    """Yield the offset, address and response of each response record in a range, with a body up to ``max_body``.

    Raises ValueError, EOFError, OSError or zlib.error if the archive is damaged, or compressed as a single stream
    without offsets (:func:`is_single_stream`); SizeLimitExceeded beyond ``max_bytes`` decompressed bytes.
    """
    offset, left = first, max_bytes
    while offset < last:
        if data[offset : offset + 2] == GZIP_MAGIC:
            end, size = _member_end(data, offset, last, left)
            left -= size
        else:
            end = _record_end(data, offset, last)
        if end - offset <= max_body + _MAX_OVERHEAD:
            address, response = _response(data[offset:end], max_body)
            if response is not None:
                yield offset, address, response
        offset = end


def response_at(data: Buffer, offset: int, *, max_body: int) -> Resource | None:
    """Return the response of the record at an offset, None if it is no usable response."""
    return _response(data[offset : offset + max_body + _MAX_OVERHEAD], max_body)[1]


def _response(data: bytes, max_body: int) -> tuple[str, Resource | None]:
    """Return address and response of the record at the start of some bytes; None if it is no usable response."""
    if not data[:8].strip():  # after the last record
        return "", None
    source = BoundedReader(data, max_bytes=max_body + _MAX_OVERHEAD)
    try:
        fields, size = _read_head(source)
        address = web_address(fields.get("warc-target-uri", "").strip("<>"))
        if fields.get("warc-type", "") != "response" or not address or size > max_body + MAX_HEADER:
            return "", None
        content = source.read(size)
    except SizeLimitExceeded:
        return "", None
    if len(content) < size:
        raise EOFError("it ends in the middle of a record")
    return address, parse_response(content, max_body)


def is_single_stream(data: Buffer) -> bool:
    """Return whether all records are compressed together, so that none of them can be read by its offset."""
    if data[0:2] != GZIP_MAGIC:
        return False
    source = BoundedReader(_first_bytes(data, _MAX_OVERHEAD), max_bytes=_MAX_OVERHEAD)
    try:
        end = _read_head(source)[1]
    except (EOFError, ValueError):
        return False
    end += source.bytes_read
    # Another record begins after two line breaks.
    return end < _MOST_FIRST and bool(_first_bytes(data, end + 16)[end:].strip())


def _first_bytes(data: Buffer, size: int) -> bytes:
    """Return the first bytes of the first member of gzip data."""
    return zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(data[0 : size + _MAX_OVERHEAD], size)


def _member_end(data: Buffer, offset: int, last: int, most: int) -> tuple[int, int]:
    """Return the end of a compressed record, and its size, of at most ``most`` bytes."""
    decompressor, size = zlib.decompressobj(zlib.MAX_WBITS | 16), 0
    while not decompressor.eof:
        chunk = data[offset : min(offset + CHUNK_SIZE, last)]
        if not chunk:
            raise EOFError("it ends in the middle of a record")
        offset += len(chunk)
        while chunk:
            size += len(decompressor.decompress(chunk, CHUNK_SIZE))
            if size > most:
                raise SizeLimitExceeded(most)
            chunk = b"" if decompressor.eof else decompressor.unconsumed_tail
    return offset - len(decompressor.unused_data), size


def _record_end(data: Buffer, offset: int, last: int) -> int:
    """Return the end of an uncompressed record, line breaks after it included."""
    start = data[offset : min(offset + MAX_HEADER, last)]
    source = BoundedReader(start, max_bytes=len(start) + 1)
    length = _read_head(source)[1]
    end = offset + source.bytes_read + length
    if end > last:
        raise EOFError("it ends in the middle of a record")
    while end < last and data[end : end + 1] in (b"\r", b"\n"):
        end += 1
    return end
