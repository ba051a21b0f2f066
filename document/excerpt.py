"""The start of a document within a number of tokens, cut at a block, with what was left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from .chunks import estimate_tokens
from .content.content import Content
from .content.markdown import to_markdown
from .content.markdown_elements import Spans
from .content.markdown_pieces import joined, pieces_of
from .headline import headline_of

_ESTIMATE = "an estimate: words and symbols, at least a token for 4 bytes"

Count = Callable[[str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The start of a document.

    ``markdown`` ends with a comment that says what was left out, if anything was. ``tokens`` are those of the Markdown,
    ``all_tokens`` those of the whole document; ``counted_by`` says how they were counted. ``left_out`` is the number of
    blocks that are left out, ``blocks`` that of all, and ``headings`` are the headings that are left out.
    """

    markdown: str
    tokens: int
    all_tokens: int
    counted_by: str
    left_out: int
    blocks: int
    headings: tuple[str, ...]


def excerpt(
    content: Content, text: str, headline: str, tokens: int, *, spans: Spans = "blank", count: Count | None = None
) -> Excerpt:
    """Return the start of a document: :meth:`~blocksight.document.document.Document.within`; ``headline`` may be ""."""
    if tokens < 1:
        raise ValueError(f"tokens must be 1 or more, not {tokens}")
    by, counted = ("the given function", count) if count else (_ESTIMATE, estimate_tokens)
    above = headline_of(content, headline) if headline else None
    title = "" if above is None else to_markdown(etree.tostring(above, encoding="unicode")).rstrip("\n")
    pieces = pieces_of(content, lambda _: True, spans)
    names = {n: text[piece.start : piece.end] for n, piece in enumerate(pieces) if piece.level}

    def written(kept: int) -> str:
        text = "\n\n".join(filter(None, (title, joined(pieces[:kept]))))
        if kept == len(pieces):
            return f"{text}\n" if text else ""
        return f"{text}\n\n<!-- {_note(kept, len(pieces), by)} -->\n".lstrip("\n")

    whole = counted(written(len(pieces)))
    low, high = 0, len(pieces)
    # The tokens grow with each block.
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if counted(written(middle)) <= tokens else (low, middle - 1)
    kept = low
    while 0 < kept < len(pieces) and pieces[kept - 1].level:
        kept -= 1  # a heading without its text
    return Excerpt(
        markdown=written(kept),
        tokens=counted(written(kept)),
        all_tokens=whole,
        counted_by=by,
        left_out=len(pieces) - kept,
        blocks=len(pieces),
        headings=tuple(name for n, name in names.items() if n >= kept),
    )


def _note(kept: int, blocks: int, by: str) -> str:
    return f"{blocks - kept} of {blocks} blocks left out; tokens counted by {by}"
