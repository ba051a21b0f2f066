"""render.chromium.snapshot: the DOM and layout of a live page, decoded into columns.

Consumes the reply of ``DOMSnapshot.captureSnapshot`` and what it omits (form values, shadow roots, images). Produces
the columns of a page.
"""
