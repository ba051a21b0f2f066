"""Random access to a WARC: a crawl of gigabytes is scanned once, and each response is read by its offset."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

from ...files.bounded_reader import CHUNK_SIZE, GZIP_MAGIC, BoundedReader, SizeLimitExceeded
from .resource import Resource
from .warc import MAX_HEADER, read_records, read_responses

#: Maximum size of a compressed record beyond its body.
_MAX_OVERHEAD = 2 * MAX_HEADER


class Buffer(Protocol):
    """Bytes that may be in a file: ``bytes``, or a memory-mapped file."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: slice, /) -> bytes: ...


def indexed_responses(data: Buffer, *, max_body: int) -> Iterator[tuple[int, str, Resource]]:
    """Yield the offset, address and response of each response record whose body is no larger than ``max_body``.

    Raises ValueError, EOFError, OSError or zlib.error if the archive is damaged, or compressed as a single stream
    without offsets (:func:`is_single_stream`).
    """
    offset = 0
    while offset < len(data):
        end = _member_end(data, offset) if data[offset : offset + 2] == GZIP_MAGIC else _record_end(data, offset)
        if end - offset <= max_body + _MAX_OVERHEAD:
            address, response = _first_response(data[offset:end], max_body)
            if response is not None:
                yield offset, address, response
        offset = end


def response_at(data: Buffer, offset: int, *, max_body: int) -> Resource | None:
    """Return the response of the record at an offset, None if it is no usable response."""
    return _first_response(data[offset : offset + max_body + _MAX_OVERHEAD], max_body)[1]


def _first_response(data: bytes, max_body: int) -> tuple[str, Resource | None]:
    try:
        return next(read_responses(BoundedReader(data, max_bytes=max_body + _MAX_OVERHEAD), max_body), ("", None))
    except SizeLimitExceeded:
        return "", None


def is_single_stream(data: Buffer) -> bool:
    """Return whether all records are compressed together, so that none of them can be read by its offset."""
    if data[0:2] != GZIP_MAGIC:
        return False
    end = _member_end(data, 0)
    start = BoundedReader(data[0 : min(end, _MAX_OVERHEAD)], max_bytes=1 << 62)
    try:
        next(read_records(start, 0), None)
        return bool(start.readline(1).strip() or start.readline(1).strip() or start.read(5).strip())
    except (EOFError, OSError, ValueError, zlib.error):
        return False


def _member_end(data: Buffer, offset: int) -> int:
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    while not decompressor.eof:
        chunk = data[offset : offset + CHUNK_SIZE]
        if not chunk:
            raise EOFError("it ends in the middle of a record")
        offset += len(chunk)
        while chunk:
            decompressor.decompress(chunk, CHUNK_SIZE)
            chunk = b"" if decompressor.eof else decompressor.unconsumed_tail
    return offset - len(decompressor.unused_data)


def _record_end(data: Buffer, offset: int) -> int:
    """Return the end of an uncompressed record, line breaks after it included."""
    start = data[offset : offset + MAX_HEADER]
    source = BoundedReader(start, max_bytes=len(start) + 1)
    length = _content_length(source)
    end = offset + source.bytes_read + length
    if end > len(data):
        raise EOFError("it ends in the middle of a record")
    while data[end : end + 1] in (b"\r", b"\n"):
        end += 1
    return end


def _content_length(source: BoundedReader) -> int:
    """Read the header of a record; return the length of its content."""
    for line in iter(lambda: source.readline(MAX_HEADER), b""):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            while source.readline(MAX_HEADER).strip():
                pass
            return int(value)
        if not line.strip():
            break
    raise ValueError("a record has no Content-Length")
