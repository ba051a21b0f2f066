"""page: a web page with one row per DOM node and columns for structure, text, geometry and style.

Consumes HTML, saved files or column arrays. Produces :class:`~blocksight.page.page.Page` objects.
"""
