"""app: the command line."""
