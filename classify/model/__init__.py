"""classify.model: what judges a page's rows.

Consumes a block table. Produces the probability of each row, and the choice of the content.
"""
