"""batch.sources: expand sources to inputs, one for each page."""
