"""classify.document: a page and the marks on it to text, Markdown, HTML and JSON."""
