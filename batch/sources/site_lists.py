"""Addresses of one site: its sitemaps (sitemaps.org 0.9), feeds (RSS, Atom, JSON Feed), and the links of a page."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from urllib.parse import urldefrag, urljoin, urlsplit

import numpy as np
from lxml import etree

from ...errors import HttpFailed, PageFailed, PageUnreadable
from ...files.bounded_reader import GZIP_MAGIC, SizeLimitExceeded, gunzip
from ...page.page import Page
from ...render.browser import Browser
from ...render.network.plain_fetch import fetch_file
from ...render.render_options import RenderOptions
from ..robots import read_rules
from .inputs import canonical, host_of

#: Most bytes of one file, unpacked: the limit of the sitemap protocol. Most files of one index, and its depth.
MAX_BYTES, _MOST_FILES, _DEPTH = 50 * 1024 * 1024, 500, 3
#: Where sitemaps are named, and where they are if they are not.
_SITEMAP, _ROBOTS = "/sitemap.xml", "/robots.txt"


def sitemap_addresses(url: str, options: RenderOptions) -> Iterator[str]:
    """Yield the addresses of a sitemap or an index of sitemaps, within its host, each once.

    For an address without a path, those that robots.txt names, else ``/sitemap.xml``. Raises PageFailed if the only
    file cannot be read; one of several is left out.
    """
    host = host_of(url)
    seen: set[str] = set()
    files = [(file, 0) for file in (_named_in_robots(url, options) if urlsplit(url).path in ("", "/") else [url])]
    read = 0
    while files and read < _MOST_FILES:
        file, depth = files.pop(0)
        read += 1
        try:
            pages, more = _read_sitemap(file, options)
        except PageFailed:
            if read == 1 and not files:
                raise
            continue
        files += [(name, depth + 1) for name in more if depth < _DEPTH and host_of(name) == host]
        for page in pages:
            if host_of(page) == host and canonical(page) not in seen:
                seen.add(canonical(page))
                yield page


def _named_in_robots(url: str, options: RenderOptions) -> list[str]:
    try:
        text = fetch_file(urljoin(url, _ROBOTS), options, max_bytes=500 * 1024).data.decode("utf-8", "replace")
    except HttpFailed:
        text = ""
    named = [line.partition(":")[2].strip() for line in text.splitlines() if line.lower().startswith("sitemap:")]
    return [urljoin(url, name) for name in named] or [urljoin(url, _SITEMAP)]


def _read_sitemap(url: str, options: RenderOptions) -> tuple[list[str], list[str]]:
    """Return the pages and the sitemaps that a file names; a plain text file has one address a line."""
    fetched = fetch_file(url, options, max_bytes=MAX_BYTES)
    data = _unpacked(url, fetched.data)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        lines = data.decode("utf-8", "replace").split()
        return [line for line in lines if line.startswith(("http://", "https://"))], []
    root = _parsed(url, data)
    found: dict[str, list[str]] = {"url": [], "sitemap": []}
    for entry in root:
        kind = etree.QName(entry).localname if isinstance(entry.tag, str) else ""
        if kind in found:
            places = [
                child.text for child in entry if isinstance(child.tag, str) and etree.QName(child).localname == "loc"
            ]
            found[kind] += [urljoin(fetched.url, place.strip()) for place in places if place and place.strip()]
    return found["url"], found["sitemap"]


def feed_addresses(url: str, options: RenderOptions) -> Iterator[str]:
    """Yield the addresses of the entries of a feed in its order, each once; they may be on other hosts."""
    fetched = fetch_file(url, options, max_bytes=MAX_BYTES)
    data = _unpacked(url, fetched.data)
    seen: set[str] = set()
    for address in _json_entries(url, data) if data.lstrip()[:1] == b"{" else _xml_entries(_parsed(url, data)):
        absolute = urljoin(fetched.url, address.strip())
        if absolute.startswith(("http://", "https://")) and canonical(absolute) not in seen:
            seen.add(canonical(absolute))
            yield absolute


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
        links = [child for child in entry if isinstance(child.tag, str) and etree.QName(child).localname == "link"]
        plain = [link.text for link in links if link.text and link.text.strip()]
        atom = [link.get("href") for link in links if link.get("href") and link.get("rel", "alternate") == "alternate"]
        yield from (address for address in (plain or atom)[:1] if address)


def linked_addresses(url: str, browser: Browser, agent: str) -> Iterator[str]:
    """Yield the address of a page and those that it links to on its host, visible or not, each once, in its order.

    A page that robots.txt forbids to ``agent`` is not opened, and one that fails has no links.
    """
    yield url
    if read_rules(browser, host_of(url), agent).forbids(url, agent):
        return  # the row of the page says so
    try:
        page = browser.open(url)
    except (PageFailed, PageUnreadable):
        return
    seen = {canonical(urldefrag(url)[0]), canonical(urldefrag(page.url)[0])}
    for address in page_links(page):
        if host_of(address) == host_of(page.url) and canonical(address) not in seen:
            seen.add(canonical(address))
            yield address


def page_links(page: Page) -> Iterator[str]:
    """Yield the addresses of a page's links without fragments; those marked ``nofollow`` are left out."""
    for row in np.flatnonzero(page.has_tag("a", "area") & (page.attribute("href") >= 0)).tolist():
        attributes = page.attributes_of(row)
        try:
            address = urldefrag(urljoin(page.url, attributes["href"].strip()))[0]
        except ValueError:
            continue
        if address.startswith(("http://", "https://")) and "nofollow" not in attributes.get("rel", "").lower().split():
            yield address


def _unpacked(url: str, data: bytes) -> bytes:
    if not data.startswith(GZIP_MAGIC):
        return data
    try:
        return gunzip(data, max_bytes=MAX_BYTES)
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
