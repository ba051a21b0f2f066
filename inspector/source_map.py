"""A document's Markdown or text in parts, each with the text leaves that it was written from.

Every character that comes out stands on the page, in the order of the paragraphs. So the letters and digits of the
paragraphs are found again in what was written, one after the other, whatever signs stand between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: How many letters of a paragraph are looked for at its beginning, most first: signs, and addresses of links, may
#: stand between them.
_BEGINNINGS = (32, 12, 5, 2)
#: How far behind its place a paragraph may begin, in letters: a link's address, the number of an item.
_NEAR = 600
#: Letters of a paragraph that are looked for at once on the way to its end.
_STEP = 12

#: What begins a paragraph's line: the signs of headings, items (with their numbers), rows and quotes.
_SIGNS = re.compile(r"[^\w\n]*(?:\d+[.)] )?[^\w\n]*")

#: A piece of what was written, and the leaves that it is of; none for what was added between.
Part = tuple[str, tuple[int, ...]]


def source_map(written: str, paragraphs: Sequence[tuple[str, Sequence[int]]]) -> list[Part]:
    r"""Cut what was written of a document into its paragraphs.

    Parameters
    ----------
    written : str
        Markdown or text.
    paragraphs : sequence of (str, sequence of int)
        The text of each, and its leaves, in the order in which they are written.

    Returns
    -------
    list of (str, tuple of int)
        Put together they are ``written`` again.

    Examples
    --------
    >>> linked("# Tea\n\nBoil **it**.\n", [("Tea", [0]), ("Boil it.", [1, 2])])
    [('# Tea\n\n', (0,)), ('Boil **it**.\n', (1, 2))]
    """
    places = [place for place, sign in enumerate(written) if sign.isalnum()]
    letters = "".join(written[place] for place in places)
    starts: list[tuple[int, tuple[int, ...]]] = []
    reached = 0
    for text, leaves in paragraphs:
        wanted = "".join(filter(str.isalnum, text))
        start = _begin(letters, wanted, reached)
        if start < 0:
            continue
        starts.append((places[start], tuple(leaves)))
        reached = _end(letters, wanted, start)
    return _parts(written, starts)


def _begin(letters: str, wanted: str, reached: int) -> int:
    for many in _BEGINNINGS:
        beginning = wanted[:many]
        if beginning:
            start = letters.find(beginning, reached, reached + _NEAR + len(beginning))
            if start >= 0:
                return start
    return -1


def _end(letters: str, wanted: str, start: int) -> int:
    """Return where a paragraph ends; addresses of links may stand between its letters."""
    if letters.startswith(wanted, start):
        return start + len(wanted)
    reached = start
    for first in range(0, len(wanted), _STEP):
        piece = wanted[first : first + _STEP]
        found = letters.find(piece, reached, reached + _NEAR + len(piece))
        reached = found + len(piece) if found >= 0 else reached
    return max(reached, start + 1)


def _parts(written: str, starts: Sequence[tuple[int, tuple[int, ...]]]) -> list[Part]:
    if not starts:
        return [(written, ())] if written else []
    begins = [_line_start(written, start) for start, _ in starts]
    parts: list[Part] = [(written[: begins[0]], ())] if begins[0] else []
    ends = [*begins[1:], len(written)]
    return parts + [(written[b:e], leaves) for b, e, (_, leaves) in zip(begins, ends, starts, strict=True)]


def _line_start(written: str, start: int) -> int:
    """Go back over the signs that begin a paragraph's line: ``#``, ``-``, ``|``."""
    line = written.rfind("\n", 0, start) + 1
    return line if _SIGNS.fullmatch(written[line:start]) else start
