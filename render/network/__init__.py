"""render.network: what a page may reach: the proxy, and the rules by which it refuses."""
