"""compare.segmentation: comparison of a segmentation with another one.

Consumes two segmentations. Produces precision, recall and F.
"""
