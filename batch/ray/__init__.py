"""batch.ray: the stages of a batch on a Ray cluster.

Consumes a Ray data set of addresses or files. Produces a Ray data set of rows.
"""
