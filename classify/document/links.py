"""The host of a page, and the absolute address of its links."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

import numpy as np
from numpy.typing import NDArray

from ...render.arrays import IntColumn
from ...render.page import Page

#: Line ends and tabs mean nothing in an address, and other control characters no markup may hold.
_UNWRITTEN = re.compile("[\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def site_of(page: Page) -> str:
    """Return the host in a page's address, without "www."; "" where there is none."""
    try:
        return (urlsplit(page.url).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def absolute_links(page: Page, rows: IntColumn | NDArray[np.intp]) -> dict[int, str]:
    """Return the absolute http(s) address of each link that has one; links within the page itself have none."""
    href, frame = page.attribute("href"), page.nearest(page.has_tag("iframe", "frame"))
    source, outer = page.attribute("src"), _base(page, href)
    found = {}
    for row in rows.tolist():
        if href[row] >= 0:
            inner = int(source[frame[row]]) if frame[row] >= 0 else -1
            base = _joined(outer, page.strings[inner]) if inner >= 0 else outer
            address = _joined(base, page.strings[int(href[row])])
            if address:
                found[row] = address
    return found


def _base(page: Page, href: IntColumn) -> str:
    declared = np.flatnonzero(page.has_tag("base") & (href >= 0))
    return _joined(page.url, page.strings[int(href[declared[0]])]) or page.url if len(declared) else page.url


def _joined(base: str, href: str) -> str:
    """Resolve an address; "" for what is no http(s) address or only a place on the same page."""
    href = _UNWRITTEN.sub("", href).strip()
    if href.startswith("#"):
        return ""
    try:
        address = urljoin(base, href)
        parts = urlsplit(address)
    except ValueError:
        return ""
    return address if parts.scheme in {"http", "https"} and parts.netloc else ""
