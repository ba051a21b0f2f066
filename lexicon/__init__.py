"""lexicon: words and patterns of many languages that several stages look up.

Consumes strings. Produces words, scripts and compiled patterns; it knows no page.
"""
