"""Inputs of a batch, one per page, each with a stable identity."""

from __future__ import annotations

import hashlib
import json
import os
import re
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

from w3lib.url import safe_url_string

from ...render.sources.sources import is_address, origin

#: Characters of an identity: 128 bits, written as hexadecimal digits.
ID_LENGTH = 32
_IDENTITY = re.compile(rf"[0-9a-f]{{{ID_LENGTH}}}")
#: Pages that a batch has kept; the identity is their file name.
_KEPT = re.compile(rf"(?:\A|[/\\])([0-9a-f]{{2}})[/\\](\1[0-9a-f]{{{ID_LENGTH - 2}}})\.page\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One page of a batch."""

    id: str  # Digest of its canonical source: the same page, named in another list or later, is the same input
    source: str  # An address, or the path of a file
    url: str = ""  # Of a page in an archive: its address there
    offset: int = -1  # Of a page in an archive: the offset of its record, -1 if the format has none
    error: str = ""  # Why it cannot be opened (an unreadable line of a list), else ""

    @property
    def host(self) -> str:
        """Scheme, host and port of an address; "" for a file."""
        if not is_address(self.source):
            return ""
        try:
            return origin(self.source.strip()).lower()
        except ValueError:  # no address; opening it reports that
            return ""

    def to_json(self) -> str:
        """Return it as one line of JSON, for :func:`read_input`."""
        return json.dumps([self.source, self.url, self.offset, self.error])


def input_of(source: str | os.PathLike[str], *, url: str = "", offset: int = -1, error: str = "") -> Input:
    """Return the input of an address or a file.

    >>> input_of("HTTPS://Example.org:443/a b").id == input_of("https://example.org/a%20b").id
    True
    """
    name = os.fsdecode(source)
    if match := _KEPT.search(name):
        return Input(id=match[2], source=name)
    parts = (canonical(name), url, str(offset) if offset >= 0 else "")
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return Input(id=digest[:ID_LENGTH], source=name, url=url, offset=offset, error=error)


def read_input(identity: str, data: str) -> Input:
    """Parse the result of :meth:`Input.to_json`; ValueError for an invalid identity, as it names files."""
    if not _IDENTITY.fullmatch(identity):
        raise ValueError(f"{identity[:50]!r} is not the identity of an input")
    source, url, offset, error = json.loads(data)
    return Input(id=identity, source=source, url=url, offset=offset, error=error)


def canonical(source: str) -> str:
    """Return the canonical form of a source.

    An address: host in lower case, no default port, quoted as browsers quote it; the fragment stays, as scripts use it.
    A file: its absolute path, links resolved.
    """
    if not is_address(source):
        with suppress(ValueError):  # an invalid file name; opening it reports that
            source = os.path.realpath(source)
        return f"file:{source}"
    try:
        parts = urlsplit(safe_url_string(source.strip()))
        host = origin(source.strip()).lower()
    except ValueError:
        return source.strip()
    if not host:
        return source.strip()
    scheme, _, server = host.partition("://")
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return urlunsplit((scheme, user + server, parts.path or "/", parts.query, parts.fragment))
