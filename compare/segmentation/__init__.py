"""compare.segmentation: how well blocks fit other blocks, or the content.

Consumes two segmentations, or blocks and gold. Produces precision, recall and F.
"""
