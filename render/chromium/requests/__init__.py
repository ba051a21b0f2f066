"""render.chromium.requests: the network requests of a page, intercepted and recorded.

Consumes requests and responses of the browser. Produces allowed, blocked or recorded responses.
"""
