"""classify.systems.fiasco: FIASCO and KrdWrd."""
