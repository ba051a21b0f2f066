"""features.papers: the features of the literature, each under its paper's name."""
