"""Progress of long work: the callback that reports it and the display that shows it."""

from __future__ import annotations

from collections.abc import Callable

#: Is called with what is being done, how much of it is done, and of how much.
Progress = Callable[[str, int, int], None]
