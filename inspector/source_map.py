"""A source map: a document's Markdown or text in parts, each with the text leaves of its paragraph.

The letters and digits of the paragraphs occur in the output in order, with any markup between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

#: Lengths of the prefix of a paragraph that is searched: later letters may be interrupted by addresses of links.
_PREFIXES = (32, 12, 5, 2)
#: Largest number of letters before a paragraph, such as a link's address or the number of an item.
_NEAR = 600
#: Letters of a paragraph that are searched at once on the way to its end.
_STEP = 12

#: The markup at the start of a line: of headings, items (with their numbers), rows and quotes.
_MARKUP = re.compile(r"[^\w\n]*(?:\d+[.)] )?[^\w\n]*")

#: A part of the output, and its leaves; none for text between paragraphs.
Part = tuple[str, tuple[int, ...]]


def source_map(output: str, paragraphs: Sequence[tuple[str, Sequence[int]]]) -> list[Part]:
    r"""Split the output of a document into its paragraphs, given as (text, leaves) in order.

    Examples
    --------
    >>> source_map("# Tea\n\nBoil **it**.\n", [("Tea", [0]), ("Boil it.", [1, 2])])
    [('# Tea\n\n', (0,)), ('Boil **it**.\n', (1, 2))]
    """
    offsets = [offset for offset, char in enumerate(output) if char.isalnum()]
    letters = "".join(output[offset] for offset in offsets)
    starts: list[tuple[int, tuple[int, ...]]] = []
    reached = 0
    for text, leaves in paragraphs:
        paragraph = "".join(filter(str.isalnum, text))
        start = _start(letters, paragraph, reached)
        if start < 0:
            continue
        starts.append((offsets[start], tuple(leaves)))
        reached = _end(letters, paragraph, start)
    return _parts(output, starts)


def _start(letters: str, paragraph: str, reached: int) -> int:
    for length in _PREFIXES:
        if prefix := paragraph[:length]:
            start = letters.find(prefix, reached, reached + _NEAR + len(prefix))
            if start >= 0:
                return start
    return -1


def _end(letters: str, paragraph: str, start: int) -> int:
    """Return the end of a paragraph; addresses of links may be between its letters."""
    if letters.startswith(paragraph, start):
        return start + len(paragraph)
    reached = start
    for first in range(0, len(paragraph), _STEP):
        piece = paragraph[first : first + _STEP]
        index = letters.find(piece, reached, reached + _NEAR + len(piece))
        reached = index + len(piece) if index >= 0 else reached
    return max(reached, start + 1)


def _parts(output: str, starts: Sequence[tuple[int, tuple[int, ...]]]) -> list[Part]:
    if not starts:
        return [(output, ())] if output else []
    first = [_line_start(output, start) for start, _ in starts]
    parts: list[Part] = [(output[: first[0]], ())] if first[0] else []
    last = [*first[1:], len(output)]
    return parts + [(output[b:e], leaves) for b, e, (_, leaves) in zip(first, last, starts, strict=True)]


def _line_start(output: str, start: int) -> int:
    """Return the start of a paragraph with the markup before it: ``#``, ``-``, ``|``."""
    line = output.rfind("\n", 0, start) + 1
    return line if _MARKUP.fullmatch(output[line:start]) else start
