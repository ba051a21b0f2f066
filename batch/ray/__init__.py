"""batch.ray: extraction as a step of a Ray Data pipeline.

Consumes a Ray data set of addresses, files or documents. Produces a Ray data set of rows.
"""
