"""Archives of many pages: which pages there are, and each of them with all that was archived beside it."""

from __future__ import annotations

import mmap
import os
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache

from ...errors import PageFailed
from ...files.bounded_reader import DAMAGED_ZIP
from ...page.parse import decode
from ...render.archives.archives import Archive, archive_kind, read_archive
from ...render.archives.resource import Key, Resource
from ...render.archives.wacz import INSIDE
from ...render.archives.warc_index import Bytes, answer_at, is_one_stream, placed_answers
from ...render.render_options import RenderOptions
from ...render.sources.raw import Raw
from ...render.sources.sources import PageSource, checked_address, filled, read_file

#: Archives that may hold many pages, by the endings of their files.
PACKED = (".warc", ".warc.gz", ".wacz", ".har")
#: Archives whose tables of contents are kept.
_OPEN = 4
_LOCK = threading.Lock()


def is_packed(path: str) -> bool:
    """Return whether a file is an archive that may hold many pages."""
    return path.lower().endswith(PACKED) and os.path.isfile(path)


def pages_in(path: str, *, largest: int = RenderOptions().max_bytes) -> Iterator[tuple[str, int]]:
    """Yield address and place of every page record of an archive; the place is -1 where there are none.

    Raises
    ------
    PageFailed
        When it is damaged; what was before the damage has come.
    """
    with _damage_named(path), _whole_or_mapped(path) as file:
        if file.data is None:
            yield from ((page, -1) for page in _read(path, largest).pages)
            return
        for start, part in file.parts:
            for place, address, found in placed_answers(part, largest=largest):
                if found.is_page:
                    yield address, start + place


@contextmanager
def _damage_named(path: str) -> Iterator[None]:
    try:
        yield
    except DAMAGED_ZIP as error:
        raise PageFailed(path, f"the archive is damaged ({error})") from error


def page_at(path: str, url: str, place: int, *, largest: int) -> PageSource:
    """Return a page of an archive, to be played back from it.

    Raises
    ------
    PageFailed
        When it is not there, or the archive is damaged.
    """
    with _LOCK, _damage_named(path):
        archive = _archive(path, largest, os.stat(path).st_mtime_ns)
    answer = archive.page(url)[1] if place < 0 else _answer_at(path, place, largest)
    html = decode(filled(answer.body, name=url), answer.encoding)
    return PageSource(name=url, address=checked_address(url), html=html, archive=archive)


def raw_at(path: str, url: str, place: int, *, largest: int) -> Raw:
    """Return the HTML of a page of an archive, to be read without a browser."""
    answer = _read(path, largest).page(url)[1] if place < 0 else _answer_at(path, place, largest)
    return Raw(data=answer.body, name=url, url=url, encoding=answer.encoding, limit=largest)


def _answer_at(path: str, place: int, largest: int) -> Resource:
    with _damage_named(path), _whole_or_mapped(path) as file:
        found = answer_at(file.at(place), 0, largest=largest)
    if found is None:
        raise PageFailed(path, f"there is no page at {place}; was the archive written anew?")
    return found


@lru_cache(_OPEN)
def _archive(path: str, largest: int, changed: int) -> Archive:
    """Read the table of contents of an archive, as far as it is sound.

    ``changed`` has one that was written anew read again.
    """
    del changed
    places: dict[Key, int] = {}
    pages: dict[str, None] = {}
    with _whole_or_mapped(path) as file:
        if file.data is None:
            return _read(path, largest)
        with suppress(*DAMAGED_ZIP):  # crawls that were ended break off; `pages_in` says so
            for start, part in file.parts:
                for place, address, found in placed_answers(part, largest=largest):
                    places.setdefault(("GET", address), start + place)
                    if found.is_page:
                        pages[address] = None
    return Archive(name=path, pages=tuple(pages), resources=_Placed(path, places, largest))


def _read(path: str, largest: int) -> Archive:
    return read_archive(read_file(path, max_bytes=largest), name=path, max_bytes=largest)


class _Placed(Mapping[Key, Resource]):
    """The answers of an archive, each read when it is asked for."""

    def __init__(self, path: str, places: dict[Key, int], largest: int) -> None:
        self._path, self._places, self._largest = path, places, largest

    def __getitem__(self, key: Key) -> Resource:
        place = self._places[key]
        with _whole_or_mapped(self._path) as file:
            found = answer_at(file.at(place), 0, largest=self._largest)
        if found is None:
            raise KeyError(key)
        return found

    def __iter__(self) -> Iterator[Key]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@dataclass(slots=True)
class _Mapped:
    """A file that lies in memory as far as it is looked at; ``data`` is None for one without places."""

    data: mmap.mmap | None
    parts: tuple[tuple[int, Bytes], ...] = ()

    def at(self, place: int) -> Bytes:
        """Return the bytes from a place on."""
        if self.data is None:
            raise PageFailed("archive", "there are no places in it")
        return _MappedRange(self.data, place, len(self.data))

    def __enter__(self) -> _Mapped:
        return self

    def __exit__(self, *_: object) -> None:
        if self.data is not None:
            self.data.close()


class _MappedRange:
    """A stretch of a mapped file; nothing is copied but what is asked for."""

    def __init__(self, data: mmap.mmap, first: int, last: int) -> None:
        self._data, self._first, self._last = data, first, last

    def __len__(self) -> int:
        return self._last - self._first

    def __getitem__(self, place: slice, /) -> bytes:
        first, last, _ = place.indices(len(self))
        return self._data[self._first + first : self._first + last]


def _whole_or_mapped(path: str) -> _Mapped:
    with open(path, "rb") as file:
        head = file.read(4096)
        if head.startswith(b"PK\x03\x04"):
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return _Mapped(data, _inside(path, data))
        if archive_kind(head) != "warc":
            return _Mapped(None)
        data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    whole: Bytes = _MappedRange(data, 0, len(data))
    if is_one_stream(whole):
        data.close()
        return _Mapped(None)
    return _Mapped(data, ((0, whole),))


def _inside(path: str, data: mmap.mmap) -> tuple[tuple[int, Bytes], ...]:
    """Find the archives in a WACZ file; its format has them stored, not packed once more."""
    found = []
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if not member.filename.lower().endswith(INSIDE):
                continue
            if member.compress_type != zipfile.ZIP_STORED:
                raise ValueError(f"{member.filename} is packed; WACZ has it stored")
            head = data[member.header_offset : member.header_offset + 30]
            start = member.header_offset + 30 + int.from_bytes(head[26:28], "little")
            start += int.from_bytes(head[28:30], "little")
            found.append((start, _MappedRange(data, start, start + member.file_size)))
    if not found:
        raise ValueError("there is no WARC in it")
    return tuple(found)
