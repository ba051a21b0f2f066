"""gold.labeling_functions: labeling functions, heuristics that vote on the role of each row of a page.

Consumes a :class:`~blocksight.gold.labeling_functions.label_context.LabelContext`. Produces
:class:`~blocksight.gold.labeling_functions.label_context.Vote` objects. Labels must not be a copy of the features of a
model: gold shares word lists with ``features``, but no rules.
"""
