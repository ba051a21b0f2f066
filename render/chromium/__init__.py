"""render.chromium: Chromium is started, driven, waited for and read.

Consumes a document and render options. Produces the columns of a page with their geometry.
"""
