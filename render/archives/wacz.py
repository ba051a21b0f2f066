"""WACZ (1.1.1, 2021): WARC archives in a ZIP file, with lists of their pages beside them."""

from __future__ import annotations

import re

from ...files.bounded_reader import read_zip
from .resource import Responses
from .warc import read_warc

#: How the archives in it are called.
INSIDE = (".warc", ".warc.gz")
#: What stands first in such a file, whichever program wrote it; other ZIP files begin with other names.
_FIRST = re.compile(
    rb"PK\x03\x04.{26}(?:archive/|indexes/|pages/|logs/|datapackage|fuzzy\.json|webarchive\.yaml)", re.DOTALL
)


def is_wacz(head: bytes) -> bool:
    """Return whether bytes begin like such a file."""
    return _FIRST.match(head) is not None


def read_wacz(data: bytes, *, most: int, largest: int) -> Responses:
    """Yield the answers of all archives in a file, one archive after the other.

    Parameters
    ----------
    data : bytes
    most : int
        Bytes that may come out of the file, and again of the archives in it, all in all.
    largest : int
        Bodies of more bytes are left out.

    Raises
    ------
    TooMuch
        When more comes out of it.
    ValueError, EOFError, OSError
        When it is damaged, or there is no archive in it; other damage is one of
        :data:`~blocksight.files.bounded_reader.DAMAGED_ZIP`.
    """
    found = [member for name, member in read_zip(data, most=most).items() if name.lower().endswith(INSIDE)]
    if not found:
        raise ValueError("there is no WARC in it")
    left = most
    for member in found:
        read = 0
        for key, answer in read_warc(member, most=left, largest=largest):
            read += len(answer.body)
            yield key, answer
        left -= read
