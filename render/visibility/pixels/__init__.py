"""render.visibility.pixels: decide visibility by pixels: text is hidden, and the screenshot changes or does not.

Consumes a frozen live page and its uncertain lines. Produces which of them, or of their words, are visible.
"""
