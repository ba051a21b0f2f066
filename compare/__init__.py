"""compare: how well systems do.

Consumes marks and gold. Produces scores, reports, and the agreement of systems.
"""
