"""classify.model: what judges a page's rows: a support vector machine, a second look, and the choice of the content."""
