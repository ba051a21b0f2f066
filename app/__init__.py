"""app: the command line.

Consumes the words of a call. Produces results on standard output, all else on standard error, and an exit code.
"""
