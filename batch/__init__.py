"""batch: many sources, in a folder where an ended run goes on.

Consumes addresses, files, folders, lists and archives. Produces a row for every input, kept renderings, and what is
left to do.
"""
