"""features: blocks to a table of numbers, one row a block, one documented column a feature."""
