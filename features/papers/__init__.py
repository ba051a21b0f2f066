"""features.papers: the features of the literature, each under its paper's name.

Consumes the rows of a page. Produces the columns of a paper, with its reference.
"""
