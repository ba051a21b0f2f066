"""gold: corpora to pages with gold.

Consumes a corpus in any known form. Produces :class:`~blocksight.gold.pages.GoldPage` objects, their labels, and their
pages, rendered or parsed. Training and evaluation both begin here.
"""
