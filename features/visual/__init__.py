"""features.visual: where a block stands and what it looks like, on rendered pages."""
