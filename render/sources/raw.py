"""What a file holds before it is read as a page without a browser; another process may read it."""

from __future__ import annotations

from dataclasses import dataclass

from ...page.page import Page
from ...page.parse import parse
from ...page.store import is_saved, loads
from ..archives.archives import archive_kind
from .sources import archived, page_source


@dataclass(frozen=True, slots=True, kw_only=True)
class Raw:
    """The bytes of an HTML file, an archive or a saved page.

    Attributes
    ----------
    data : bytes
    name : str
        What the user calls it.
    url, encoding : str, optional
        What it is to be taken for; in an archive, the page to take.
    limit : int
        Largest document, in bytes.
    geometry : bool
        Whether a saved page keeps its geometry.
    """

    data: bytes
    name: str
    url: str | None
    encoding: str | None
    limit: int
    geometry: bool = False

    def page(self) -> Page:
        """Read it."""
        if is_saved(self.data):
            page = loads(self.data, name=self.name)
            return page if self.geometry else page.without_geometry()
        make = archived if archive_kind(self.data) else page_source
        found = make(self.data, name=self.name, url=self.url, encoding=self.encoding, max_bytes=self.limit)
        return parse(found.html, url=found.name)
