"""Scrapy: a downloader middleware that extracts each HTML response, and an item."""

from __future__ import annotations

import asyncio
from typing import Any

from scrapy import Request
from scrapy.http import HtmlResponse, Response

from ..document.document import Document
from ..document.extract import extract
from ..page.parse import parse
from ..render.chromium.from_playwright import capture

#: The key of the document in ``response.meta``.
META = "blocksight"


class BlocksightMiddleware:
    """Extract each HTML response into ``response.meta["blocksight"]``, in a thread.

    A request with ``meta={"playwright": True, "playwright_include_page": True}`` of scrapy-playwright is captured as it
    is in the browser, and its page is closed; of other responses the HTML is parsed. Place it after scrapy-playwright's
    handler in ``DOWNLOADER_MIDDLEWARES``: ``{"blocksight.integrations.scrapy_middleware.BlocksightMiddleware": 900}``.
    """

    async def process_response(self, request: Request, response: Response) -> Response:
        """Add the document to a response."""
        if isinstance(response, HtmlResponse):
            browser_page = request.meta.pop("playwright_page", None)
            if browser_page is None:
                page = await asyncio.to_thread(parse, response.body, url=response.url)
            else:
                page = await capture(browser_page)
                await browser_page.close()
            request.meta[META] = await asyncio.to_thread(extract, page)
        return response


def page_item(response: Any) -> dict[str, Any]:
    """Return the item of a response; ValueError if the middleware has not read it, as it is no HTML."""
    document: Document | None = response.meta.get(META)
    if document is None:
        raise ValueError(f"{response.url}: no HTML that went through BlocksightMiddleware")
    return {"text": document.text, "markdown": document.markdown, **document_fields(document)}


def document_fields(document: Document) -> dict[str, Any]:
    """Return what programs store with a text: plain strings, numbers and lists of strings."""
    metadata, page_type = document.metadata, document.page_type
    return {
        "url": document.url,
        "title": document.title,
        "language": document.language,
        "authors": list(metadata.authors),
        "published": metadata.published,
        "page_type": page_type.name if page_type else "",
        "confidence": document.confidence,
        "hidden_instructions": len(document.hidden.instructions),
    }
