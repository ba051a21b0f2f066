"""LangChain: a document loader, and a transformer of HTML documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer
from langchain_core.documents import Document as LangChainDocument

from ..document.extract import extract
from ..page.parse import parse
from .open_documents import document_fields, open_documents


class BlocksightLoader(BaseLoader):  # type: ignore[misc, unused-ignore]
    """Load pages as Markdown: one document a page, or one a chunk if ``chunk_tokens`` is given.

    ``sources`` are names, or lists of names; ``options`` are those of
    :func:`~blocksight.integrations.open_documents.open_documents`. A page that fails raises ValueError, or is left out
    with ``skip_failures``.
    """

    def __init__(
        self,
        *sources: str | Iterable[str],
        chunk_tokens: int | None = None,
        skip_failures: bool = False,
        **options: Any,
    ) -> None:
        self._sources = [one for some in sources for one in ([some] if isinstance(some, str) else some)]
        self._chunk_tokens, self._skip, self._options = chunk_tokens, skip_failures, options

    def lazy_load(self) -> Iterator[LangChainDocument]:
        """Yield the documents."""
        for result in open_documents(self._sources, **self._options):
            if result.document is None:
                if not self._skip:
                    raise ValueError(result.error)
                continue
            fields = document_fields(result.document) | {"source": result.source}
            if self._chunk_tokens is None:
                yield LangChainDocument(page_content=result.document.markdown, metadata=fields)
                continue
            for chunk in result.document.chunks(tokens=self._chunk_tokens):
                place = {
                    "headings": list(chunk.headings),
                    "link": chunk.link,
                    "boxes": [list(box) for box in chunk.boxes],
                }
                yield LangChainDocument(page_content=chunk.text, metadata=fields | place)


class BlocksightTransformer(BaseDocumentTransformer):  # type: ignore[misc, unused-ignore]
    """Replace the HTML of documents by the Markdown of its content; no browser is used.

    ``extraction`` are options of :func:`~blocksight.document.extract.extract`.
    """

    def __init__(self, **extraction: Any) -> None:
        self._extraction = extraction

    def transform_documents(self, documents: Sequence[LangChainDocument], **_: Any) -> Sequence[LangChainDocument]:
        """Return new documents with the metadata of the old ones and of the pages."""
        return [self._transformed(document) for document in documents]

    def _transformed(self, document: LangChainDocument) -> LangChainDocument:
        page = parse(document.page_content, url=str(document.metadata.get("source", "")) or "about:blank")
        extracted = extract(page, **self._extraction)
        return LangChainDocument(
            page_content=extracted.markdown, metadata=document_fields(extracted) | document.metadata
        )
