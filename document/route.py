"""The route to a page: its raw HTML first, and the browser only if the verdict or the confidence asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from ..classify.verdict.verdict import ASK_THE_BROWSER, AWAITING
from ..page.arrays import MOSTLY
from ..page.page import Page
from ..render.sources.alternates import ALONE
from .alternate import with_markdown
from .document import Document

if TYPE_CHECKING:
    from ..render.browser import Browser, Source
    from ..render.render_options import RenderOptions

R = TypeVar("R")

#: A document of raw HTML with a lower confidence is rendered. Chosen on training pages (docs/results/accuracy.md).
RENDER_BELOW = MOSTLY
#: The route of a page that is rendered in any case, such as a saved one.
RENDERED = "rendered"


def render_reason(page: Page, document: Document) -> str:
    """Return why a page should be rendered, "" if the document of its raw HTML is enough."""
    if page.geometry is not None or ALONE in page.environment:
        return ""
    if document.verdict in ASK_THE_BROWSER:
        first = f", {document.evidence[0]}" if document.evidence else ""
        return f"{document.verdict}{first}"
    if waiting := next((fact for fact in document.evidence if fact.name == AWAITING), None):
        return f"{document.verdict}, {waiting}"
    known = document.confidence
    return f"confidence {known:.2f}" if known is not None and known < RENDER_BELOW else ""


def raw_route(page: Page, document: Document) -> str:
    """Return the route of a document for which nothing asks for the browser, in words."""
    if page.geometry is not None:
        return RENDERED
    known = "" if document.confidence is None else f", confidence {document.confidence:.2f}"
    return f"raw HTML ({document.verdict}{known})"


def routed(page: Page, document: Document, reason: str | None) -> tuple[Document, str]:
    """Return a document with its route, and why its page should be rendered, "" if the document is enough.

    ``reason`` is why the page was rendered, "" if it was opened as raw HTML, None if there was no choice.
    """
    if reason is None:
        return document, ""
    if not reason and (wanted := render_reason(page, document)):
        return document, wanted
    if reason:
        return replace(document, route=f"rendered ({reason})"), ""
    document, markdown = with_markdown(page, document)
    known = "" if ALONE in page.environment else raw_route(page, document)
    return replace(document, route="; ".join(filter(None, (known, markdown)))), ""


def by_route(work: Callable[[RenderOptions, str], tuple[R, str]], options: RenderOptions) -> R:
    """Return the result of some work on the raw HTML of a page, or on the rendered page if the work asks for it.

    Both together have the timeout of ``options``, and rendering at least half of it.

    Parameters
    ----------
    work : callable
        Opens the page with the options that it is given. It also gets the reason for rendering ("" for raw HTML), and
        returns its result with the reason why the page should be rendered ("" if the result is enough).
    options : RenderOptions
    """
    if options.reveal:
        return work(options, "reveal")[0]
    start = time.monotonic()
    result, reason = work(replace(options, fetch_only=True), "")
    if reason:
        # Rendering has half of the timeout in any case.
        left = max(options.timeout - (time.monotonic() - start), options.timeout / 2)
        result, _ = work(replace(options, timeout=left), reason)
    return result


def extract_by_route(browser: Browser, source: Source, extract: Callable[[Page], Document]) -> Document:
    """Extract the raw HTML of a source, or render it if that is not enough; ``route`` of the document says which.

    Raises PageFailed or PageUnreadable as :meth:`~blocksight.render.browser.Browser.open` does.
    """

    def work(options: RenderOptions, reason: str) -> tuple[Document, str]:
        page = browser.open(source, options=options)
        return routed(page, extract(page), reason)

    return by_route(work, browser.options)
