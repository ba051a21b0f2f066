"""compare.measures: measures of a prediction against a reference, as defined by their sources.

Consumes the output of a system and the gold of a page. Produces numbers by column.
"""
