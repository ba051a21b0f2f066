"""Generators of pages and files for tests and benchmarks: hostile, damaged, growing, cluttered, hidden text."""
