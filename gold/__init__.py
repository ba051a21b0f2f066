"""gold: corpora, and the labels of their pages.

Consumes a corpus in any known form. Produces :class:`~blocksight.gold.pages.GoldPage` objects, their labels, and their
pages, rendered or parsed.
Training and evaluation both start from them.
"""
