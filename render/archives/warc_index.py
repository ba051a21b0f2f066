"""Where the answers of a WARC stand: a crawl of gigabytes is gone through once, and each answer is read by itself."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

from ...files.bounded_reader import CHUNK_SIZE, BoundedReader, SizeLimitExceeded
from .resource import Resource, web_address
from .warc import LONGEST_HEAD, parse_response, read_records

_GZIP = b"\x1f\x8b"
#: What an answer of the largest size may be packed to at worst, beside its heads.
_SPARE = 2 * LONGEST_HEAD


class Buffer(Protocol):
    """Buffer that may lie in a file: ``bytes``, or a file that is mapped into memory."""

    def __len__(self) -> int: ...

    def __getitem__(self, place: slice, /) -> bytes: ...


def indexed_responses(data: Buffer, *, largest: int) -> Iterator[tuple[int, str, Resource]]:
    """Yield the place, the address and the answer of each response record that is no larger than ``largest``.

    Raises
    ------
    ValueError, EOFError, OSError, zlib.error
        When the archive is damaged, or packed as one stream in which there are no places (``is_single_stream``).
    """
    for place, end in _pieces(data):
        if end - place <= largest + _SPARE:
            for address, found in _answers(data[place:end], largest):
                yield place, address, found


def response_at(data: Buffer, place: int, *, largest: int) -> Resource | None:
    """Return the answer whose record begins at a place, None where there is none."""
    return next((found for _, found in _answers(data[place : place + largest + _SPARE], largest)), None)


def is_single_stream(data: Buffer) -> bool:
    """Return whether all records are packed together, so that none of them can be read by itself."""
    if data[0:2] != _GZIP:
        return False
    end = _member_end(data, 0)
    piece = BoundedReader(data[0 : min(end, _SPARE)], most=1 << 62)
    try:
        next(read_records(piece, 0), None)
        return bool(piece.line(1).strip() or piece.line(1).strip() or piece.take(5).strip())
    except (EOFError, OSError, ValueError, zlib.error):
        return False


def _answers(record: bytes, largest: int) -> Iterator[tuple[str, Resource]]:
    try:
        for fields, content in read_records(BoundedReader(record, most=largest + _SPARE), largest + LONGEST_HEAD):
            address = web_address(fields.get("warc-target-uri", "").strip("<>"))
            if fields.get("warc-type", "") == "response" and address and content is not None:
                found = parse_response(content, largest)
                if found is not None:
                    yield address, found
            return
    except SizeLimitExceeded:
        return


def _pieces(data: Buffer) -> Iterator[tuple[int, int]]:
    """Yield where each record begins and ends."""
    place = 0
    while place < len(data):
        end = _member_end(data, place) if data[place : place + 2] == _GZIP else _record_end(data, place)
        yield place, end
        place = end


def _member_end(data: Buffer, place: int) -> int:
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    at = place
    while not unpacker.eof:
        piece = data[at : at + CHUNK_SIZE]
        if not piece:
            raise EOFError("it ends in the middle of a record")
        at += len(piece)
        while piece:
            unpacker.decompress(piece, CHUNK_SIZE)
            piece = b"" if unpacker.eof else unpacker.unconsumed_tail
    return at - len(unpacker.unused_data)


def _record_end(data: Buffer, place: int) -> int:
    head = data[place : place + LONGEST_HEAD]
    source = BoundedReader(head, most=len(head) + 1)
    length = _length(source)
    end = place + source.read + length
    if end > len(data):
        raise EOFError("it ends in the middle of a record")
    while data[end : end + 1] in (b"\r", b"\n"):
        end += 1
    return end


def _length(source: BoundedReader) -> int:
    for line in iter(lambda: source.line(LONGEST_HEAD), b""):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            found = int(value)
            while source.line(LONGEST_HEAD).strip():
                pass
            return found
        if not line.strip():
            break
    raise ValueError("a record does not say how long it is")
