"""Records of a page: posts, comments, products, cards and rows, with their fields."""
