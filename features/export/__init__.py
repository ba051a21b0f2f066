"""features.export: block tables to data sets in files."""
