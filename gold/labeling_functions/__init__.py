"""gold.labeling_functions: labeling functions: heuristics that vote on the role of each gold block.

Consumes the rows of a page and its gold. Produces :class:`~blocksight.gold.labeling_functions.label_context.Vote`
objects.
"""
