"""render: a URL, a file or bytes to a :class:`~blocksight.render.page.Page`, through a browser or by lxml alone."""
