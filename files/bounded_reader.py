"""What is packed comes out piece by piece and is counted: what would be too much is refused on the way, not after."""

from __future__ import annotations

import gzip
import io
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Bytes that are read, and come out, at once.
CHUNK_SIZE = 1 << 16
#: What damage to a ZIP file, or one that was forged, makes Python's module raise.
DAMAGED_ZIP = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, KeyError)

_ENCRYPTED = 0x1
_GZIP = b"\x1f\x8b"
#: The head that NumPy writes before an array of plain numbers (format 1.0).
_NPY = b"\x93NUMPY\x01\x00"
_NPY_HEAD = re.compile(
    rb"\{'descr': '([<|][a-z]\d{1,2})', 'fortran_order': (False|True), 'shape': \(((?:\d{1,12},? ?){0,4})\), \} *\n?\Z"
)


class SizeLimitExceeded(ValueError):
    """More comes out of packed bytes than may; the message says from how much on."""

    def __init__(self, most: int) -> None:
        super().__init__(f"it unpacks to more than {most / 1e6:.0f} MB")
        self.most = most


def read_zip(data: bytes, *, most: int) -> dict[str, bytes]:
    """Read all members of a ZIP file.

    Parameters
    ----------
    data : bytes
    most : int
        Bytes that may come out, all in all.

    Raises
    ------
    SizeLimitExceeded
        When more would come out.
    ValueError
        When a member is encrypted, packed by anything but DEFLATE, or there twice.
    zipfile.BadZipFile
        When it is none, or damaged; so are :data:`DAMAGED_ZIP`.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        listed = archive.infolist()
        if sum(member.file_size for member in listed) > most:
            raise SizeLimitExceeded(most)
        names = [member.filename for member in listed]
        if len(set(names)) < len(names):
            raise ValueError("a member is there twice")
        return {member.filename: _member(archive, member) for member in listed}


def _member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.flag_bits & _ENCRYPTED:
        raise ValueError(f"{member.filename} is encrypted")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{member.filename} is packed in an unknown way")
    # All at once, zipfile unpacks as much as there is, whatever size is declared.
    with archive.open(member) as packed:
        found = b"".join(iter(lambda: packed.read(CHUNK_SIZE), b""))
    if len(found) != member.file_size:
        raise ValueError(f"{member.filename} is cut off")
    return found


def read_npy(data: bytes) -> NDArray[Any]:
    """Return the array in the bytes of an ``.npy`` file of plain numbers; its shape is held against the bytes first.

    Raises
    ------
    ValueError
        When it is none.
    """
    length = int.from_bytes(data[8:10], "little")
    head = _NPY_HEAD.match(data[10 : 10 + length])
    if not data.startswith(_NPY) or head is None:
        raise ValueError("it is no array of plain numbers")
    shape = tuple(int(number) for number in head[3].replace(b",", b" ").split())
    dtype = np.dtype(head[1].decode())
    size = dtype.itemsize
    for number in shape:
        size *= number
    numbers = data[10 + length :]
    if dtype.kind not in "biuf" or size != len(numbers):
        raise ValueError("its numbers are not as many as it says")
    return np.frombuffer(numbers, dtype=dtype).reshape(shape, order="F" if head[2] == b"True" else "C").copy()


def inflate(data: bytes, *, window: int, most: int) -> bytes:
    """Unpack zlib, gzip (several in a row) or bare DEFLATE data; of damaged data, what comes out before the damage.

    Parameters
    ----------
    data : bytes
    window : int
        As for :func:`zlib.decompressobj`.
    most : int

    Raises
    ------
    SizeLimitExceeded
        When more comes out.
    zlib.error
        When nothing comes out.
    """
    found = bytearray()
    try:
        for piece in _pieces(data, window):
            found += piece
            if len(found) > most:
                raise SizeLimitExceeded(most)
    except zlib.error:
        if not found:
            raise
    return bytes(found)


def _pieces(data: bytes, window: int) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(window)
    for start in range(0, len(data), CHUNK_SIZE):
        left = data[start : start + CHUNK_SIZE]
        while left:
            if unpacker.eof:
                unpacker = zlib.decompressobj(window)
            yield unpacker.decompress(left, CHUNK_SIZE)
            left = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail


def gunzip(data: bytes, *, most: int) -> bytes:
    """Unpack gzip data; unlike :func:`inflate`, whole or not at all.

    Raises
    ------
    SizeLimitExceeded
        When more comes out than may.
    EOFError, OSError, zlib.error
        When it is damaged.
    """
    if not data.startswith(_GZIP):
        raise gzip.BadGzipFile("it is not packed by gzip")
    return BoundedReader(data, most=most).take(most + 1)


class BoundedReader:
    """Lines and bytes out of a file that may be gzipped, counted.

    Parameters
    ----------
    data : bytes
    most : int
        Bytes that may come out, all in all.
    """

    def __init__(self, data: bytes, *, most: int) -> None:
        plain = io.BytesIO(data)
        self._file: io.BufferedIOBase = gzip.GzipFile(fileobj=plain) if data.startswith(_GZIP) else plain
        self._most = self._left = most

    def line(self, longest: int) -> bytes:
        """Return the next line with its end, no more than ``longest`` bytes of it; b"" at the end of the file."""
        return self._seen(self._file.readline(longest))

    def take(self, count: int) -> bytes:
        """Return so many bytes, fewer at the end of the file."""
        found = bytearray()
        while count > len(found) and (piece := self._seen(self._file.read(min(count - len(found), CHUNK_SIZE)))):
            found += piece
        return bytes(found)

    @property
    def read(self) -> int:
        """How many bytes have come out."""
        return self._most - self._left

    def skip(self, count: int) -> bool:
        """Go on so many bytes; return whether they were there."""
        while count and (piece := self._seen(self._file.read(min(count, CHUNK_SIZE)))):
            count -= len(piece)
        return not count

    def _seen(self, piece: bytes) -> bytes:
        self._left -= len(piece)
        if self._left < 0:
            raise SizeLimitExceeded(self._most)
        return piece
