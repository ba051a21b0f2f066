"""The fields of a request to the service, checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...classify.roles import roles_to_keep
from ...document.formats import FORMATS
from ...errors import unknown_name
from ...inspector.server.requests import Refusal

#: The format of answers.
DEFAULT = "json"
_MEDIA = {form.name: form.media for form in FORMATS}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}
#: The fields of a request: the name of their type in messages, and the types.
_FIELDS: dict[str, tuple[str, tuple[type, ...]]] = {
    "url": ("string", (str,)),
    "html": ("string", (str,)),
    "format": ("string", (str,)),
    "keep": ("string", (str,)),
    "wait_for": ("string", (str,)),
    "timeout": ("number", (int, float)),
    "browser": ("boolean", (bool,)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceRequest:
    """The page of a request, and what to do with it."""

    address: str  # Of the page to open, or of ``data``
    data: bytes | None = None  # An HTML document, an archive or a saved page
    encoding: str | None = None  # Of the document, if the request specifies it
    format: str = DEFAULT
    keep: str | None = None  # Roles, as in ``extract``
    wait_for: str = ""  # A CSS selector
    timeout: float | None = None  # Seconds, at most those of the service
    browser: bool = True  # Whether to render the page

    @property
    def media(self) -> str:
        """The media type of the answer."""
        media = _MEDIA[self.format]
        return f"{media}; charset=utf-8" if media.startswith("text/") else media


def parse_fields(values: object, *, most_seconds: float) -> ServiceRequest:
    """Return the request of a JSON object; Refusal for unknown fields and wrong values."""
    if not isinstance(values, dict):
        raise Refusal(400, "the JSON must be an object with url or html")
    given = {name: value for name, value in values.items() if value is not None}
    if "url" not in given and "html" not in given:
        raise Refusal(400, "the JSON has neither url nor html")
    return _request(given, most_seconds)


def parse_query(query: Mapping[str, str], body: bytes, *, most_seconds: float) -> ServiceRequest:
    """Return the request of a body that is a document, with its address and options in the query of the URL."""
    given: dict[str, Any] = dict(query)
    if "html" in given:
        raise Refusal(400, "html is for JSON: the body is the document")
    if "timeout" in given:
        try:
            given["timeout"] = float(given["timeout"])
        except ValueError as error:
            raise Refusal(400, f"timeout must be a number of seconds, not {given['timeout']!r}") from error
    if "browser" in given:
        given["browser"] = _TRUTH.get(given["browser"].lower(), given["browser"])
    return replace(_request(given, most_seconds), data=body)


def _request(given: dict[str, Any], most_seconds: float) -> ServiceRequest:
    for name, value in given.items():
        if name not in _FIELDS:
            raise Refusal(400, str(unknown_name("field", str(name), tuple(_FIELDS))))
        kind, types = _FIELDS[name]
        if not isinstance(value, types) or (kind == "number" and isinstance(value, bool)):
            raise Refusal(400, f"{name} must be a {kind}, not {value!r:.80}")
    try:
        if given.get("format", DEFAULT) not in _MEDIA:
            raise unknown_name("format", given["format"], tuple(_MEDIA))
        if "keep" in given:
            roles_to_keep(given["keep"])
    except ValueError as error:
        raise Refusal(400, str(error)) from error
    if not 0 < given.get("timeout", most_seconds) <= most_seconds:
        raise Refusal(400, f"timeout must be above 0 and at most {most_seconds:g}, as the service was started")
    request = ServiceRequest(address=given.pop("url", ""))
    if "html" in given:
        request = replace(request, data=given.pop("html").encode("utf-8", "replace"), encoding="utf-8")
    return replace(request, **given)
