"""app.service: pages over HTTP, for programs on this machine.

Consumes requests with an address, HTML or a saved page. Produces JSON, saved pages and counts.
"""
