"""Limits that keep parsing linear in the size of the document.

The parser is linear and limits nesting to 512 elements, as browsers do. By the HTML standard, though, an unclosed
formatting element (``b``, ``font`` ...) is reopened in each following block: 10 MB of ``<font color=1>x<p>`` are
hundreds of millions of elements.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter

import numpy as np

from ..errors import PageFailed
from . import arrays


def any_case(name: str) -> str:
    """Return an expression for an ASCII name in any case, which is found several times as fast as without case."""
    return "".join(f"[{letter}{letter.upper()}]" for letter in name)


#: Maximum number of elements that reopened formatting elements may cause; of 970 pages in 21 corpora the worst could
#: reach half of it.
MAX_ELEMENTS = 4_000_000
_MAX_OPEN = 512

_NAMES = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
#: The first letters alone end the search at most tags.
_FORMATTING = re.compile(rf"<(?=[bcefinstuBCEFINSTU])(?:{'|'.join(map(any_case, _NAMES.split('|')))})(?=[\s/>])")
#: Start tags whose attributes can be matched without the parser.
_PLAIN = re.compile(
    rf"<({_NAMES})(?:\s+[^\s\"'<>/=]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>=`]+))?)*+\s*+>", re.IGNORECASE
)
#: Elements with equal attributes are reopened at most three times ("Noah's Ark clause", HTML Standard, 13.2.4.3).
_MAX_EQUAL = 3

#: A second ``html`` or ``body`` adds its attributes to the first, which the parser copies each time.
_ROOT = re.compile(rf"<(?=(?:{any_case('html')}|{any_case('body')})[\s/>])")
_MAX_ROOTS = 16
#: Names that are counted, and their kinds.
_COUNTED = {"html": 1, "body": 1, "template": 2} | dict.fromkeys(_NAMES.split("|"), 3)
_COUNTED_NAMES = "".join(f"{name} " for name in _COUNTED).encode()
_COUNTED_KINDS = np.asarray([*_COUNTED.values()], dtype=np.int32)


def is_plain(html: bytes) -> bool:
    """Return whether a document in UTF-8 surely has neither too many tags for :func:`limit_elements` nor a template."""
    if not arrays.compiled:
        return False
    arrays.compiled.count_tags(html, _COUNTED_NAMES, _COUNTED_KINDS, counts := np.empty(4, dtype=np.int64))
    tags, roots, templates, formatting = counts.tolist()
    reopened = min(tags, 1 + formatting, _MAX_OPEN)
    return bool(tags * reopened <= MAX_ELEMENTS and roots <= _MAX_ROOTS and not templates)


def limit_elements(text: str, url: str) -> str:
    """Return a document that cannot exceed :data:`MAX_ELEMENTS` by unclosed formatting elements, else raise PageFailed.

    Hardly any page is changed: formatting elements lose their attributes, so that few differ, and excess ``html`` and
    ``body`` tags become comments.
    """
    text = _limit_roots(text)
    if _max_elements(text) > MAX_ELEMENTS:
        text = _PLAIN.sub(r"<\1>", text)
        if _max_elements(text) > MAX_ELEMENTS:
            raise PageFailed(url, "formatting elements that are never closed make it too large to be read")
    return text


def _limit_roots(text: str) -> str:
    roots = [match.start() for match in _ROOT.finditer(text)]
    if len(roots) <= _MAX_ROOTS:
        return text
    cuts = [0, *(root + 1 for root in roots[_MAX_ROOTS:]), len(text)]
    return "!".join(text[first:last] for first, last in itertools.pairwise(cuts))


def _max_elements(text: str) -> int:
    """Return an upper bound of the number of elements: all formatting elements are reopened at each tag.

    Only a parser knows which of them are open; end tags are ignored, since they can be written to close nothing.
    """
    tags = text.count("<")
    if tags * min(tags, _MAX_OPEN) <= MAX_ELEMENTS:
        return tags
    formatting = len(_FORMATTING.findall(text))
    if (most := tags * (1 + min(formatting, _MAX_OPEN))) <= MAX_ELEMENTS:
        return most
    plain = Counter(match[0] for match in _PLAIN.finditer(text))
    complex_tags = formatting - plain.total()
    different = sum(min(count, _MAX_EQUAL) for count in plain.values()) + complex_tags
    return tags * (1 + min(different, _MAX_OPEN))
