"""The desk over HTTP, for one person on this machine."""
