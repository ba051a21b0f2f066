"""What a batch is given, one input a page: what it is called, where it is found, and an identity that stays."""

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
#: Pages that a batch has kept; their files are called by the identity that they had.
_KEPT = re.compile(rf"(?:\A|[/\\])([0-9a-f]{{2}})[/\\](\1[0-9a-f]{{{ID_LENGTH - 2}}})\.page\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """One page to be done.

    Attributes
    ----------
    id : str
        Digest of its canonical source: the same page named again, in another list or tomorrow, is the same input.
    source : str
        An address, or the path of a file.
    url : str
        Of a page in an archive: its address there.
    place : int
        Of a page in an archive: where its record begins, -1 where there are no places.
    wrong : str
        Why there is nothing to be opened (a line of a list that cannot be read), "" otherwise.
    """

    id: str
    source: str
    url: str = ""
    place: int = -1
    wrong: str = ""

    @property
    def host(self) -> str:
        """Scheme, host and port of an address; "" for a file."""
        if not is_address(self.source):
            return ""
        try:
            return origin(self.source.strip()).lower()
        except ValueError:  # no address; opening it says so
            return ""

    def written(self) -> str:
        """Return it as one line of JSON; :func:`read_input` reads it."""
        return json.dumps([self.source, self.url, self.place, self.wrong])


def input_of(source: str | os.PathLike[str], *, url: str = "", place: int = -1, wrong: str = "") -> Input:
    """Make an input of a source.

    Parameters
    ----------
    source : str or path
        An address or a file.
    url, place, wrong
        As :class:`Input` has them.

    Examples
    --------
    >>> input_of("HTTPS://Example.org:443/a b").id == input_of("https://example.org/a%20b").id
    True
    """
    named = os.fsdecode(source)
    if kept := _KEPT.search(named):
        return Input(id=kept[2], source=named)
    parts = (canonical(named), url, str(place) if place >= 0 else "")
    digest = hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()
    return Input(id=digest[:ID_LENGTH], source=named, url=url, place=place, wrong=wrong)


def read_input(identity: str, written: str) -> Input:
    """Read what :meth:`Input.written` has written.

    Raises
    ------
    ValueError
        When it is something else: files are called by identities.
    """
    if not _IDENTITY.fullmatch(identity):
        raise ValueError(f"{identity[:50]!r} is no identity of an input")
    source, url, place, wrong = json.loads(written)
    return Input(id=identity, source=source, url=url, place=place, wrong=wrong)


def canonical(source: str) -> str:
    """Write a source in the one way in which it is always the same.

    An address: host in lower case, no default port, quoted as browsers quote it; the fragment stays, as pages of
    scripts show other things by it. A file: its whole path, links followed.
    """
    if not is_address(source):
        with suppress(ValueError):  # a name that no file can have; opening it says so
            source = os.path.realpath(source)
        return f"file:{source}"
    try:
        parts = urlsplit(safe_url_string(source.strip()))
        host = origin(source.strip()).lower()
    except ValueError:
        return source.strip()
    if not host:
        return source.strip()
    scheme, _, place = host.partition("://")
    user = f"{parts.netloc.rpartition('@')[0]}@" if "@" in parts.netloc else ""
    return urlunsplit((scheme, user + place, parts.path or "/", parts.query, parts.fragment))
