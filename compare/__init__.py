"""compare: how well systems do, on pages with gold."""
