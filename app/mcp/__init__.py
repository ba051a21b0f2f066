"""app.mcp: pages for programs with a language model, by the Model Context Protocol."""

from __future__ import annotations
