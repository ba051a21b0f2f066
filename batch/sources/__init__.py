"""batch.sources: from what a person names to inputs, one a page."""
