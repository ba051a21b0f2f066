"""HAR: network traffic as JSON, saved by a browser's developer tools."""

from __future__ import annotations

import base64
import binascii
import json
import re
from typing import Any

from .resource import Resource, Responses, web_address

#: Maximum number of values (objects, lists, members): more would take gigabytes as Python objects.
MAX_VALUES = 3_000_000
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)


def read_har(data: bytes) -> Responses:
    """Yield the usable responses of an archive; ValueError, KeyError, TypeError or RecursionError if it is damaged."""
    if _values(data, 0, len(data)) > MAX_VALUES and _values_outside_strings(data) > MAX_VALUES:
        raise ValueError(f"it holds more than {MAX_VALUES:,} values")
    entries = json.loads(data.decode("utf-8-sig"))["log"]["entries"]
    if not isinstance(entries, list):
        raise TypeError("its entries are no list")
    for entry in entries:
        request, response = entry["request"], entry["response"]
        address, status = web_address(_text(request, "url")), _status(response)
        resource = _resource(response, status) if address and status else None
        if resource is not None:
            yield (_text(request, "method").upper() or "GET", address), resource


def _values(data: bytes, first: int, last: int) -> int:
    return sum(data.count(sign, first, last) for sign in (b"[", b"{", b","))


def _values_outside_strings(data: bytes) -> int:
    """Count the values of JSON; strings may contain brackets and commas."""
    count = position = 0
    for string in _STRING.finditer(data):
        count += _values(data, position, string.start())
        position = string.end()
        if count > MAX_VALUES:
            break
    return count + _values(data, position, len(data))


def _resource(response: dict[str, Any], status: int) -> Resource | None:
    content = response.get("content") or {}
    text, kind = _text(content, "text"), _text(content, "mimeType")
    if _text(content, "encoding") == "base64":
        try:
            body = base64.b64decode(text)
        except (binascii.Error, ValueError):
            return None
    else:
        body = text.encode("utf-8", "replace")
        if kind.lower().startswith(("text/", "application/")):
            # The text in a HAR file is already decoded, whatever charset the server declared.
            kind = f"{kind.split(';')[0]}; charset=utf-8"
    return Resource(status=status, kind=kind, body=body, location=_text(response, "redirectURL"))


def _text(values: dict[str, Any], name: str) -> str:
    """Return a member that should be text; "" if it is missing or something else."""
    value = values.get(name) if isinstance(values, dict) else None
    return value if isinstance(value, str) else ""


def _status(response: dict[str, Any]) -> int:
    """Return the status of a response, 0 if there was none."""
    status = response.get("status") if isinstance(response, dict) else None
    return int(str(status)) if re.fullmatch(r"[0-9]{3}", str(status)) else 0
