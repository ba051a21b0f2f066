"""classify.document: marks to what is written.

Consumes a page and its marks. Produces text, Markdown, HTML and JSON.
"""
