"""Pages of web archives (WARC, WACZ), each with the other resources of its archive."""

from __future__ import annotations

import mmap
import os
import struct
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import chain
from typing import IO

from ...errors import PageFailed
from ...files.bounded_reader import DAMAGED_ZIP
from ...files.buckets import is_bucket, open_bucket_file, open_local
from ...page.parse import decode
from ...render.archives.archives import Archive, archive_kind, read_archive
from ...render.archives.resource import Key, Resource, web_address
from ...render.archives.warc import WARC_SUFFIXES, Buffer, indexed_responses, is_single_stream, response_at
from ...render.render_options import RenderOptions
from ...render.sources.sources import PageSource, RawPage, check_not_empty, checked_address, read_descriptor, read_file

#: Suffixes of archives that may hold many pages.
PACKED = (".warc", ".warc.gz", ".wacz")
#: Archives whose indexes are cached.
_CACHED = 4
_LOCK = threading.Lock()


def is_packed(path: str) -> bool:
    """Return whether a file is an archive that may hold many pages."""
    return path.lower().endswith(PACKED) and (is_bucket(path) or os.path.isfile(path))


def pages_in(path: str, *, largest: int = RenderOptions().max_bytes) -> Iterator[tuple[str, int]]:
    """Yield address and offset of every page record of an archive; the offset is -1 in formats that have none.

    PageFailed if it is damaged, after the pages before the damage.
    """
    with _damage_errors(path), _mapped(path) as (data, ranges):
        if not ranges:
            yield from ((page, -1) for page in _read(path, largest).pages)
        for offset, address, response in _responses(data, ranges, largest):
            if response.is_page:
                yield address, offset


def page_at(path: str, url: str, offset: int, length: int = -1, *, largest: int) -> PageSource:
    """Return a page of an archive, to be replayed from it; PageFailed if it is missing or damaged.

    With the length of its record, only that is read, and there is nothing else to be replayed.
    """
    response = _page_response(path, url, offset, length, largest)
    html = decode(check_not_empty(response.body, name=url), response.encoding)
    alone = Archive(name=path, pages=(url,), resources={("GET", web_address(url)): response})
    archive, usage = alone if length >= 0 else _cached_archive(path, largest), response.usage
    return PageSource(name=url, address=checked_address(url), html=html, archive=archive, usage=usage)


def raw_at(path: str, url: str, offset: int, length: int = -1, *, largest: int) -> RawPage:
    """Return the HTML of a page of an archive, to be parsed without a browser."""
    response = _page_response(path, url, offset, length, largest)
    encoding, usage = response.encoding, response.usage
    return RawPage(data=response.body, name=url, url=url, encoding=encoding, limit=largest, usage=usage)


def _cached_archive(path: str, largest: int) -> Archive:
    with _LOCK, _damage_errors(path):
        with open_local(path) as file:
            modified = os.fstat(file.fileno()).st_mtime_ns
        return _archive(path, largest, modified)


@contextmanager
def _damage_errors(path: str) -> Iterator[None]:
    try:
        yield
    except DAMAGED_ZIP as error:
        raise PageFailed(path, f"the archive is damaged ({error})") from error


def _page_response(path: str, url: str, offset: int, length: int, largest: int) -> Resource:
    if length >= 0:
        with _damage_errors(path), open_bucket_file(path) if is_bucket(path) else open(path, "rb") as file:
            file.seek(offset)
            record = response_at(file.read(min(length, 2 * largest)), 0, max_body=largest)
        if record is None or not record.is_page:
            kind = "no response that can be read" if record is None else record.kind or "of no type"
            raise PageFailed(path, f"the record is {kind}, not a web page")
        return record
    if offset < 0:
        return _cached_archive(path, largest).page(url)[1]
    with _damage_errors(path):
        response = _response_at(path, offset, largest)
    if response is None:
        raise PageFailed(path, f"there is no page at offset {offset}; was the archive overwritten?")
    return response


def _response_at(path: str, offset: int, largest: int) -> Resource | None:
    with _mapped(path) as (data, _):
        return response_at(data, offset, max_body=largest)


@lru_cache(_CACHED)
def _archive(path: str, largest: int, modified: int) -> Archive:
    """Return an archive with an index of its responses, up to any damage; ``modified`` makes the cache key change."""
    del modified
    offsets: dict[Key, int] = {}
    pages: dict[str, None] = {}
    with _mapped(path) as (data, ranges):
        if not ranges:
            return _read(path, largest)
        with suppress(*DAMAGED_ZIP):  # interrupted crawls end in a damaged record; `pages_in` reports it
            for offset, address, response in _responses(data, ranges, largest):
                offsets.setdefault(("GET", address), offset)
                if response.is_page:
                    pages[address] = None
    return Archive(name=path, pages=tuple(pages), resources=_IndexedResources(path, offsets, largest))


def _read(path: str, largest: int) -> Archive:
    if not is_bucket(path):
        return read_archive(read_file(path, max_bytes=largest), name=path, max_bytes=largest)
    with open_local(path) as file:
        data = read_descriptor(file.fileno(), name=path, max_bytes=largest, timeout=None)
    return read_archive(data, name=path, max_bytes=largest)


class _IndexedResources(Mapping[Key, Resource]):
    """The responses of an archive, each read on access."""

    def __init__(self, path: str, offsets: dict[Key, int], largest: int) -> None:
        self._path, self._offsets, self._largest = path, offsets, largest

    def __getitem__(self, key: Key) -> Resource:
        response = _response_at(self._path, self._offsets[key], self._largest)
        if response is None:
            raise KeyError(key)
        return response

    def __iter__(self) -> Iterator[Key]:
        return iter(self._offsets)

    def __len__(self) -> int:
        return len(self._offsets)


#: The places of the WARC files in a mapped archive; none for a format without offsets.
_Ranges = tuple[tuple[int, int], ...]


def _responses(data: Buffer, ranges: _Ranges, largest: int) -> Iterator[tuple[int, str, Resource]]:
    """Return the offset, address and response of each record whose body has at most ``largest`` bytes."""
    return chain.from_iterable(indexed_responses(data, first, last, max_body=largest) for first, last in ranges)


@contextmanager
def _mapped(path: str) -> Iterator[tuple[Buffer, _Ranges]]:
    """Map an archive into memory; a WARC that is a single gzip stream has no offsets."""
    with open_local(path) as file:
        head = file.read(4096)
        is_zip = head.startswith(b"PK\x03\x04")
        if not is_zip and archive_kind(head) != "warc":
            yield b"", ()
            return
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data, _warc_ranges(file, data) if is_zip else () if is_single_stream(data) else ((0, len(data)),)


def _warc_ranges(file: IO[bytes], data: mmap.mmap) -> _Ranges:
    """Return the ranges of the WARC files in a WACZ file, which stores them without compression."""
    ranges = []
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            if not member.filename.lower().endswith(WARC_SUFFIXES):
                continue
            if member.compress_type != zipfile.ZIP_STORED:
                raise ValueError(f"{member.filename} is compressed; WACZ requires it stored")
            # The local header ends with the name and the extra field, whose lengths are at 26 and 28.
            lengths = data[member.header_offset + 26 : member.header_offset + 30]
            start = member.header_offset + 30 + sum(struct.unpack("<2H", lengths))
            ranges.append((start, start + member.file_size))
    if not ranges:
        raise ValueError("there is no WARC in it")
    return tuple(ranges)
