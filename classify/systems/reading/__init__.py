"""classify.systems.reading: the ways in which systems read a page.

Consumes a page. Produces a stream of words and tags, lines, or text nodes.
"""
