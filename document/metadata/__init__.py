"""document.metadata: title, authors, dates, language and other metadata of a page.

Consumes a page. Produces :class:`~blocksight.document.metadata.metadata.Metadata` objects.
"""
