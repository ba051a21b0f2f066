"""Pages of web archives (WARC, WACZ, HAR), each with the other resources of its archive."""

from __future__ import annotations

import gzip
import mmap
import os
import threading
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import IO

from ...errors import PageFailed, Refused
from ...files.bounded_reader import CHUNK_SIZE, DAMAGED_ZIP
from ...files.buckets import Copies, is_bucket, open_local
from ...page.parse import decode
from ...render.archives.archives import PARTS_PER_PAGE, Archive, archive_kind, read_archive
from ...render.archives.resource import Key, Resource
from ...render.archives.warc import WARC_SUFFIXES, Buffer, indexed_responses, is_single_stream, response_at
from ...render.render_options import RenderOptions
from ...render.sources.raw import RawPage
from ...render.sources.sources import PageSource, check_not_empty, checked_address, read_descriptor, read_file

#: Suffixes of archives that may hold many pages.
PACKED = (".warc", ".warc.gz", ".wacz", ".har")
#: Archives whose indexes are cached.
_CACHED = 4
_LOCK = threading.Lock()
#: Archives that are one gzip stream, unpacked, as their records have no places of their own.
_UNPACKED = Copies()
#: Largest of them, in multiples of their packed size and of the size of a page.
_MAX_RATIO, _MIN_PARTS = 20, 3


def is_packed(path: str) -> bool:
    """Return whether a file is an archive that may hold many pages."""
    return path.lower().endswith(PACKED) and (is_bucket(path) or os.path.isfile(path))


def pages_in(path: str, *, largest: int = RenderOptions().max_bytes) -> Iterator[tuple[str, int]]:
    """Yield address and offset of every page record of an archive; the offset is -1 in formats that have none.

    PageFailed if it is damaged, after the pages before the damage.
    """
    with _damage_errors(path), _opened(path, largest) as file:
        if file.data is None:
            yield from ((page, -1) for page in _read(path, largest).pages)
            return
        for start, part in file.parts:
            for offset, address, response in indexed_responses(part, max_body=largest):
                if response.is_page:
                    yield address, start + offset


@contextmanager
def _damage_errors(path: str) -> Iterator[None]:
    try:
        yield
    except DAMAGED_ZIP as error:
        raise PageFailed(path, f"the archive is damaged ({error})") from error


def page_at(path: str, url: str, offset: int, *, largest: int) -> PageSource:
    """Return a page of an archive, to be replayed from it; PageFailed if it is missing or damaged."""
    with _LOCK, _damage_errors(path):
        with open_local(path) as file:
            modified = os.fstat(file.fileno()).st_mtime_ns
        archive = _archive(path, largest, modified)
    response = archive.page(url)[1] if offset < 0 else _response_at(path, offset, largest)
    html = decode(check_not_empty(response.body, name=url), response.encoding)
    return PageSource(name=url, address=checked_address(url), html=html, archive=archive)


def raw_at(path: str, url: str, offset: int, *, largest: int) -> RawPage:
    """Return the HTML of a page of an archive, to be parsed without a browser."""
    response = _read(path, largest).page(url)[1] if offset < 0 else _response_at(path, offset, largest)
    return RawPage(data=response.body, name=url, url=url, encoding=response.encoding, limit=largest)


def _response_at(path: str, offset: int, largest: int) -> Resource:
    with _damage_errors(path), _opened(path, largest) as file:
        response = response_at(file.at(offset), 0, max_body=largest)
    if response is None:
        raise PageFailed(path, f"there is no page at offset {offset}; was the archive overwritten?")
    return response


