"""declared: what a page says about itself, word for word: meta elements, JSON-LD, microdata, classes and lines."""
