"""render.chromium.answered: what a page was answered: its own response, and all that it loaded."""
