"""render.visibility.pixels: decide visibility by pixels: text is switched off, and the screenshot changes or does not.

Consumes a live page and its undecided lines. Produces which of them are visible.
"""
