"""document.verdict: the verdict on a page with its evidence, and the regions that were left out.

Consumes a page and the marks of its content. Produces a :class:`~.verdict.Verdict` and :class:`~.dropped.Region` rows.
"""
