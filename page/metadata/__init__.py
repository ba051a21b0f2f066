"""page.metadata: title, authors, dates, language and other metadata of a page.

Consumes a page. Produces :class:`~blocksight.page.metadata.metadata.Metadata` objects.
"""
