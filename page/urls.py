"""The host of a page, and absolute URLs of its links and pictures."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit

import numpy as np
from numpy.typing import NDArray

from .arrays import IntColumn
from .page import Page

#: Characters of a path's segments, the first one and others, and those of a query or a fragment, none of which joining
#: changes.
_FIRST, _INNER, _BEHIND = r"[\w%+~,:@!$'()*=&-]", r"[\w.%+~,:@!$'()*=&-]", r"[\w.%+~,:@!$'()*=&;/-]"
#: Addresses of which joining them to a URL changes nothing: a host, and a path from it without dot segments.
_PLAIN = re.compile(
    r"(?=[^?#])(?:https?://[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+(?::\d+)?)?"
    rf"(?:/{_FIRST}{_INNER}*)*/?(?:\?{_BEHIND}+)?(?:#{_BEHIND}+)?",
    re.ASCII,
)
#: Line ends and tabs mean nothing in an address, and other control characters no markup may hold.
_PATH, _UNWRITTEN = re.compile(r"\A[^?#]*"), re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def site_of(page: Page) -> str:
    """Return the host of a page's URL, without "www."; "" if there is none."""
    return host_of(page.url)


def host_of(url: str) -> str:
    """Return the host of a URL, without "www."; "" if there is none."""
    try:
        return (urlsplit(url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


class Addresses:
    """Resolves the URLs of a page's links and pictures, by its base and the frame around them.

    ``url`` is by default that of the page.
    """

    def __init__(self, page: Page, url: str = "") -> None:
        self._strings, frames = page.strings, page.has_tag("iframe", "frame")
        self._frame = page.nearest(frames) if frames.any() else None
        self._source = page.attribute("src")
        self._base = base_of(page, url)

    def absolute(self, row: int, written: str) -> str:
        """Return the absolute http(s) URL of an element's attribute; "" for any other scheme.

        On a page without such a URL itself, relative URLs remain as written.
        """
        frame = -1 if self._frame is None else int(self._frame[row])
        inner = int(self._source[frame]) if frame >= 0 and frame != row else -1
        base = _joined(self._base, self._strings[inner]) if inner >= 0 else self._base
        return _joined(base, written)


def absolute_links(page: Page, rows: IntColumn | NDArray[np.intp]) -> dict[int, str]:
    """Return the URL of each link that has one (:meth:`Addresses.absolute`), except links within the page."""
    href, addresses = page.attribute("href"), Addresses(page, address_of(page))
    urls = {row: addresses.absolute(row, page.strings[int(href[row])]) for row in rows.tolist() if href[row] >= 0}
    return {row: address for row, address in urls.items() if address}


def address_of(page: Page) -> str:
    """Return the URL of a page; that of a saved file is its canonical URL, else the one that it was saved from.

    The pictures of such a file may be next to it, so that only links are relative to this URL.
    """
    if page.url.startswith(("http://", "https://")):
        return page.url
    href, content = page.attribute("href"), page.attribute("content")
    names = ("rel", "property", "name")
    for tag, column, value in (("link", href, "canonical"), ("meta", content, "og:url")):
        for row in np.flatnonzero(page.has_tag(tag) & (column >= 0)).tolist():
            attributes = page.attributes_of(row)
            if value in " ".join(attributes.get(name, "").lower() for name in names).split():
                url = _UNWRITTEN.sub("", page.strings[int(column[row])]).strip()
                if host_of(url) and url.startswith(("http://", "https://")):
                    return url
    return page.saved_from if host_of(page.saved_from) else page.url


def base_of(page: Page, url: str = "") -> str:
    """Return the base of relative URLs; ``url`` is by default that of the page."""
    url = url or page.url
    if not page.name_codes("base"):
        return url
    href = page.attribute("href")
    declared = np.flatnonzero(page.has_tag("base") & (href >= 0))
    return _joined(url, page.strings[int(href[declared[0]])]) or url if len(declared) else url


def _joined(base: str, href: str) -> str:
    """Resolve a URL; "" unless it is http(s) and more than a fragment. Without a base, a relative URL is returned."""
    if href.startswith("data:"):
        return ""  # pictures in place: parsing them takes long
    if _PLAIN.fullmatch(href) and (origin := _origin(base)):
        return href if href[0] != "/" else origin + href
    href = _UNWRITTEN.sub("", href).strip()
    # Browsers read a backslash in the path of a web address as a slash.
    href = _PATH.sub(lambda path: path[0].replace("\\", "/"), href)
    if href.startswith("#"):
        return ""
    try:
        base_parts, href_parts = urlsplit(base), urlsplit(href)
        if base_parts.scheme not in {"http", "https"} and not href_parts.scheme:
            return href
        address = urljoin(base, href)
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in {"http", "https"} and parts.netloc else ""


@lru_cache(16)
def _origin(url: str) -> str:
    """Return scheme and host of an http(s) URL as written, "" for other URLs."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in {"http", "https"} and parts.netloc else ""
