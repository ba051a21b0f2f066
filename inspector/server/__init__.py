"""inspector.server: a session over HTTP, for one person on this machine."""
