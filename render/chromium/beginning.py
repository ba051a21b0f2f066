"""The beginning of a page that the browser could not capture in time: the HTML that has arrived, without layout."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from ...errors import PageFailed
from ...page.page import Page
from ...page.parse import parse
from ..sources.sources import PageSource
from ..sources.truncated import truncate_html

#: Characters of a document, and seconds: the time of the page is over.
_MOST_CHARACTERS, _SECONDS = 1_000_000, 2.0
#: Characters of a document that cannot be truncated.
_FEW_CHARACTERS = 100_000


class Beginning:
    """The HTML of a page as far as it has arrived: of a given document all, of an address what attempts ``keep``."""

    def __init__(self, target: str | PageSource) -> None:
        self._name = target if isinstance(target, str) else target.name
        self._html = "" if isinstance(target, str) else target.html
        self._environment: dict[str, str] = {}

    @property
    def is_empty(self) -> bool:
        """Whether nothing has arrived."""
        return not self._html

    def keep(self, html: str, environment: dict[str, str]) -> None:
        """Keep the HTML of an attempt."""
        if len(html) > len(self._html):
            self._html, self._environment = html, environment

    async def page(self, reason: str) -> Page | None:
        """Parse it; None if it has no text, or is not parsed in time."""
        if self.is_empty:
            return None
        with suppress(PageFailed, TimeoutError):
            async with asyncio.timeout(_SECONDS):
                page = await asyncio.to_thread(self._parsed)
            if len(page.leaves):
                page = page.replace(environment=self._environment)
                return marked_partial(page, f"its HTML, without styles and scripts: {reason}")
        return None

    def _parsed(self) -> Page:
        html = self._html[:_MOST_CHARACTERS]
        try:
            html = truncate_html(html, self._name, _SECONDS)
        except PageFailed:  # its style sheets are too large to be applied: they are not
            html = html[:_FEW_CHARACTERS]
        return parse(html, url=self._name)


def marked_partial(page: Page, reason: str) -> Page:
    """Return a page that is marked as partial; its environment says why."""
    return page.replace(partial=True, environment=dict(page.environment) | {"partial": reason})
