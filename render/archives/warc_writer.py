"""WARC 1.1 records (ISO 28500:2017), each a gzip member of its own, as readers expect."""

from __future__ import annotations

import base64
import gzip
import hashlib
import uuid
from collections.abc import Iterable
from datetime import UTC, datetime

Fields = Iterable[tuple[str, str]]


def make_record(
    kind: str, content: bytes, content_type: str, *, address: str = "", more: Fields = ()
) -> tuple[str, bytes]:
    """Return the record ID and the uncompressed bytes of a record ("warcinfo", "response", "conversion" ...).

    ``address`` is its WARC-Target-URI, ``more`` are additional named fields.
    """
    identity = f"<urn:uuid:{uuid.uuid4()}>"
    digest = base64.b32encode(hashlib.sha1(content, usedforsecurity=False).digest()).decode()
    fields = [
        ("WARC-Type", kind),
        ("WARC-Record-ID", identity),
        ("WARC-Date", datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")),
        *([("WARC-Target-URI", address)] if address else []),
        *more,
        ("WARC-Block-Digest", f"sha1:{digest}"),
        ("Content-Type", content_type),
        ("Content-Length", str(len(content))),
    ]
    header = "WARC/1.1\r\n" + "".join(f"{name}: {collapse_whitespace(value)}\r\n" for name, value in fields) + "\r\n"
    return identity, header.encode() + content + b"\r\n\r\n"


def http_response(status: int, headers: Fields, body: bytes) -> bytes:
    """Return a response as a server would send it, its body neither compressed nor chunked."""
    dropped = {"content-encoding", "transfer-encoding", "content-length"}
    lines = [f"HTTP/1.1 {status} "]
    lines += [
        f"{collapse_whitespace(name)}: {collapse_whitespace(value)}"
        for name, value in headers
        if name.lower() not in dropped
    ]
    lines += [f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode("utf-8", "replace") + body


def gzip_records(records: Iterable[bytes]) -> bytes:
    """Return records, each compressed on its own."""
    return b"".join(gzip.compress(record, 6) for record in records)


def collapse_whitespace(value: str) -> str:
    """Return a value on one line: a server's header could contain line breaks."""
    return " ".join(value.split())
