"""Addresses of one site: its sitemaps (sitemaps.org 0.9) and feeds (RSS, Atom, JSON Feed)."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from urllib.parse import urljoin, urlsplit

from lxml import etree

from ...errors import HttpFailed, PageFailed
from ...files.bounded_reader import GZIP_MAGIC, SizeLimitExceeded, gunzip
from ...render.network.plain_fetch import fetch_file
from ...render.render_options import RenderOptions
from .inputs import canonical, host_of

#: Most bytes of one file, unpacked: the limit of the sitemap protocol. Most files of one index, and its depth.
MAX_BYTES, _MAX_FILES, _MAX_DEPTH = 50 * 1024 * 1024, 500, 3
#: Most bytes of robots.txt: the minimum of RFC 9309.
_ROBOTS_BYTES = 500 * 1024


def sitemap_addresses(url: str, options: RenderOptions) -> Iterator[str]:
    """Yield the addresses of a sitemap or an index of sitemaps, within its host, each once.

    For an address without a path, those that robots.txt names, else ``/sitemap.xml``. Raises PageFailed if the only
    file cannot be read; one of several is left out.
    """
    host = host_of(url)
    return _unique(page for page in _sitemap_pages(url, host, options) if host_of(page) == host)


def _sitemap_pages(url: str, host: str, options: RenderOptions) -> Iterator[str]:
    files = [(file, 0) for file in (_named_in_robots(url, options) if urlsplit(url).path in ("", "/") else [url])]
    is_single = len(files) == 1
    for _ in range(_MAX_FILES):
        if not files:
            return
        file, depth = files.pop(0)
        try:
            pages, more = _read_sitemap(file, options)
        except PageFailed:
            if is_single:
                raise
            continue
        is_single = False
        files += [(name, depth + 1) for name in more if depth < _MAX_DEPTH and host_of(name) == host]
        yield from pages


def _named_in_robots(url: str, options: RenderOptions) -> list[str]:
    try:
        data = fetch_file(urljoin(url, "/robots.txt"), options, max_bytes=_ROBOTS_BYTES).data
    except HttpFailed:
        data = b""
    lines = data.decode("utf-8", "replace").splitlines()
    named = [line.partition(":")[2].strip() for line in lines if line.lower().startswith("sitemap:")]
    return [urljoin(url, name) for name in named or ["/sitemap.xml"]]


def _read_sitemap(url: str, options: RenderOptions) -> tuple[list[str], list[str]]:
    """Return the pages and the sitemaps that a file names; a plain text file has one address a line."""
    address, data = _fetched(url, options)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return [line for line in data.decode("utf-8", "replace").split() if _is_web_address(line)], []
    root = _parsed(url, data)
    pages, sitemaps = (
        [urljoin(address, text) for text in _texts(root.iterfind(f"{{*}}{kind}/{{*}}loc"))]
        for kind in ("url", "sitemap")
    )
    return pages, sitemaps


def feed_addresses(url: str, options: RenderOptions) -> Iterator[str]:
    """Yield the addresses of the entries of a feed in its order, each once; they may be on other hosts."""
    address, data = _fetched(url, options)
    entries = _json_entries(url, data) if data.lstrip()[:1] == b"{" else _xml_entries(_parsed(url, data))
    absolute = (urljoin(address, entry.strip()) for entry in entries)
    return _unique(entry for entry in absolute if _is_web_address(entry))


def _json_entries(url: str, data: bytes) -> Iterator[str]:
    try:
        items = json.loads(data).get("items", [])
    except (ValueError, AttributeError) as error:
        raise PageFailed(url, f"this is no JSON feed ({error})") from error
    for item in items if isinstance(items, list) else []:
        address = item.get("url") or item.get("external_url") if isinstance(item, dict) else None
        if isinstance(address, str):
            yield address


def _xml_entries(root: etree._Element) -> Iterator[str]:
    for entry in root.iter("{*}item", "{*}entry"):
        links = entry.findall("{*}link")
        plain = _texts(links)
        atom = [link.get("href") for link in links if link.get("href") and link.get("rel", "alternate") == "alternate"]
        yield from (address for address in (plain or atom)[:1] if address)


def _texts(elements: Iterable[etree._Element]) -> list[str]:
    return [text for element in elements if (text := (element.text or "").strip())]


def _unique(addresses: Iterator[str]) -> Iterator[str]:
    seen = set[str]()
    for address in addresses:
        identity = canonical(address)
        if identity not in seen:
            seen.add(identity)
            yield address


def _is_web_address(address: str) -> bool:
    return address.startswith(("http://", "https://"))


def _fetched(url: str, options: RenderOptions) -> tuple[str, bytes]:
    """Return the address of a file after redirects, and its content, unpacked if it is compressed by gzip."""
    fetched = fetch_file(url, options, max_bytes=MAX_BYTES)
    if not fetched.data.startswith(GZIP_MAGIC):
        return fetched.url, fetched.data
    try:
        return fetched.url, gunzip(fetched.data, max_bytes=MAX_BYTES)
    except (SizeLimitExceeded, OSError, EOFError, zlib.error) as error:
        raise PageFailed(url, f"it cannot be unpacked ({error})") from error


def _parsed(url: str, data: bytes) -> etree._Element:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as error:
        raise PageFailed(url, f"this is no XML ({error})") from error
    if root is None:
        raise PageFailed(url, "this is no XML")
    return root
