"""gold: corpora in every form to pages with gold, their labels, and their rendering."""
