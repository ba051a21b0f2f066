"""The element with the text of records: the one whose text differs and reads like prose."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..page.arrays import MOST, MOSTLY, SOME, BoolColumn, FloatArray
from ..page.clean_text import clean_leaves
from .field_columns import Aligned
from .field_values import CACHED, PROSE

#: Class names of the text of a post, and of the elements around it.
_CALLED_TEXT = re.compile(
    r"(?:post|message|comment|answer|reply|review|topic|entry|article)[-_]*(?:body|content|text|inner|message)|cooked"
    r"|(?:^|[-_ ])(?:content|message|markdown|bbwrapper|body|text|description|excerpt|summary|prose|inhalt"
    r"|texte)(?:$|[-_ ])"
)
_CALLED_OTHER = re.compile(
    r"user|author|profile|avatar|(?:^|[-_ ])sig|foot|action|button|control|react|like(?:s|r)|vote|share|tool|badge"
    r"|(?:^|[-_ ])rank"
    r"|stat(?:s|istic)|attribution|header|head(?:er)?(?:$|[-_ ])|meta|menu|breadcrumb|date|time|count|quote"
    r"|last-?edit|editnote|edited-by"
)
#: Elements that are parts of a text.
_PARTS = frozenset("p li a span b i em strong h1 h2 h3 h4 h5 h6 blockquote pre code q cite dt dd tr img".split())
#: Least characters of prose in scripts without spaces.
PROSE_UNSPACED = 10
_UNSPACED = re.compile("[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")


def is_prose(text: str) -> bool:
    """Return whether a text is as long as a sentence."""
    return len(text) >= PROSE or (len(text) >= PROSE_UNSPACED and bool(_UNSPACED.search(text)))


def prose_marks(texts: Sequence[str], lengths: FloatArray) -> BoolColumn:
    """Return which texts are as long as a sentence (:func:`is_prose`), bool (texts,), given their lengths."""
    prose = lengths >= PROSE
    for number in (~prose & (lengths >= PROSE_UNSPACED)).nonzero()[0].tolist():
        text = texts[number]
        prose[number] = not text.isascii() and _UNSPACED.search(text) is not None
    return prose


def body_place(aligned: Aligned) -> int:
    """Return the place of the text of the records, 0 for the whole record."""
    weight, present = _weights(aligned)
    below: dict[int, list[int]] = {}
    for number, place in enumerate(aligned.places[1:], 1):
        below.setdefault(place.above, []).append(number)
    here = 0
    while weight[here] > 0:
        best = max(below.get(here, ()), key=lambda place: weight[place], default=-1)
        if best >= 0 and aligned.places[best].tag == "tr":
            # A row is no text, and one of its cells may be: the user is left of it.
            best = max(below.get(best, ()), key=lambda place: weight[place], default=-1)
        if best < 0 or weight[best] < MOSTLY * weight[here]:
            break
        several = sum(cells.counts.get(best, 0) > 1 for cells in aligned.cells)
        if aligned.places[best].tag == "blockquote":
            # An element of all records with all of their text is no quote.
            whole = present[best] >= MOST * len(aligned.cells) and weight[best] >= MOST * weight[here]
            if not whole or several:
                break
        elif aligned.places[best].tag in _PARTS or several * 2 > max(present[best], 1):
            break
        here = best
    return here


def _weights(aligned: Aligned) -> tuple[list[float], list[int]]:
    """Return the prose of prose in each place, and the number of records that have it."""
    weight, present = [0.0] * len(aligned.places), [0] * len(aligned.places)
    trust = [*map(_trust, aligned.names)]
    texts, linked, paths = clean_leaves(aligned.page), aligned.linked.tolist(), aligned.paths
    for cells in aligned.cells:
        for place in cells.counts:
            present[place] += 1
        left_out = cells.boilerplate | cells.signed
        for leaf, place in zip(cells.leaves, cells.places, strict=True):
            if leaf in left_out:
                continue
            text = texts[leaf]
            prose = len(text) * (1.0 if is_prose(text) else SOME) * (SOME if linked[leaf] else 1.0) * trust[place]
            for one in paths[place]:
                weight[one] += prose
    return weight, present


@lru_cache(CACHED)
def _trust(called: str) -> float:
    """Return the weight of texts by their class names, less than 1 for those around the text of a record."""
    if _CALLED_TEXT.search(called):
        return 2.0
    return SOME if _CALLED_OTHER.search(called) else 1.0


def is_named_otherwise(called: str) -> bool:
    """Return whether class names are those of elements around the text."""
    return _trust(called) < 1
