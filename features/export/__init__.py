"""features.export: block tables to data sets in files.

Consumes tables of many pages. Produces files in seven formats and a data dictionary.
"""
