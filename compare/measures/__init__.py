"""compare.measures: an answer and the gold to numbers, each as its source defines it.

Consumes an answer and the gold of a page. Produces one number a column.
"""
