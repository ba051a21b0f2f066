"""segment: a page to blocks, a tree or a list over its text leaves."""
