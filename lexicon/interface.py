"""Lines of a page's interface that are found between the paragraphs of a text (``interface.toml``)."""

from __future__ import annotations

import re

from .word_lists import alternatives, entries

#: A whole line of a page's interface, in lower case.
INTERFACE = re.compile(alternatives(*entries("interface").values()))
