"""lexicon: words and patterns by language, in TOML files, for several rooms.

Consumes strings. Produces words, scripts and alternatives of patterns; it is independent of pages.
"""
