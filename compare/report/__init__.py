"""compare.report: reports of scores.

Consumes a table of scores. Produces a leaderboard, plots, pictures, and one HTML file.
"""
