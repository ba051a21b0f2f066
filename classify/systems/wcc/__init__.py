"""classify.systems.wcc: web content cleaning: a heuristic, a decision tree, a language model, a genetic search."""
