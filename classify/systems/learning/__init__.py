"""classify.systems.learning: the tools of systems that learn from labelled pages."""
