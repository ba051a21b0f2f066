"""Crawl4AI: a strategy that writes Markdown."""

from __future__ import annotations

from typing import Any

from crawl4ai import MarkdownGenerationResult
from crawl4ai.markdown_generation_strategy import MarkdownGenerationStrategy

from ..document.extract import extract
from ..page.parse import parse


class BlocksightMarkdown(MarkdownGenerationStrategy):  # type: ignore[misc, unused-ignore]
    """Write the content of a page as Markdown, for ``CrawlerRunConfig(markdown_generator=BlocksightMarkdown())``.

    It reads the HTML after scripts, without the layout. ``extraction`` are options of
    :func:`~blocksight.document.extract.extract`.
    """

    def __init__(self, **extraction: Any) -> None:
        super().__init__(content_source="raw_html")
        self._extraction = extraction

    def generate_markdown(self, input_html: str, base_url: str = "", *_: Any, **__: Any) -> MarkdownGenerationResult:
        """Return the Markdown of a page."""
        document = extract(parse(input_html, url=base_url or "about:blank"), **self._extraction)
        links = "".join(f"- [{link.text}]({link.url})\n" for link in document.links)
        return MarkdownGenerationResult(
            raw_markdown=document.markdown,
            markdown_with_citations=document.markdown,
            references_markdown=links,
            fit_markdown=document.markdown,
            fit_html=document.html,
        )
