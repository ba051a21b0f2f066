"""render: rendering of web pages to columns.

Consumes an address, HTML, an archive or a saved page. Produces a :class:`~blocksight.page.page.Page`, through a
browser or, without geometry, by a parser alone.
"""
