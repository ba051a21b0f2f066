"""segment.pictures: pictures of blocks over their page, and crops of them.

Consumes a page with geometry and its blocks. Produces PNG and HTML.
"""
