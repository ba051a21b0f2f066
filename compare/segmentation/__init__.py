"""compare.segmentation: comparison of a segmentation with another one, or with the content.

Consumes two segmentations, or blocks and gold. Produces precision, recall and F.
"""
