"""document.verdict: what a page is to a reader, with the evidence; and the regions that were left out.

Consumes a page and the marks of its content. Produces a :class:`~.verdict.Verdict` and :class:`~.dropped.Region` rows.
"""
