"""Which names of encodings stand for encodings of pages; Python knows others, which are none or take forever."""

from __future__ import annotations

import codecs

#: Names for single words, for source code, and for what browsers refuse to read.
_OF_NO_PAGE = frozenset({"idna", "punycode", "undefined", "unicode-escape", "raw-unicode-escape", "unicode_escape"})
_OF_NO_PAGE |= {"raw_unicode_escape", "utf-7", "mbcs", "oem"}


def is_page_encoding(name: str) -> bool:
    """Return whether a page can be written in an encoding of this name.

    Examples
    --------
    >>> is_page_encoding("Shift_JIS"), is_page_encoding("hex"), is_page_encoding("punycode"), is_page_encoding("none")
    (True, False, False, False)
    """
    try:
        found = codecs.lookup(name)
        "".encode(name)  # what codes bytes as other bytes is refused here
    except (LookupError, ValueError):
        return False
    return found.name not in _OF_NO_PAGE
