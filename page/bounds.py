"""What keeps the reading of raw HTML linear in its size: the two ways in which a small document can grow without end.

The parser itself is linear and, as browsers do, opens no more than 512 elements within each other. By the rules of the
HTML standard, though, a formatting element (``b``, ``font`` ...) that is never closed is opened anew in each block that
follows: 10 MB of ``<font color=1>x<p>`` are hundreds of millions of elements.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter

from ..errors import PageFailed

#: Most elements that formatting elements may multiply a page to. Of 970 pages of 21 corpora the worst could be half.
MAX_ELEMENTS = 4_000_000
_MOST_OPEN = 512

_NAMES = "b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u"
_FORMATTING = re.compile(rf"<(?:{_NAMES})(?=[\s/>])", re.IGNORECASE)
#: Those whose end and attributes can be told without the parser.
_PLAIN = re.compile(
    rf"<({_NAMES})(?:\s+[^\s\"'<>/=]+(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'<>=`]+))?)*+\s*+>", re.IGNORECASE
)
#: Of elements with the same attributes three are opened anew ("Noah's Ark clause", HTML Standard, 13.2.4.3).
_ALIKE = 3

#: A second ``html`` or ``body`` adds its attributes to the first, which the parser copies each time.
_ROOT = re.compile(r"<(?=(?:html|body)[\s/>])", re.IGNORECASE)
_MOST_ROOTS = 16


def limit_elements(text: str, url: str) -> str:
    """Return a document that cannot grow beyond :data:`MAX_ELEMENTS` by unclosed formatting elements.

    Hardly any page is changed. Where it must be, formatting elements lose their attributes, so that few differ; of many
    ``html`` and ``body`` tags the later ones become comments.

    Raises
    ------
    PageFailed
        When the document could grow beyond that all the same.
    """
    text = _few_roots(text)
    if _reach(text) > MAX_ELEMENTS:
        text = _PLAIN.sub(r"<\1>", text)
        if _reach(text) > MAX_ELEMENTS:
            raise PageFailed(url, "formatting elements that are never closed make it too large to be read")
    return text


def _few_roots(text: str) -> str:
    roots = [found.start() for found in _ROOT.finditer(text)]
    if len(roots) <= _MOST_ROOTS:
        return text
    cuts = [0, *(root + 1 for root in roots[_MOST_ROOTS:]), len(text)]
    return "!".join(text[first:last] for first, last in itertools.pairwise(cuts))


def _reach(text: str) -> int:
    """Return how many elements there could be: at each tag, all formatting elements anew.

    What formatting elements are open only a parser knows; here all are, since end tags can be made to close nothing.
    """
    tags = text.count("<")
    if tags * min(tags, _MOST_OPEN) <= MAX_ELEMENTS:
        return tags
    plain = Counter(found[0] for found in _PLAIN.finditer(text))
    unclear = len(_FORMATTING.findall(text)) - plain.total()
    different = sum(min(count, _ALIKE) for count in plain.values()) + unclear
    return tags * (1 + min(different, _MOST_OPEN))
