"""segment.pictures: blocks drawn over their page, and cut out of it.

Consumes a page with geometry and its blocks. Produces PNG and HTML.
"""
