"""classify.systems.memory: what the pages of one site have in common."""
