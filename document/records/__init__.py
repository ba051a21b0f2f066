"""Records of a document: sets of posts, comments, cards or rows with their fields, and their formats."""
