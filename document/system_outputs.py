"""Markdown and metadata of a system: its own, else those that are written from its marks."""

from __future__ import annotations

from ..classify.system import MarkdownSystem, MetadataSystem, System, SystemMetadata, page_for
from ..page.arrays import Marks
from ..page.metadata.metadata import metadata
from ..page.page import Page
from .document import document


def markdown_of(system: System, page: Page, marks: Marks) -> str:
    """Return the content as Markdown: the system's own, else written from its marks, without a title."""
    own = system.markdown(page_for(system, page)) if isinstance(system, MarkdownSystem) else None
    return document(page, marks, headline=False).markdown if own is None else own


def metadata_of(system: System, page: Page) -> SystemMetadata | None:
    """Return the system's own metadata, else those of blocksight; None if the system does not extract any."""
    if isinstance(system, MetadataSystem):
        return system.metadata(page_for(system, page))
    own = metadata(page)
    return SystemMetadata(title=own.title, authors=own.authors, date=own.published[:10])
