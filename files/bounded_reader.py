"""Decompression with a size limit: output is counted while it is produced, so that a bomb is refused early."""

from __future__ import annotations

import gzip
import io
import math
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Bytes that are read, and decompressed, at once.
CHUNK_SIZE = 1 << 16
#: Exceptions that Python's module raises for a damaged or forged ZIP file.
DAMAGED_ZIP = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, RuntimeError, ValueError, KeyError)

_ENCRYPTED = 0x1
GZIP_MAGIC = b"\x1f\x8b"
#: The header that NumPy writes before an array of numbers (format 1.0).
_NPY = b"\x93NUMPY\x01\x00"
_NPY_HEADER = re.compile(
    rb"\{'descr': '([<|][a-z]\d{1,2})', 'fortran_order': (False|True), 'shape': \(((?:\d{1,12},? ?){0,4})\), \} *\n?\Z"
)


class SizeLimitExceeded(ValueError):
    """Decompressed data is larger than the limit, which the message names."""

    def __init__(self, max_bytes: int) -> None:
        super().__init__(f"it unpacks to more than {max_bytes / 1e6:.0f} MB")


def read_zip(data: bytes, *, max_bytes: int) -> dict[str, bytes]:
    """Return the members of a ZIP file by name; raise SizeLimitExceeded, or another error of :data:`DAMAGED_ZIP`.

    Encrypted members, methods other than DEFLATE, and equal names are refused.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        if sum(member.file_size for member in members) > max_bytes:
            raise SizeLimitExceeded(max_bytes)
        if len({member.filename for member in members}) < len(members):
            raise ValueError("a member is there twice")
        return {member.filename: _read_member(archive, member) for member in members}


def _read_member(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    if member.flag_bits & _ENCRYPTED:
        raise ValueError(f"{member.filename} is encrypted")
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{member.filename} is packed in an unknown way")
    # In one call, zipfile decompresses everything, whatever size is declared.
    with archive.open(member) as packed:
        content = b"".join(iter(lambda: packed.read(CHUNK_SIZE), b""))
    if len(content) != member.file_size:
        raise ValueError(f"{member.filename} is cut off")
    return content


def read_npy(data: bytes) -> NDArray[Any]:
    """Return the array in the bytes of an ``.npy`` file of numbers; raise ValueError if its header does not fit."""
    length = int.from_bytes(data[8:10], "little")
    header = _NPY_HEADER.match(data[10 : 10 + length])
    if not data.startswith(_NPY) or header is None:
        raise ValueError("it is no array of numbers")
    shape = tuple(int(number) for number in header[3].replace(b",", b" ").split())
    dtype = np.dtype(header[1].decode())
    values = data[10 + length :]
    if dtype.kind not in "biuf" or dtype.itemsize * math.prod(shape) != len(values):
        raise ValueError("its size does not match its header")
    return np.frombuffer(values, dtype=dtype).reshape(shape, order="F" if header[2] == b"True" else "C").copy()


def inflate(data: bytes, *, window: int, max_bytes: int) -> bytes:
    """Decompress zlib, gzip (several members) or raw DEFLATE data (``window`` as in :func:`zlib.decompressobj`).

    Of damaged data, the output before the damage is returned; :class:`zlib.error` is raised if there is none, and
    :class:`SizeLimitExceeded` for more than ``max_bytes``.
    """
    output = bytearray()
    try:
        for chunk in _inflate_chunks(data, window):
            output += chunk
            if len(output) > max_bytes:
                raise SizeLimitExceeded(max_bytes)
    except zlib.error:
        if not output:
            raise
    return bytes(output)


def _inflate_chunks(data: bytes, window: int) -> Iterator[bytes]:
    decompressor = zlib.decompressobj(window)
    for start in range(0, len(data), CHUNK_SIZE):
        rest = data[start : start + CHUNK_SIZE]
        while rest:
            if decompressor.eof:
                decompressor = zlib.decompressobj(window)
            yield decompressor.decompress(rest, CHUNK_SIZE)
            rest = decompressor.unused_data if decompressor.eof else decompressor.unconsumed_tail


def gunzip(data: bytes, *, max_bytes: int) -> bytes:
    """Decompress gzip data completely; raise SizeLimitExceeded, or EOFError, OSError or zlib.error if it is damaged."""
    if not data.startswith(GZIP_MAGIC):
        raise gzip.BadGzipFile("it is not packed by gzip")
    return BoundedReader(data, max_bytes=max_bytes).read(max_bytes + 1)


class BoundedReader:
    """A reader of lines and bytes of data that may be gzipped; raises SizeLimitExceeded beyond ``max_bytes``."""

    def __init__(self, data: bytes, *, max_bytes: int) -> None:
        plain = io.BytesIO(data)
        self._file: io.BufferedIOBase = gzip.GzipFile(fileobj=plain) if data.startswith(GZIP_MAGIC) else plain
        self._max_bytes = max_bytes
        self.bytes_read = 0

    def readline(self, size: int) -> bytes:
        """Return the next line with its end, at most ``size`` bytes of it; b"" at the end of the file."""
        return self._count(self._file.readline(size))

    def read(self, size: int) -> bytes:
        """Return the next ``size`` bytes, fewer at the end of the file."""
        output = bytearray()
        while size > len(output) and (chunk := self._count(self._file.read(min(size - len(output), CHUNK_SIZE)))):
            output += chunk
        return bytes(output)

    def skip(self, size: int) -> bool:
        """Skip ``size`` bytes; return False if the file ends before."""
        while size and (chunk := self._count(self._file.read(min(size, CHUNK_SIZE)))):
            size -= len(chunk)
        return not size

    def _count(self, chunk: bytes) -> bytes:
        self.bytes_read += len(chunk)
        if self.bytes_read > self._max_bytes:
            raise SizeLimitExceeded(self._max_bytes)
        return chunk
