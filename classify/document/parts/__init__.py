"""classify.document.parts: what stands in marked text beside text.

Consumes a page and its marks. Produces pictures, formulas, footnotes, films and the like, which are written in their
places.
"""
