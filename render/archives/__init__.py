"""render.archives: web archives (WARC, WACZ, MHTML) as recorded responses.

Consumes archive files. Produces :class:`~blocksight.render.archives.resource.Resource` objects by method and address.
"""
