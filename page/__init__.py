"""page: the page: one row per DOM node, with columns for structure, text, geometry and style.

Consumes HTML, saved files or column arrays. Produces :class:`~blocksight.page.page.Page` objects.
"""
