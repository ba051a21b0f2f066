"""render.network: network access of pages.

Consumes the browser's requests. Produces responses, or refusals with their reason.
"""
