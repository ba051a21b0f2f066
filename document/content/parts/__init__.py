"""document.content.parts: elements that need special treatment: code, formulas, footnotes, images, headings.

Consumes a page and the marks of its content. Produces nodes to keep, replace or drop.
"""
