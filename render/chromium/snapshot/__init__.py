"""render.chromium.snapshot: the DOM and layout of a live page, decoded into columns.

Consumes a frozen page: the reply of ``DOMSnapshot.captureSnapshot`` and what it omits (positions of frames and of lines
in CSS columns, shadow roots, image sizes). Produces the columns of a page.
"""
