"""What is kept of a page in WARC: what the browser loaded, the rendered DOM, and the text that came of it."""

from __future__ import annotations

from pathlib import Path

from ...files.atomic import write_bytes
from ...files.bounded_reader import BoundedReader
from ...page.page import Page
from ...page.to_html import to_html
from ...render.archives.warc import records
from ...render.archives.warc_writer import one_line, packed, record
from ...version import VERSION
from ..row_schema import Row
from .shards import disk_named
from .warc_output import pending_path

#: What was loaded was counted when it was.
_NO_LIMIT = 1 << 62


def keep_warc(folder: Path, page: Page, row: Row) -> None:
    """Write the archive of an input, whole or not at all.

    Its records are a ``warcinfo``, the answers as they came, a ``conversion`` of the page into the HTML that a person
    saw (shadow trees and frames in their places), and one into the text of its row.

    Raises
    ------
    RunStopped
        When it cannot be written.
    """
    loaded = page.warc or b""
    address = (row["final_address"] or row["url"] or Path(row["source"]).absolute().as_uri()).partition("#")[0]
    refers = _record_of(loaded, address)
    told = f"software: blocksight {VERSION}\r\nformat: WARC File Format 1.1\r\nblocksight-id: {row['id']}\r\n"
    kept = [_plain("warcinfo", told, "application/warc-fields", "", None)]
    kept.append(_plain("conversion", to_html(page), "text/html; charset=utf-8", address, refers))
    if row["text"] is not None:
        kept.append(_plain("conversion", row["text"], "text/plain; charset=utf-8", address, refers))
    path = pending_path(folder, row["id"])
    with disk_named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, packed(kept[:1]) + loaded + packed(kept[1:]))


def _plain(kind: str, said: str, content_type: str, address: str, refers: str | None) -> bytes:
    more = [("WARC-Refers-To", refers)] if refers else []
    return record(kind, said.encode("utf-8", "replace"), content_type, address=address, more=more)[1]


def _record_of(loaded: bytes, address: str) -> str | None:
    """Return the identity of the last answer under an address; what the answers hold could look like heads."""
    heads = [fields for fields, _ in records(BoundedReader(loaded, most=_NO_LIMIT), 0)]
    found = [fields["warc-record-id"] for fields in heads if fields["warc-target-uri"] == one_line(address)]
    return found[-1] if found else None
