"""Metadata of a system: its own, else those of blocksight."""

from __future__ import annotations

from ..classify.system import MetadataSystem, System, SystemMetadata, page_for
from ..page.metadata.metadata import metadata
from ..page.page import Page


def metadata_of(system: System, page: Page) -> SystemMetadata | None:
    """Return the system's own metadata, else those of blocksight; None if the system does not extract any."""
    if isinstance(system, MetadataSystem):
        return system.metadata(page_for(system, page))
    own = metadata(page)
    return SystemMetadata(title=own.title, authors=own.authors, date=own.published[:10])
