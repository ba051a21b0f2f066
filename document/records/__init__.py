"""document.records: data records of a page: posts, products, search results.

Consumes a page and its repeated groups. Produces :class:`~blocksight.document.records.record.RecordSet` objects.
"""
