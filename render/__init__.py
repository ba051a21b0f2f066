"""render: a URL, a file or bytes to a :class:`~blocksight.render.page.Page`, by a browser or from raw HTML alone."""
