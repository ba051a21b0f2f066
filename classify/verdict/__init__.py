"""classify.verdict: the verdict on a page with its evidence.

Consumes a page and the marks of its content. Produces a :class:`~.verdict.Verdict`.
"""
