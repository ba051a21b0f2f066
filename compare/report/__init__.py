"""compare.report: scores to something to look at.

Consumes a table of scores. Produces a leader board, pictures, and one HTML file.
"""
