"""document: the document of a page, written as text, Markdown, HTML, JSON or chunks.

Consumes a page, the marks of its content and block scores. Produces :class:`~blocksight.document.document.Document`
objects.
"""
