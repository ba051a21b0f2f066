"""features.export: block tables as data sets in files.

Consumes tables of many pages. Produces files in seven formats and a data dictionary.
"""
