"""render.chromium.borrowed: pages of a browser that somebody else drives."""
