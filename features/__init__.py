"""features: blocks to a table of numbers.

Consumes a page and its blocks. Produces a table: one row a block, one documented column a feature.
"""
