"""The formats of a document, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .chunks import Chunk
    from .content.clean_html import Element


#: A :class:`~blocksight.document.document.Document`, whose module imports this one.
Document = Any


@dataclass(frozen=True, slots=True)
class Format:
    """An output format; ``media`` is its IANA type.

    For pages that are printed together, ``heading`` is the line before each.
    """

    name: str
    title: str
    suffix: str
    media: str
    write: Callable[[Document], str]
    heading: Callable[[str], str] = lambda _: ""


def _markdown(document: Document) -> str:
    if document.served:
        return str(document.served)
    from lxml import etree

    from .content.markdown import to_markdown

    above = "".join(etree.tostring(element, encoding="unicode") for element in _above(document))
    return to_markdown(above + document.content.xml(), spans=document.spans)


def _above(document: Document) -> list[Element]:
    """Return the heading before the content, if there is one."""
    from .headline import headline_of

    heading = headline_of(document.content, document.title) if document.headline else None
    return [] if heading is None else [heading]


def _text(document: Document) -> str:
    from .content.plain_text import plain_text

    return plain_text(document.content.root)


def _html(document: Document) -> str:
    from lxml import etree

    elements = [*_above(document), *document.content.root]
    return "\n".join(etree.tostring(element, encoding="unicode", method="html") for element in elements)


def _json(document: Document) -> str:
    import orjson

    return orjson.dumps(document.to_dict()).decode()


def _chunks(document: Document) -> str:
    return chunk_lines(document.chunks())


def chunk_lines(found: Iterable[Chunk]) -> str:
    """Return chunks as JSON lines."""
    import orjson

    return "".join(orjson.dumps(chunk.to_dict()).decode() + "\n" for chunk in found)


def _records(document: Document) -> str:
    from .records.record_formats import json_lines

    return json_lines((records for records in document.records if records.kind != "navigation"), document.url)


def _comment(page: str) -> str:
    return f"<!-- {page.replace('--', '- -')} -->"


FORMATS: tuple[Format, ...] = (
    Format("markdown", "CommonMark with tables", ".md", "text/markdown", _markdown, _comment),
    Format(
        "text", "plain text, every character verbatim from the page but for marks of lists, formulas and notes",
        ".txt", "text/plain", _text, "=== {}".format,
    ),
    Format(
        "html", "clean markup: headings, lists, tables, code, quotes, links and emphasis",
        ".html", "text/html", _html, _comment,
    ),
    Format(
        "json", "one object with text, Markdown, HTML, the blocks, the pictures and the metadata",
        ".json", "application/json", _json,
    ),
    Format(
        "chunks", "JSON lines: passages along the headings, with their place in the text and on the page",
        ".jsonl", "application/jsonl", _chunks,
    ),
    Format(
        "records", "JSON lines: posts, comments, products, cards, rows with their fields, text, markup and box",
        ".records.jsonl", "application/x-ndjson", _records,
    ),
)  # fmt: skip


def format_named(name: str) -> Format:
    """Return a format by its name; ValueError with the valid names for any other."""
    formats = {form.name: form for form in FORMATS}
    if name not in formats:
        raise ValueError(f"no format is called {name!r}; there are {', '.join(formats)}")
    return formats[name]


def format_of_file(path: Path, name: str | None = None) -> Format:
    """Return the format of a file by suffix, or the named one; ValueError for a suffix of none, or of another one."""
    suffix = path.suffix.lower()
    fitting = [form for form in FORMATS if suffix and form.suffix.endswith(suffix)]
    for form in fitting or FORMATS:
        if form.name == name or (fitting and name is None):
            return form
    if name == "json" and suffix == ".jsonl":  # one object a line
        return format_named(name)
    known = ", ".join(f"{form.suffix} ({form.name})" for form in FORMATS)
    raise ValueError(f"{path}: no file of {name or 'a format'} ends in {suffix!r}; there are {known}")
