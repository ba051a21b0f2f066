"""segment.pictures: pictures of blocks over their page, and parts of its screenshot.

Consumes a page with geometry and its blocks. Produces PNG and HTML.
"""
