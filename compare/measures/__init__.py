"""compare.measures: an answer and the gold to numbers, each as its source defines it."""
