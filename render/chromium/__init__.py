"""render.chromium: start Chromium, load a page in it, wait for it, freeze it and capture it.

Consumes a document and render options. Produces the columns of a page with their geometry.
"""
