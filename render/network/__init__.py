"""render.network: what a page may reach.

Consumes the browser's requests. Produces answers, or refusals with their reason.
"""
