"""pandas and Hugging Face datasets: the documents of pages as a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from .open_documents import document_fields, open_documents

if TYPE_CHECKING:
    import pandas
    from datasets import Dataset


def read_pages(sources: str | Iterable[str], **options: Any) -> pandas.DataFrame:
    """Read pages into a data frame, one row a page, as ``pandas.read_html`` does with tables.

    Parameters
    ----------
    sources : str or iterable of str
        Addresses, HTML files, saved pages.
    **options
        Of :func:`~blocksight.integrations.open_documents.open_documents`: browser, options, system, keep ...

    Returns
    -------
    pandas.DataFrame
        source, url, title, text, markdown, language, authors, published, page_type, confidence, hidden_instructions,
        error.
    """
    import pandas

    return pandas.DataFrame(list(page_rows(sources, **options)))


def pages_dataset(sources: str | Iterable[str], **options: Any) -> Dataset:
    """Return the same rows as a Hugging Face dataset, which keeps them on disk."""
    from datasets import Dataset

    listed = [sources] if isinstance(sources, str) else list(sources)
    return Dataset.from_generator(page_rows, gen_kwargs={"sources": listed, **options})


def page_rows(sources: str | Iterable[str], **options: Any) -> Iterator[dict[str, Any]]:
    """Yield a row for each page, also for one that failed."""
    empty: dict[str, Any] = {
        "url": "", "title": "", "language": "", "authors": [], "published": "", "page_type": "", "confidence": None,
        "hidden_instructions": 0,
    }  # fmt: skip
    for result in open_documents([sources] if isinstance(sources, str) else sources, **options):
        document = result.document
        yield {
            "source": result.source,
            "text": document.text if document else "",
            "markdown": document.markdown if document else "",
            **(document_fields(document) if document else empty),
            "error": result.error,
        }
