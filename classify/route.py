"""The route to a page: its raw HTML first, and the browser only if the verdict or the confidence asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ..document.document import Document
from ..document.verdict.verdict import ASK_THE_BROWSER
from ..page.page import Page

if TYPE_CHECKING:
    from ..render.browser import Browser, Source

#: A document of raw HTML with a lower confidence is rendered. Chosen on training pages (docs/results/accuracy.md).
RENDER_BELOW = 0.6
#: The route of a page that is rendered in any case, such as a saved one.
RENDERED = "rendered"
#: Share of the timeout that rendering has in any case after the raw HTML was read.
LEAST_SHARE = 0.5


def render_reason(page: Page, document: Document) -> str:
    """Return why a page should be rendered, "" if the document of its raw HTML is enough."""
    if page.geometry is not None:
        return ""
    if document.verdict in ASK_THE_BROWSER:
        first = f", {document.evidence[0]}" if document.evidence else ""
        return f"{document.verdict}{first}"
    known = document.confidence
    return f"confidence {known:.2f}" if known is not None and known < RENDER_BELOW else ""


def raw_route(page: Page, document: Document) -> str:
    """Return the route of a document for which nothing asks for the browser, in words."""
    if page.geometry is not None:
        return RENDERED
    known = "" if document.confidence is None else f", confidence {document.confidence:.2f}"
    return f"raw HTML ({document.verdict}{known})"


def extract_by_route(browser: Browser, source: Source, extract: Callable[[Page], Document]) -> Document:
    """Extract the raw HTML of a source, or render it if that is not enough; ``route`` of the document says which.

    Raises PageFailed or PageUnreadable as :meth:`~blocksight.render.browser.Browser.open` does.
    """
    page = browser.open(source, options=replace(browser.options, fetch_only=True))
    document = extract(page)
    reason = render_reason(page, document)
    if reason:
        return replace(extract(browser.open(source)), route=f"rendered ({reason})")
    return replace(document, route=raw_route(page, document))
