"""Sources of pages: addresses, files, archives and bytes."""

from __future__ import annotations

import os
import select
import stat
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote, urlsplit

from w3lib.url import safe_url_string

from ...errors import PageEmpty, PageFailed, Refused, TooLarge
from ...files.bounded_reader import GZIP_MAGIC, SizeLimitExceeded, gunzip
from ...page.page import Page
from ...page.parse import decode, parse
from ...page.store import is_saved, loads
from ...page.xhtml import with_end_tags
from ..archives.archives import PARTS_PER_PAGE, Archive, archive_kind, read_archive
from ..render_options import RenderOptions

#: Origin of documents from files and bytes; the host is reserved and never resolves (RFC 6761).
LOCAL_ORIGIN = "http://blocksight.invalid"
#: Their origin without network: a secure context, as a file is for a person who opens it. With network it would keep
#: insecure style sheets and scripts out.
SECURE_LOCAL_ORIGIN = "https://blocksight.invalid"

#: Magic numbers of other files that users try to open.
_OTHER_FILES = {
    b"%PDF-": "a PDF",
    b"PK\x03\x04": "a ZIP archive (or an office document)",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"\x28\xb5\x2f\xfd": "zstd data",
    b"\x7fELF": "a program",
    b"MZ": "a program",
}
#: Roots of XML documents that list pages, and what lists those.
_LISTS = dict.fromkeys(("rss", "feed", "rdf:rdf"), "feed") | dict.fromkeys(("urlset", "sitemapindex"), "sitemap")
#: The element in which Chromium shows the source of XML without a style sheet.
_XML_SOURCE = "webkit-xml-viewer-source-xml"
#: First bytes, which determine the size limit.
_HEAD_BYTES = 4096
#: Sizes that are not shown in messages: servers may declare any.
_MAX_SHOWN = 10**15
#: Control characters except tab, line feed, form feed, carriage return, and escape (ISO-2022-JP has it).
_CONTROL = bytes(set(range(32)) - {9, 10, 12, 13, 27})
_CHUNK_SIZE = 1 << 16
#: Platforms without named pipes lack these flags.
_NON_BLOCKING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSource:
    """An HTML document that has been read."""

    #: Its name in messages: the address or path.
    name: str
    #: The address at which the browser opens it.
    address: str
    html: str
    #: The folder of local files that it may use.
    folder: Path | None = None
    #: The archive from which it is replayed; nothing else can be reached.
    archive: Archive | None = None
    #: What the headers of its response state about its use.
    usage: str = ""

    def with_usage(self, page: Page) -> Page:
        """Return the page of this document with what is stated about its use."""
        return page.replace(environment={**page.environment, "usage": self.usage}) if self.usage else page

    def parsed(self) -> Page:
        """Parse the document without a browser."""
        return check_is_page(self.with_usage(parse(self.html, url=self.name)))


def is_address(source: str) -> bool:
    """Return whether a source is a URL (it has a scheme) rather than a path."""
    head, separator, _ = source.partition("://")
    return bool(separator) and head.isalnum() and len(head) > 1


def demand_web_address(source: str) -> str:
    """Return an http(s) address that others have sent; Refused for what would be opened as a file of this machine."""
    if not source.strip().lower().startswith(("http://", "https://")):
        raise Refused(source, "this is not an address: it should look like https://example.org/page")
    return source


def checked_address(source: str) -> str:
    """Return a percent-encoded http(s) address; raise Refused for other schemes, PageFailed if it is no address."""
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
    """Return whether a page may not use the network (a page with an address may use its own origin).

    A page from a file can read local files: with network access it could send them away.
    """
    has_files = document is not None and document.folder is not None
    return options.offline or has_files or (document is not None and document.archive is not None)


def without_local_origin(address: str) -> str:
    """Return an address, that of a local file relative to its folder."""
    return address.removeprefix(f"{LOCAL_ORIGIN}/").removeprefix(f"{SECURE_LOCAL_ORIGIN}/")


def as_secure_context(document: PageSource, options: RenderOptions) -> PageSource:
    """Return a document, at the secure origin if it has no address of its own and no network."""
    is_local = document.address.startswith(f"{LOCAL_ORIGIN}/")
    if not is_local or not is_network_blocked(document, options):
        return document
    return replace(document, address=SECURE_LOCAL_ORIGIN + document.address.removeprefix(LOCAL_ORIGIN))


