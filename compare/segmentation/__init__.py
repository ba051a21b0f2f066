"""compare.segmentation: how well blocks fit other blocks, or the content."""
