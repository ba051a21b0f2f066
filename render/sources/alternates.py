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
_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")


def alternate_link(page: Page) -> str:
    """Return the address of the Markdown to which a page links as its alternate, "" if there is none.

    Only one of the page's own origin counts: it gets the headers and the password of the page.
    """
    for row in np.flatnonzero(page.has_tag("link") & (page.attribute("href") >= 0)).tolist():
        attributes = page.attributes_of(row)
        is_alternate = "alternate" in attributes.get("rel", "").lower().split()
        if is_alternate and attributes.get("type", "").partition(";")[0].strip().lower() == MARKDOWN:
            address = Addresses(page).absolute(row, attributes["href"])
            return address if origin(address) and origin(address) == origin(page.url) else ""
    return ""


def with_alternate(page: Page, markdown: str, address: str) -> Page:
    """Return a page with the Markdown that its site offers in its place."""
    return page.replace(environment={**page.environment, ALTERNATE: markdown, ADDRESS: address})


def markdown_page(markdown: str, address: str) -> Page:
    """Return the page of Markdown alone: its paragraphs and headings, as they are written."""
    parts, title = [], ""
    for part in re.split(r"\n[ \t]*\n", markdown.replace("\r\n", "\n").strip()):
        heading = _HEADING.fullmatch(part.strip())
        title = title or (heading[2] if heading else "")
        tag = f"h{len(heading[1])}" if heading else "p"
        parts.append(f"<{tag}>{escape(heading[2] if heading else part)}</{tag}>")
    page = parse(f"<title>{escape(title)}</title><main>{''.join(parts)}</main>", url=address)
    return page.replace(environment={ALTERNATE: markdown, ADDRESS: address, ALONE: "true"})
