"""classify: pages to marks, and marks to documents.

Consumes a page and its block table. Produces marks (one bool a text leaf) and a
:class:`~blocksight.document.document.Document`.
"""
