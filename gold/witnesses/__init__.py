"""gold.witnesses: who says what role a block has, each witness by its own name.

Consumes the rows of a page and its gold. Produces :class:`~blocksight.gold.witnesses.claims.Claim` objects.
"""
