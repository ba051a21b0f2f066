"""segment: a page to blocks.

Consumes a :class:`~blocksight.page.page.Page`. Produces :class:`~blocksight.segment.blocks.Blocks`, a tree or a list
over the page's text leaves.
"""
