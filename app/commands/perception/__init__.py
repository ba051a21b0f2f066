"""Commands about what a person perceives of a page, for programs that act in their place."""

from __future__ import annotations
