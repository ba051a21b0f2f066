"""classify.systems.mss: maximum subsequence segmentation in its five forms."""
