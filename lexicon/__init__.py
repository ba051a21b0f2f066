"""lexicon: words and patterns of many languages for several rooms.

Consumes strings. Produces words, scripts and alternatives of patterns; it is independent of pages.
"""
