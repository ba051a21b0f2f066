"""classify.systems.reading: linear representations of a page.

Consumes a page. Produces a stream of words and tags, or lines of text.
"""
