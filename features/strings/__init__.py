"""strings: what the texts of a page are made of, and what the names of its elements say."""
