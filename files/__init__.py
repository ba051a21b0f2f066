"""files: write files atomically and read compressed or packed data within size limits.

Consumes bytes and paths. Produces files that are complete or absent, and bounded streams.
"""
