"""LlamaIndex: a reader of pages, and a node parser of HTML documents."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import BaseNode, MetadataMode
from llama_index.core.schema import Document as LlamaDocument

from ..document.extract import extract
from ..page.parse import parse
from .open_documents import document_fields, open_documents


class BlocksightReader(BaseReader):  # type: ignore[misc, unused-ignore]
    """Read pages as Markdown, one document a page.

    ``options`` are those of :func:`~blocksight.integrations.open_documents.open_documents`. A page that fails raises
    ValueError.
    """

    def __init__(self, **options: Any) -> None:
        self._options = options

    def lazy_load_data(self, sources: Iterable[str]) -> Iterable[LlamaDocument]:
        """Yield the document of each address or file."""
        for result in open_documents(sources, **self._options):
            if result.document is None:
                raise ValueError(result.error)
            fields = document_fields(result.document) | {"source": result.source}
            yield LlamaDocument(text=result.document.markdown, metadata=fields)


class BlocksightNodeParser(NodeParser):  # type: ignore[misc, unused-ignore]
    """Divide HTML documents into nodes along their headings, without menus and notices."""

    chunk_tokens: int = 256

    @classmethod
    def class_name(cls) -> str:
        """Return the name under which LlamaIndex stores it."""
        return "BlocksightNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:
        del show_progress
        parsed: list[BaseNode] = []
        for node in nodes:
            chunks = extract(parse(node.get_content(metadata_mode=MetadataMode.NONE))).chunks(tokens=self.chunk_tokens)
            split = build_nodes_from_splits([chunk.text for chunk in chunks], node, id_func=self.id_func)
            for one, chunk in zip(split, chunks, strict=True):
                one.metadata |= {"headings": " > ".join(chunk.headings)}
            parsed += split
        return parsed
