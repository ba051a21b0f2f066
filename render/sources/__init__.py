"""render.sources: sources of pages.

Consumes an address, a file, an archive or bytes. Produces the HTML, and access to its local files or archive.
"""