@lru_cache(_CACHED)
def _archive(path: str, largest: int, modified: int) -> Archive:
    """Return an archive with an index of its responses, up to any damage; ``modified`` makes the cache key change."""
    del modified
    offsets: dict[Key, int] = {}
    pages: dict[str, None] = {}
    with _opened(path, largest) as file:
        if file.data is None:
            return _read(path, largest)
        with suppress(*DAMAGED_ZIP):  # interrupted crawls end in a damaged record; `pages_in` reports it
            for start, part in file.parts:
                for offset, address, response in indexed_responses(part, max_body=largest):
                    offsets.setdefault(("GET", address), start + offset)
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
        offset = self._offsets[key]
        with _opened(self._path, self._largest) as file:
            response = response_at(file.at(offset), 0, max_body=self._largest)
        if response is None:
            raise KeyError(key)
        return response

    def __iter__(self) -> Iterator[Key]:
        return iter(self._offsets)

    def __len__(self) -> int:
        return len(self._offsets)


@dataclass(slots=True)
class _MappedArchive:
    """A memory-mapped archive; ``data`` is None for a format without offsets."""

    data: mmap.mmap | None
    parts: tuple[tuple[int, Buffer], ...] = ()

    def at(self, offset: int) -> Buffer:
        if self.data is None:
            raise PageFailed("archive", "this format has no offsets")
        return _MappedRange(self.data, offset, len(self.data))

    def __enter__(self) -> _MappedArchive:
        return self

    def __exit__(self, *_: object) -> None:
        if self.data is not None:
            self.data.close()


class _MappedRange:
    """A range of a mapped file; only slices are copied."""

    def __init__(self, data: mmap.mmap, first: int, last: int) -> None:
        self._data, self._first, self._last = data, first, last

    def __len__(self) -> int:
        return self._last - self._first

    def __getitem__(self, index: slice, /) -> bytes:
        first, last, _ = index.indices(len(self))
        return self._data[self._first + first : self._first + last]


def _opened(path: str, largest: int) -> _MappedArchive:
    with open_local(path) as file:
        head = file.read(4096)
        if head.startswith(b"PK\x03\x04"):
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return _MappedArchive(data, _inside(file, data))
        if archive_kind(head) != "warc":
            return _MappedArchive(None)
        data, modified = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), os.fstat(file.fileno()).st_mtime_ns
    if is_single_stream(_MappedRange(data, 0, len(data))):
        packed, data = data, _unpacked(path, data, largest, modified)
        packed.close()
    return _MappedArchive(data, ((0, _MappedRange(data, 0, len(data))),))


def _unpacked(path: str, data: mmap.mmap, largest: int, modified: int) -> mmap.mmap:
    """Return an archive that is one gzip stream, unpacked up to any damage; Refused if it is too large."""
    most = min(PARTS_PER_PAGE * largest, max(_MAX_RATIO * len(data), _MIN_PARTS * largest))

    def unpack(copy: Path) -> None:
        stream = gzip.GzipFile(fileobj=data)
        # After damage, the last record lacks its end, which is reported.
        with copy.open("wb") as file, suppress(EOFError, zlib.error):
            while chunk := stream.read(CHUNK_SIZE):
                file.write(chunk)
                if file.tell() > most:
                    why = f"more than {most / 1e6:,.0f} MB when unpacked (--max-bytes raises the limit)"
                    raise Refused(path, f"the WARC archive is too large: {why}")

    with _UNPACKED.opened(f"{path} {modified} {largest}", unpack) as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _inside(file: IO[bytes], data: mmap.mmap) -> tuple[tuple[int, Buffer], ...]:
    """Return offset and bytes of the WARC files in a WACZ file, which stores them without compression."""
    parts = []
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            if not member.filename.lower().endswith(WARC_SUFFIXES):
                continue
            if member.compress_type != zipfile.ZIP_STORED:
                raise ValueError(f"{member.filename} is compressed; WACZ requires it stored")
            header = data[member.header_offset : member.header_offset + 30]
            start = member.header_offset + 30 + int.from_bytes(header[26:28], "little")
            start += int.from_bytes(header[28:30], "little")
            parts.append((start, _MappedRange(data, start, start + member.file_size)))
    if not parts:
        raise ValueError("there is no WARC in it")
    return tuple(parts)
