"""WARC records of responses, for archives in tests."""

import gzip
import uuid


def http_response(status, headers, body):
    """Return a response as a server would send it."""
    lines = [f"HTTP/1.1 {status} ", *(f"{name}: {value}" for name, value in headers), f"Content-Length: {len(body)}"]
    return "\r\n".join([*lines, "", ""]).encode() + body


def make_record(kind, content, content_type, *, address=""):
    """Return the bytes of a record."""
    fields = {"WARC-Type": kind, "WARC-Record-ID": f"<urn:uuid:{uuid.uuid4()}>", "WARC-Date": "2026-11-22T10:00:00Z"}
    fields |= {"WARC-Target-URI": address} if address else {}
    fields |= {"Content-Type": content_type, "Content-Length": str(len(content))}
    header = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"WARC/1.1\r\n{header}\r\n".encode() + content + b"\r\n\r\n"


def gzip_records(records):
    """Return records, each a gzip member of its own."""
    return b"".join(map(gzip.compress, records))
