"""classify.metadata: what a page says about itself, and what it shows of that.

Consumes a page. Produces title, authors, dates and the like, each with its source.
"""
