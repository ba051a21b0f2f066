"""Outputs of a document besides its formats: chunks, excerpts, rectangles of quotations, files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from ..files.atomic import write_text
from .formats import FORMATS

if TYPE_CHECKING:
    from .chunks import Chunk
    from .document_parts import DocumentParts
    from .excerpt import Excerpt
    from .line_columns import Box


class DocumentOutputs:
    """Outputs of a document besides its formats."""

    __slots__ = ()

    def chunks(
        self: DocumentParts,
        *,
        tokens: int | None = None,
        characters: int | None = None,
        count: Callable[[str], int] | None = None,
    ) -> tuple[Chunk, ...]:
        """Split the document at its headings into chunks of Markdown for a search index.

        A chunk never contains parts of two sections. A section that is too long is split between blocks, items of
        lists, lines, sentences or words, whichever is enough. Tables and code blocks stay whole, even if they are
        longer than the limit (``Chunk.size``).

        Parameters
        ----------
        tokens : int, optional
            Most tokens of a chunk's Markdown, by default 256: words, symbols, and characters of scripts without spaces
            (:func:`~blocksight.document.chunks.count_tokens`). A model's tokeniser usually counts some more.
        characters : int, optional
            Most characters of a chunk's Markdown, instead.
        count : callable, optional
            A model's token count: ``lambda text: len(tokenizer.encode(text))``.

        Raises
        ------
        ValueError
            If both limits are given, ``count`` with characters, or a limit below 1.
        """
        # Only needed here.
        from .chunks import ChunkSource, chunk_limit

        source = ChunkSource(
            content=self.content,
            text=self.text,
            blocks=self.blocks,
            lines=self.paragraph_columns.value.lines,
            title=self.title,
            url=self.url,
            spans=self.spans,
        )
        return source.chunks(chunk_limit(tokens, characters, count))

    def within(self: DocumentParts, tokens: int, *, count: Callable[[str], int] | None = None) -> Excerpt:
        """Return the Markdown of as many blocks from the start as fit in a number of tokens, and what was left out.

        Parameters
        ----------
        tokens : int
            Most tokens of the Markdown, the note about what was left out included.
        count : callable, optional
            A model's token count; by default that of ``tiktoken`` (o200k_base) if it is installed and has its data,
            else an estimate: a token for each word, symbol and four bytes, whichever are more.

        Raises
        ------
        ValueError
            If ``tokens`` is below 1.
        """
        # Only needed here.
        from .excerpt import excerpt

        return excerpt(self, tokens, count)

    def front_matter(self: DocumentParts) -> str:
        """Return the metadata as YAML front matter for Markdown, with the reason why a page is ``partial``."""
        return self.metadata.to_yaml(partial=self.partial_reason)

    def locate(self: DocumentParts, quote: str) -> tuple[Box, ...]:
        """Return the rectangles of the first occurrence of a quotation, one a line, whatever its white space.

        They are (x, y, width, height) in CSS pixels of the page, for :func:`~blocksight.crop`; in a part of a line all
        characters count as equally wide. () if the text does not have the quotation, or the page was not rendered.
        """
        # Only needed here.
        from .content.plain_text import paragraph_ranges
        from .line_columns import located

        return located(self.content, paragraph_ranges(self.content), self.paragraph_columns.value.lines, quote)

    def save(self: DocumentParts, path: str | os.PathLike[str]) -> None:
        """Write the document to a file in the format of its suffix: .md, .txt, .html, .json, .jsonl (chunks), .csv.

        Raises
        ------
        ValueError
            For any other suffix.
        OSError
            If the file cannot be written; a file that was there is unchanged.
        """
        suffix = Path(path).suffix
        form = next((form for form in FORMATS if form.suffix == suffix), None)
        if form is None:
            known = ", ".join(dict.fromkeys(form.suffix for form in FORMATS if form.suffix.count(".") == 1))
            raise ValueError(f"no format has the suffix {suffix!r}; there are {known}")
        write_text(path, self.written(form.name))
