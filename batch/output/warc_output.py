"""WARC files of rendered pages: one per input as soon as it is done, joined when its row is written to a shard."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...files.atomic import atomic_path, write_bytes
from ...files.bounded_reader import BoundedReader
from ...page.page import Page
from ...page.to_html import to_html
from ...render.archives.warc import read_records
from ...render.archives.warc_writer import collapse_whitespace, gzip_records, make_record
from ...version import VERSION
from ..row_schema import Row
from .shards import disk_errors

_PENDING = "pending"
_NUMBER = re.compile(r"part-(\d{6,})\.warc\.gz\Z")
#: The responses were bounded when they were loaded.
_NO_LIMIT = 1 << 62


class WarcOutput:
    """The archives of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def join(self, number: int, identities: Sequence[str]) -> None:
        """Concatenate the archives of inputs, as gzip members can be."""
        paths = [path for name in identities if (path := pending_path(self._folder, name)).exists()]

        if not paths:
            return
        with (
            disk_errors(self._folder),
            atomic_path(self._folder / f"part-{number:06d}.warc.gz") as unfinished,
            unfinished.open("wb") as joined,
        ):
            for source in paths:
                with source.open("rb") as part:
                    shutil.copyfileobj(part, joined)

    def drop(self, identities: Iterable[str]) -> None:
        """Delete archives that were joined."""
        if (self._folder / _PENDING).is_dir():
            for identity in identities:
                pending_path(self._folder, identity).unlink(missing_ok=True)

    def clean_up(self, listed: Iterable[int]) -> None:
        """Delete the files of an interrupted run."""
        numbers = set(listed)
        for path in self._folder.iterdir() if self._folder.is_dir() else ():
            match = _NUMBER.match(path.name)
            if match and int(match[1]) not in numbers:
                path.unlink(missing_ok=True)


def pending_path(folder: Path, identity: str) -> Path:
    """Return the path of an input's archive until it is joined."""
    return folder / _PENDING / f"{identity}.warc.gz"


def keep_warc(folder: Path, page: Page, row: Row) -> None:
    """Write the archive of an input, whole or not at all; RunStopped if it cannot be written.

    Its records: a ``warcinfo``, the responses as they arrived, a ``conversion`` of the rendered DOM into HTML (with
    shadow trees and frames), and one into the text of its row.
    """
    responses = page.warc or b""
    address = (row["final_address"] or row["url"] or Path(row["source"]).absolute().as_uri()).partition("#")[0]
    refers_to = _last_record_id(responses, address)
    info = f"software: blocksight {VERSION}\r\nformat: WARC File Format 1.1\r\nblocksight-id: {row['id']}\r\n"
    head = _text_record("warcinfo", info, "application/warc-fields", "", None)
    conversions = [_text_record("conversion", to_html(page), "text/html; charset=utf-8", address, refers_to)]
    if row["text"] is not None:
        conversions.append(_text_record("conversion", row["text"], "text/plain; charset=utf-8", address, refers_to))
    path = pending_path(folder, row["id"])
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(path, gzip_records([head]) + responses + gzip_records(conversions))


def _text_record(kind: str, text: str, content_type: str, address: str, refers_to: str | None) -> bytes:
    more = [("WARC-Refers-To", refers_to)] if refers_to else []
    return make_record(kind, text.encode("utf-8", "replace"), content_type, address=address, more=more)[1]


def _last_record_id(responses: bytes, address: str) -> str | None:
    """Return the record id of the last response of an address; by parsing, as bodies may look like headers."""
    headers = [fields for fields, _ in read_records(BoundedReader(responses, max_bytes=_NO_LIMIT), 0)]
    ids = [fields["warc-record-id"] for fields in headers if fields["warc-target-uri"] == collapse_whitespace(address)]
    return ids[-1] if ids else None
