"""The documents of several sources, for the classes of other programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..document.document import Document
from ..document.extract import extract
from ..errors import PageFailed, PageUnreadable
from ..render.browser import Browser
from ..render.render_options import RenderOptions
from ..render.sources.raw import read_raw


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceDocument:
    """A source with its document, or with the reason why there is none."""

    source: str
    document: Document | None = None
    error: str = ""


def open_documents(
    sources: Iterable[str], *, browser: bool = True, options: RenderOptions | None = None, **extraction: Any
) -> Iterator[SourceDocument]:
    """Yield the document of each source in order; a page that fails has an ``error`` instead.

    Parameters
    ----------
    sources : iterable of str
        Addresses, HTML files, saved pages, archives.
    browser : bool
        Whether to render pages; without a browser, only files can be read.
    options : RenderOptions, optional
    **extraction
        Options of :func:`~blocksight.document.extract.extract`: system, keep, hidden ...
    """
    options = options or RenderOptions()
    with Browser(options=options) as running:
        for source in sources:
            try:
                page = running.open(source) if browser else read_raw(source, options).page()
                yield SourceDocument(source=source, document=extract(page, **extraction))
            except (PageFailed, PageUnreadable) as error:
                yield SourceDocument(source=source, error=str(error))


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