def read_file(path: str | os.PathLike[str], *, max_bytes: int, timeout: float | None = None) -> bytes:
    """Read a page's file, pipe or device (in time); raise PageFailed if it cannot be read, Refused if too large."""
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
    """Read from an open descriptor; see :func:`read_file`."""

    def limit(head: bytes) -> int:
        return max_bytes * PARTS_PER_PAGE if archive_kind(head) or is_saved(head) else max_bytes

    data = read_stream(descriptor, name=name, limit=limit, seconds=timeout)
    if len(data) > limit(data[:_HEAD_BYTES]):
        raise too_large_error(name, max(len(data), os.fstat(descriptor).st_size), limit(data[:_HEAD_BYTES]))
    return data


def _missing(path: str) -> str:
    if "/" not in path and "." in path and not path.endswith((".html", ".htm", ".page")):
        return f"no such file (if an address is meant: https://{path})"
    return "no such file"


def too_large_error(name: str, size: int, max_bytes: int) -> TooLarge:
    """Return the error for a document that exceeds the limit."""
    more = "more" if size >= _MAX_SHOWN else f"{size / 1e6:,.1f} MB" if size < 1e9 else f"{size / 1e9:,.1f} GB"
    return TooLarge(name, f"{more}, above the limit of {max_bytes / 1e6:g} MB (max_bytes raises it)")


def html_source(
    data: bytes,
    *,
    name: str,
    url: str | None = None,
    encoding: str | None = None,
    folder: Path | None = None,
    max_bytes: int,
) -> PageSource:
    """Return the source of an HTML document, which may be packed by gzip.

    Raises PageFailed if it is empty or no HTML, Refused if it is too large.
    """
    if data.startswith(GZIP_MAGIC):
        data = _unpacked(data, name=name, max_bytes=max_bytes)
    if len(data) > max_bytes:
        raise too_large_error(name, len(data), max_bytes)
    check_not_empty(data, name=name)
    for magic, what in _OTHER_FILES.items():
        if data.startswith(magic):
            raise PageFailed(name, f"this is {what}, not a web page")
    if _is_binary(data[:_HEAD_BYTES], encoding):
        raise PageFailed(name, "this is binary data, not a web page")
    text_name = name.encode("utf-8", "replace").decode()  # file names may be no valid text
    address = checked_address(url) if url else f"{LOCAL_ORIGIN}/{quote(Path(text_name).name or 'page')}"
    return PageSource(name=url or text_name, address=address, html=with_end_tags(decode(data, encoding)), folder=folder)


def _unpacked(data: bytes, *, name: str, max_bytes: int) -> bytes:
    try:
        return gunzip(data, max_bytes=max_bytes)
    except SizeLimitExceeded as error:
        raise TooLarge(name, f"more than {max_bytes / 1e6:g} MB when unpacked (max_bytes raises it)") from error
    except (EOFError, OSError, zlib.error) as error:
        raise PageFailed(name, f"the gzip data is damaged ({error})") from error


def archive_source(
    data: bytes, *, name: str, url: str | None = None, encoding: str | None = None, max_bytes: int
) -> PageSource:
    """Return a page of an archive, by default the first, as a source; PageFailed if it is missing or damaged."""
    archive = read_archive(data, name=name, max_bytes=max_bytes)
    address, resource = archive.page(url)
    html = decode(check_not_empty(resource.body, name=name), encoding or resource.encoding)
    usage = resource.usage
    return PageSource(name=address, address=checked_address(address), html=html, archive=archive, usage=usage)


def check_is_page(page: Page) -> Page:
    """Return a page; PageFailed if it is a feed or a sitemap, or XML that a browser shows as source."""
    row = int(page.has_tag("body").argmax()) + 1
    is_source = row + 1 < len(page) and page.attributes_of(row).get("id") == _XML_SOURCE
    root = page.tag_of(row + is_source) if row < len(page) else ""
    if what := _LISTS.get(root.lower()):
        raise PageFailed(page.url, f"this is a {what}, not a web page{list_remedy(what)}")
    if is_source:
        raise PageFailed(page.url, f"this is XML ({root}) without a style sheet, not a web page")
    return page


def list_remedy(what: str) -> str:
    """Return what to do with a "feed" or a "sitemap"."""
    return f" (`trafilatura --{what} ADDRESS --list` lists its pages for `blocksight batch @-`)"


