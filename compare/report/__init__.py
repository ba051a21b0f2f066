"""compare.report: scores to tables, pictures and one HTML file."""
