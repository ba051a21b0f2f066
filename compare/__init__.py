"""compare: evaluation and comparison of systems.

Consumes marks and gold. Produces scores, reports, and the agreement of systems.
"""
