"""The parts of a document that its outputs are made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from .block_scores import BlockScore, ParagraphColumns
    from .content.content import Content
    from .content.lazy import Lazy
    from .content.markdown_elements import Spans
    from .metadata.metadata import Metadata


class DocumentParts(Protocol):
    """The parts of a :class:`~blocksight.document.document.Document` that outputs are made of."""

    @property
    def url(self) -> str:
        """Of the page."""

    @property
    def title(self) -> str:
        """Of the page."""

    @property
    def text(self) -> str:
        """The plain text."""

    @property
    def content(self) -> Content:
        """The paragraphs and the tree of clean HTML."""

    @property
    def blocks(self) -> tuple[BlockScore, ...]:
        """One for each paragraph."""

    @property
    def paragraph_columns(self) -> Lazy[ParagraphColumns]:
        """Boxes, lines, scores and roles of the paragraphs."""

    @property
    def metadata(self) -> Metadata:
        """Of the page."""

    @property
    def headline(self) -> bool:
        """Whether the title precedes the content."""

    @property
    def spans(self) -> Spans:
        """How Markdown has cells that span columns or rows."""

    @property
    def partial_reason(self) -> str:
        """Why the page is not complete."""

    def written(self, form: str) -> str:
        """Return the document in a format."""
