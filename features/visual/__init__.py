"""features.visual: features of the rendered page."""