def check_not_empty(data: bytes, *, name: str) -> bytes:
    """Return the bytes of a document unchanged; PageEmpty if they are empty or white space only."""
    if not data.strip():
        raise PageEmpty(name, "the page is empty")
    return data


def _is_binary(head: bytes, encoding: str | None) -> bool:
    """Return whether data has more than a few control characters, which text in 8-bit encodings does not use."""
    if head.startswith((b"\xff\xfe", b"\xfe\xff")) or (encoding or "").lower().startswith(("utf-16", "utf-32")):
        return False
    return len(head) - len(head.translate(None, _CONTROL)) > len(head) // 50


def open_stream(path: str | os.PathLike[str]) -> int:
    """Return a descriptor without waiting for the writer of a pipe; PageFailed for a directory, a socket or a disk."""
    try:
        descriptor = os.open(path, os.O_RDONLY | _NON_BLOCKING)
    except OSError:
        if stat.S_ISSOCK(os.stat(path).st_mode):
            raise PageFailed(os.fsdecode(path), "this is a socket, not a web page") from None
        raise
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISDIR(kind) or stat.S_ISBLK(kind):
        os.close(descriptor)
        what = "this is a directory; name the files in it" if stat.S_ISDIR(kind) else "this is a disk, not a web page"
        raise PageFailed(os.fsdecode(path), what)
    return descriptor


def read_stream(descriptor: int, *, name: str, limit: Callable[[bytes], int], seconds: float | None) -> bytes:
    """Read to the end, or one byte more than ``limit`` of the first bytes; PageFailed if it takes too long.

    The time limit holds for pipes and devices, but not for a terminal; None for no limit.
    """
    waits = not stat.S_ISREG(os.fstat(descriptor).st_mode)
    deadline = None if seconds is None or not waits or os.isatty(descriptor) else time.monotonic() + seconds
    data, max_bytes = bytearray(), _HEAD_BYTES
    while len(data) <= max_bytes:
        if waits and not _ready(descriptor, deadline):
            raise PageFailed(name, f"nothing more came within {seconds:g} s (timeout sets it)")
        try:
            chunk = os.read(descriptor, _CHUNK_SIZE)
        except BlockingIOError:
            continue
        if not chunk:
            break
        data += chunk
        max_bytes = limit(bytes(data[:_HEAD_BYTES])) if len(data) >= _HEAD_BYTES else _HEAD_BYTES
    return bytes(data[: max(max_bytes, limit(bytes(data[:_HEAD_BYTES]))) + 1])


def _ready(descriptor: int, deadline: float | None) -> bool:
    """Wait until data, or the end of the file, can be read; return False if the deadline passes."""
    if not hasattr(select, "poll"):
        return True
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    milliseconds = None if deadline is None else max(deadline - time.monotonic(), 0.0) * 1000
    return bool(poll.poll(milliseconds))


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """The bytes of an HTML file, an archive or a saved page."""

    data: bytes
    name: str
    #: In an archive, it selects the page.
    url: str | None
    encoding: str | None
    #: Maximum size of a document in bytes.
    limit: int
    #: Whether a saved page keeps its geometry.
    geometry: bool = False
    #: What the headers of its response state about its use.
    usage: str = ""

    def page(self) -> Page:
        """Parse it."""
        if is_saved(self.data):
            page = loads(self.data, name=self.name)
            return page if self.geometry else page.without_geometry()
        read = archive_source if archive_kind(self.data) else html_source
        source = read(self.data, name=self.name, url=self.url, encoding=self.encoding, max_bytes=self.limit)
        return replace(source, usage=source.usage or self.usage).parsed()


def read_raw(
    source: str, options: RenderOptions, *, url: str | None = None, encoding: str | None = None, geometry: bool = False
) -> RawPage:
    """Read a file that is parsed without a browser; raise PageFailed if it cannot be read, or is an address."""
    if is_address(source):
        raise PageFailed(source, "an address needs the browser; save the page and give the file")
    data = read_file(source, max_bytes=options.max_bytes, timeout=options.timeout)
    return RawPage(data=data, name=source, url=url, encoding=encoding, limit=options.max_bytes, geometry=geometry)


def as_page(page: Page | RawPage) -> Page:
    """Return a page, parsed if it is raw."""
    return page.page() if isinstance(page, RawPage) else page
