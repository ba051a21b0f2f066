"""classify.model: the trained model.

Consumes a block table. Produces the probability of each row, and the selection of the content.
"""
