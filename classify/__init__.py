"""classify: a page's blocks to marks on its text, and marks to documents."""
