"""The map of a page: its regions and controls, for programs and language models that act on pages."""

from __future__ import annotations
