"""classify.systems.victor: Victor."""
