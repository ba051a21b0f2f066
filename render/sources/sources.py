"""What can be opened: an address, a file, bytes."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from w3lib.url import safe_url_string

from ...errors import PageFailed, Refused, TooLarge
from ...page.parse import decode
from ...page.store import is_saved
from ..archives.archives import PARTS_PER_PAGE, Archive, archive_kind, read_archive
from ..render_options import RenderOptions
from .streams import open_stream, read_stream

#: Documents given as bytes are served under this host, which no name server knows (RFC 6761).
LOCAL_ORIGIN = "http://blocksight.invalid"

#: First bytes of files that are often taken for web pages and are none.
_OTHER_FILES = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a ZIP archive (or an office document)",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\x1f\x8b": "gzip data",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"\x7fELF": "a program",
    b"MZ": "a program",
}
_LOOK_BYTES = 4096
#: Bytes that no document has, whatever a server says.
_ABSURD = 10**15
#: Control characters but tab, line feed, form feed, carriage return, and escape (ISO-2022-JP has it).
_CONTROL = bytes(set(range(32)) - {9, 10, 12, 13, 27})


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSource:
    """HTML at hand.

    Attributes
    ----------
    name : str
        How the user calls it: its address or path.
    address : str
        The address under which the browser is to see it.
    html : str
    folder : Path or None
        Where the files that it refers to may lie.
    archive : Archive or None
        What it is to be played back from; then nothing else can be reached.
    """

    name: str
    address: str
    html: str
    folder: Path | None = None
    archive: Archive | None = None


def is_address(source: str) -> bool:
    """Return whether a source is meant as a URL (it has a scheme) rather than as a path."""
    head, separator, _ = source.partition("://")
    return bool(separator) and head.isalnum() and len(head) > 1


def checked_address(source: str) -> str:
    """Return an address that may be opened.

    Raises
    ------
    Refused
        For every scheme but http and https.
    PageFailed
        When it is no address at all.
    """
    try:
        parts = urlsplit(source.strip())
        host, _ = parts.hostname, parts.port
        safe: str = safe_url_string(source.strip())
    except ValueError as error:
        raise PageFailed(source, f"this is no address: {error}") from error
    if parts.scheme.lower() not in {"http", "https"}:
        raise Refused(source, f"only http and https are opened, not {parts.scheme}: (give a file by its path)")
    if not host or any(character.isspace() for character in host):
        raise PageFailed(source, "this is no address: it should look like https://example.org/page")
    return safe


def origin(address: str) -> str:
    """Return scheme, host and port of an http(s) address as browsers write them; "" for any other.

    Examples
    --------
    >>> origin("HTTPS://Example.org:443/a?b")
    'https://example.org'
    """
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    port = f":{parts.port}" if parts.port not in (None, {"http": 80, "https": 443}[parts.scheme]) else ""
    return f"{parts.scheme}://{host}{port}"


def is_network_blocked(document: PageSource | None, options: RenderOptions) -> bool:
    """Return whether a page may not use the network (beyond its own origin, for one that has an address).

    A file's page has the files beside it: with the network as well it could send them out.
    """
    beside = document is not None and document.folder is not None and not options.trust_file
    return options.offline or beside or (document is not None and document.archive is not None)


def read_file(path: str | os.PathLike[str], *, max_bytes: int, timeout: float | None = None) -> bytes:
    """Read a file, a pipe or a device that should hold a page.

    Parameters
    ----------
    path : path
    max_bytes : int
    timeout : float, optional
        Seconds after which a pipe or a device is given up; by default it is waited for.

    Raises
    ------
    PageFailed
        When it is missing, a directory, not readable or not over in time.
    Refused
        When it has more than ``max_bytes`` bytes (an archive or a saved page:
        :data:`~blocksight.render.archives.archives.PARTS_PER_PAGE` times as many).
    """
    name = os.fsdecode(path)
    if not name:
        raise PageFailed("(nothing)", "an empty name is neither an address nor a file")
    try:
        descriptor = open_stream(path)
        try:
            return read_descriptor(descriptor, name=name, max_bytes=max_bytes, timeout=timeout)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise PageFailed(name, _missing(name)) from error
    except OSError as error:
        raise PageFailed(name, f"cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # a null character
        raise PageFailed(name.replace("\0", "\ufffd"), "this is no name of a file") from error


def read_descriptor(descriptor: int, *, name: str, max_bytes: int, timeout: float | None) -> bytes:
    """Read what is open already; see :func:`read_file`."""

    def limit(head: bytes) -> int:
        return max_bytes * PARTS_PER_PAGE if archive_kind(head) or is_saved(head) else max_bytes

    data = read_stream(descriptor, name=name, limit=limit, seconds=timeout)
    if len(data) > limit(data[:_LOOK_BYTES]):
        raise too_large_error(name, max(len(data), os.fstat(descriptor).st_size), limit(data[:_LOOK_BYTES]))
    return data


def _missing(path: str) -> str:
    if "/" not in path and "." in path and not path.endswith((".html", ".htm", ".page")):
        return f"no such file (if an address is meant: https://{path})"
    return "no such file"


def too_large_error(name: str, size: int, max_bytes: int) -> TooLarge:
    """Make the error for a document beyond the limit."""
    more = "more" if size >= _ABSURD else f"{size / 1e6:,.1f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"
    return TooLarge(name, f"{more}, above the limit of {max_bytes / 1e6:g} MB (--max-bytes raises it)")


def html_source(
    data: bytes,
    *,
    name: str,
    url: str | None = None,
    encoding: str | None = None,
    folder: Path | None = None,
    max_bytes: int,
) -> PageSource:
    """Take bytes for an HTML document, after a look whether they can be one.

    Raises
    ------
    PageFailed
        When they are empty or plainly something else.
    Refused
        When there are more than ``max_bytes``.
    """
    if len(data) > max_bytes:
        raise too_large_error(name, len(data), max_bytes)
    check_not_empty(data, name=name)
    for magic, what in _OTHER_FILES.items():
        if data.startswith(magic):
            raise PageFailed(name, f"this is {what}, not a web page")
    if _is_binary(data[:_LOOK_BYTES], encoding):
        raise PageFailed(name, "this is binary data, not a web page")
    told = name.encode("utf-8", "replace").decode()  # names of files may be no text
    address = checked_address(url) if url else f"{LOCAL_ORIGIN}/{quote(Path(told).name or 'page')}"
    return PageSource(name=url or told, address=address, html=decode(data, encoding), folder=folder)


def archive_source(
    data: bytes, *, name: str, url: str | None = None, encoding: str | None = None, max_bytes: int
) -> PageSource:
    """Take a page out of an archive, to be played back from it.

    Parameters
    ----------
    url : str, optional
        Which of its pages; by default the first.

    Raises
    ------
    PageFailed
        When there is no such page, or the archive is damaged.
    """
    archive = read_archive(data, name=name, max_bytes=max_bytes)
    address, resource = archive.page(url)
    html = decode(check_not_empty(resource.body, name=name), encoding or resource.encoding)
    return PageSource(name=address, address=checked_address(address), html=html, archive=archive)


def check_not_empty(data: bytes, *, name: str) -> bytes:
    """Return the bytes of a document that should hold something.

    Raises
    ------
    PageFailed
        When they are empty, or white space only.
    """
    if not data.strip():
        raise PageFailed(name, "the page is empty")
    return data


def _is_binary(head: bytes, encoding: str | None) -> bool:
    """Text of no eight-bit encoding has control characters in earnest; a few are left to sloppy authors."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or (encoding or "").lower().startswith(("utf-16", "utf-32")):
        return False
    return len(head) - len(head.translate(None, _CONTROL)) > len(head) // 50
