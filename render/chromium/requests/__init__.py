"""render.chromium.requests: intercept and record the network requests of a page.

Consumes requests and responses of the browser. Produces responses that are allowed, blocked, replaced or recorded.
"""
