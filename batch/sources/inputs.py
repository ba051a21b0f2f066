"""Inputs of a batch, one per page, each with a stable identity.

An identity is a digest of what the input is: the canonical form of an address or of the path of a file, and the place
of a page in an archive. No part of it is read from a name, so no input can take the identity of another one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from w3lib.url import safe_url_string

from ...render.sources.sources import is_address, origin
from ..row_schema import REFUSED, SOURCE

if TYPE_CHECKING:
    from ..robots import RobotsRules

#: Characters of an identity: 128 bits, written as hexadecimal digits.
ID_LENGTH = 32
_IDENTITY = re.compile(rf"[0-9a-f]{{{ID_LENGTH}}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One page of a batch."""

    id: str  # Digest of its canonical source: the same page, named in another list or later, is the same input
    source: str  # An address, or the path of a file
    url: str = ""  # Of a page in an archive: its address there
    offset: int = -1  # Of a page in an archive: the offset of its record, -1 if the format has none
    length: int = -1  # Of a page that is read by its place in an archive: the bytes of its record
    error: str = ""  # Why it is not opened (such as an unreadable line of a list), else ""
    error_kind: str = SOURCE  # Kind of that failure
    renders: bool = False  # Whether its raw HTML was read in this run, and is not enough
    target: str = ""  # An address at another host to which it redirected in this run, opened in its place
    answer: str | None = field(default=None, compare=False)  # Digest of the raw HTML that was read in this run
    #: Its row of an earlier run, if it is carried over when nothing has changed.
    earlier: Mapping[str, Any] | None = field(default=None, compare=False)
    #: The hosts from which it was redirected in this run, with their rules.
    visited: Mapping[str, RobotsRules] = field(default_factory=dict, compare=False)

    @property
    def address(self) -> str:
        """What is opened: its source, or the address to which that redirects."""
        return self.target or self.source

    @property
    def host(self) -> str:
        """Scheme, host and port of an address that is requested; "" for a file."""
        return "" if self.error else host_of(self.address)

    def to_json(self) -> str:
        """Return it as one line of JSON, for :func:`read_input`."""
        return json.dumps([self.source, self.url, self.offset, self.error, self.error_kind, self.length])


def host_of(source: str) -> str:
    """Return scheme, host and port of an address; "" for a file."""
    if not is_address(source):
        return ""
    try:
        return origin(source.strip()).lower()
    except ValueError:  # no address; opening it reports that
        return ""


def input_of(source: str | os.PathLike[str], *, url: str = "", offset: int = -1) -> Input:
    """Return the input of an address or a file.

    >>> input_of("HTTPS://Example.org:443/a b").id == input_of("https://example.org/a%20b").id
    True
    """
    name = os.fsdecode(source)
    identity = _digest(canonical(name), url, str(offset) if offset >= 0 else "")
    return Input(id=identity, source=name, url=url, offset=offset)


def unreadable_input(name: str | os.PathLike[str], error: str, *, place: str = "", text: str = "") -> Input:
    """Return an input for a part of a source that cannot be read: a row with the reason.

    ``place`` in the source ``name`` and ``text``, what it holds there, distinguish it from others.
    """
    source = os.fsdecode(name)
    identity = _digest("error", canonical(source), place, text or error)
    return Input(id=identity, source=f"{source}:{place}" if place else source, error=error)


def refused_input(name: str, identity: str = "") -> Input:
    """Return an input for a source that is no http(s) address where only these are accepted; no file is touched."""
    reason = "this is no http or https address, and only these are accepted (addresses_only)"
    return Input(id=identity or _digest("refused", name), source=name, error=reason, error_kind=REFUSED)


def _digest(*parts: str) -> str:
    # Lines are ambiguous if a part has several; canonical sources never begin like JSON.
    text = json.dumps(parts) if any("\n" in part for part in parts) else "\n".join(parts)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:ID_LENGTH]


def part_of(entry: Input, parts: int) -> int:
    """Return the number from 1 of the part of all inputs that an input is in; the inputs of a host are in one part."""
    return zlib.crc32((entry.host or entry.id).encode("utf-8", "replace")) % parts + 1


def is_web_address(source: str) -> bool:
    """Return whether a source is an http(s) address."""
    return is_address(source.strip()) and source.strip().lower().startswith(("http://", "https://"))


def is_identity(value: object) -> bool:
    """Return whether a value can be the identity of an input."""
    return isinstance(value, str) and bool(_IDENTITY.fullmatch(value))


def read_input(identity: str, data: str) -> Input:
    """Parse the result of :meth:`Input.to_json`; ValueError for an invalid identity, as it names files."""
    if not is_identity(identity):
        raise ValueError(f"{identity[:50]!r} is not the identity of an input")
    source, url, offset, error, *more = json.loads(data)
    later = dict(zip(("error_kind", "length"), more, strict=False))  # earlier versions noted neither
    return Input(id=identity, source=source, url=url, offset=offset, error=error, **later)


def canonical(source: str) -> str:
    """Return the canonical form of a source.

    An address: host in lower case, no default port, quoted as browsers quote it; the fragment stays, as scripts use it.
    A file: its absolute path, links resolved. Anything else: as it is. Each kind has a prefix of its own.
    """
    if not is_address(source):
        with suppress(ValueError):  # an invalid file name; opening it reports that
            source = os.path.realpath(source)
        return f"file:{source}"
    try:
        parts = urlsplit(safe_url_string(source.strip()))
        host = origin(source.strip()).lower()
    except ValueError:
        host = ""
    if not host:
        return f"address:{source.strip()}"
    scheme, _, server = host.partition("://")
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return urlunsplit((scheme, user + server, parts.path or "/", parts.query, parts.fragment))
