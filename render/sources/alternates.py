"""Markdown that a site offers in place of a page: by content negotiation, or by a link of the page."""

from __future__ import annotations

import re
from html import escape

import numpy as np

from ...page.page import Page
from ...page.parse import parse
from ...page.urls import Addresses
from .sources import origin

MARKDOWN = "text/markdown"
#: What raw fetches accept: Markdown is preferred.
ACCEPT = f"{MARKDOWN}, text/html;q=0.9, application/xhtml+xml;q=0.9, */*;q=0.5"
#: The Markdown of a page and its address, in the environment of the page; whether there is no page besides.
ALTERNATE, ADDRESS, ALONE = "alternate", "alternate_address", "alternate_alone"
_HEADING = re.compile(r"^#{1,6}[ \t]+(\S.*)", re.MULTILINE)


def alternate_link(page: Page, requested: str) -> str:
    """Return the address of the Markdown to which a page links as its alternate, "" if there is none.

    Only one of the origin that was requested counts: it gets the headers and the password for this origin.
    """
    for row in np.flatnonzero(page.has_tag("link") & (page.attribute("href") >= 0)).tolist():
        attributes = page.attributes_of(row)
        is_alternate = "alternate" in attributes.get("rel", "").lower().split()
        if is_alternate and attributes.get("type", "").partition(";")[0].strip().lower() == MARKDOWN:
            address = Addresses(page).absolute(row, attributes["href"])
            return address if origin(address) and origin(address) == origin(requested) else ""
    return ""


def markdown_page(markdown: str, address: str) -> Page:
    """Return the page of Markdown alone: its paragraphs, as they are written, and its first heading as the title."""
    title = _HEADING.search(markdown)
    parts = "".join(f"<p>{escape(part)}</p>" for part in re.split(r"\n\s*\n", markdown))
    page = parse(f"<title>{escape(title[1] if title else '')}</title><main>{parts}</main>", url=address)
    return page.replace(environment={ALTERNATE: markdown, ADDRESS: address, ALONE: "true"})
