"""render.unpacking: bytes out of files that pack them, counted while they are read."""
