"""Records of WARC 1.1 (ISO 28500:2017), each a gzip member of its own, as all readers of them expect it."""

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
    """Return the identity and the bytes of a record, not packed.

    Parameters
    ----------
    kind : str
        "warcinfo", "response", "conversion" ...
    content : bytes
    content_type : str
    address : str
        What it is the record of.
    more : iterable of (str, str)
        Further named fields.
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
    head = "WARC/1.1\r\n" + "".join(f"{name}: {collapse_whitespace(value)}\r\n" for name, value in fields) + "\r\n"
    return identity, head.encode() + content + b"\r\n\r\n"


def http_response(status: int, headers: Fields, body: bytes) -> bytes:
    """Return an answer as a server would send it, its body neither packed nor in pieces."""
    lines = [f"HTTP/1.1 {status} \r\n"]
    dropped = {"content-encoding", "transfer-encoding", "content-length"}
    lines += [
        f"{collapse_whitespace(name)}: {collapse_whitespace(value)}\r\n"
        for name, value in headers
        if name.lower() not in dropped
    ]
    lines.append(f"Content-Length: {len(body)}\r\n\r\n")
    return "".join(lines).encode("utf-8", "replace") + body


def gzip_records(records: Iterable[bytes]) -> bytes:
    """Return records, each packed by itself."""
    return b"".join(gzip.compress(one, 6) for one in records)


def collapse_whitespace(value: str) -> str:
    """Return what can stand in a head; a page's server could have written more."""
    return " ".join(value.split())
