"""Unparsed pages: the bytes of a file, to be parsed without a browser, possibly in another process."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...errors import PageFailed
from ...page.page import Page
from ...page.store import is_saved, loads
from ..archives.archives import archive_kind
from ..render_options import RenderOptions
from .sources import archive_source, html_source, is_address, read_file


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """The bytes of an HTML file, an archive or a saved page."""

    data: bytes
    name: str
    #: In an archive, it selects the page.
    url: str | None
    encoding: str | None
    #: Maximum size of a document in bytes.
    limit: int
    #: Whether a saved page keeps its geometry.
    geometry: bool = False
    #: What the headers of its response state about its use.
    usage: str = ""

    def page(self) -> Page:
        """Parse it."""
        if is_saved(self.data):
            page = loads(self.data, name=self.name)
            return page if self.geometry else page.without_geometry()
        read = archive_source if archive_kind(self.data) else html_source
        source = read(self.data, name=self.name, url=self.url, encoding=self.encoding, max_bytes=self.limit)
        return replace(source, usage=source.usage or self.usage).parsed()


def read_raw(
    source: str, options: RenderOptions, *, url: str | None = None, encoding: str | None = None, geometry: bool = False
) -> RawPage:
    """Read a file that is parsed without a browser; raise PageFailed if it cannot be read, or is an address."""
    if is_address(source):
        raise PageFailed(source, "an address needs the browser; save the page and give the file")
    data = read_file(source, max_bytes=options.max_bytes, timeout=options.timeout)
    return RawPage(data=data, name=source, url=url, encoding=encoding, limit=options.max_bytes, geometry=geometry)


def as_page(page: Page | RawPage) -> Page:
    """Return a page, parsed if it is raw."""
    return page.page() if isinstance(page, RawPage) else page
