"""What is kept of a page in WARC: what the browser loaded, the rendered DOM, and the text that came of it."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from ...render.files import write_bytes
from ...render.markup import to_html
from ...render.page import Page
from ...render.saved.warc_records import packed, record
from ...render.version import VERSION
from ..rows import Row
from .parts import disk_named
from .warcs import pending_path


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
    records = [_plain("warcinfo", told, "application/warc-fields", "", None)]
    records.append(_plain("conversion", to_html(page), "text/html; charset=utf-8", address, refers))
    if row["text"] is not None:
        records.append(_plain("conversion", row["text"], "text/plain; charset=utf-8", address, refers))
    path = pending_path(folder, row["id"])
    with disk_named(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, packed(records[:1]) + loaded + packed(records[1:]))


def _plain(kind: str, said: str, content_type: str, address: str, refers: str | None) -> bytes:
    more = [("WARC-Refers-To", refers)] if refers else []
    return record(kind, said.encode("utf-8", "replace"), content_type, address=address, more=more)[1]


def _record_of(loaded: bytes, address: str) -> str | None:
    """Return the identity of the last answer under an address."""
    heads = rb"WARC-Record-ID: (<[^>\r]+>)\r\nWARC-Date: [^\r]+\r\nWARC-Target-URI: " + re.escape(address.encode())
    found = re.findall(heads + rb"\r\n", gzip.decompress(loaded)) if loaded else []
    return found[-1].decode() if found else None
