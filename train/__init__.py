"""train: pages with gold to models: the shipped ones, one's own, and those of the literature."""
