"""render.chromium.snapshot: what the browser answers when it is asked for all of a page, read into columns."""
