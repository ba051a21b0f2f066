"""render.saved: pages in files.

Consumes a page. Produces one file that loads back the same, and refuses one that is damaged.
"""
