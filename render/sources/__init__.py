"""render.sources: what can be opened.

Consumes an address, a file, an archive or bytes. Produces the HTML at hand, and what may be used beside it.
"""
