"""document.content: the content as a clean tree, and its serialisations as text, Markdown and HTML.

Consumes a page and the marks of its content. Produces :class:`~blocksight.document.content.content.Content` objects.
"""
