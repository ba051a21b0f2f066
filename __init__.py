"""blocksight: the content of a web page by what a person sees."""
