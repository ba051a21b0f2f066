"""The fields of a request to the service, checked, and their description for OpenAPI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ...document.formats import FORMATS
from ...document.roles import roles_to_keep
from ...errors import unknown_name
from ...inspector.server.requests import Refusal
from ...version import VERSION

#: The format of answers, and that of GET with an address.
DEFAULT, READER = "json", "markdown"
_MEDIA = {form.name: form.media for form in FORMATS}
_TRUTH = {"true": True, "1": True, "false": False, "0": False}


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


#: Fields besides the page, with their JSON schema.
_OPTIONS: dict[str, dict[str, Any]] = {
    "format": {"type": "string", "enum": list(_MEDIA), "default": DEFAULT, "description": "Format of the answer."},
    "keep": {"type": "string", "description": "Roles to keep besides body and posts, separated by commas, or all."},
    "wait_for": {"type": "string", "description": "CSS selector that must match before the page counts as loaded."},
    "timeout": {"type": "number", "exclusiveMinimum": 0, "description": "Seconds, at most those of the service."},
    "browser": {"type": "boolean", "default": True, "description": "Whether to render the page; false for raw HTML."},
}
_PAGE: dict[str, dict[str, Any]] = {
    "url": {"type": "string", "description": "Address of the page to open, or of the document that is sent."},
    "html": {"type": "string", "description": "The document itself."},
}
_TYPES: dict[str, tuple[type, ...]] = {"string": (str,), "number": (int, float), "boolean": (bool,)}


def parse_fields(values: object, *, most_seconds: float) -> ServiceRequest:
    """Return the request of a JSON object; Refusal for unknown fields and wrong values."""
    if not isinstance(values, dict):
        raise Refusal(400, "the JSON must be an object with url or html")
    given = {name: value for name, value in values.items() if value is not None}
    _check(given, {**_PAGE, **_OPTIONS})
    if "url" not in given and "html" not in given:
        raise Refusal(400, "the JSON has neither url nor html")
    html = given.pop("html", None)
    asked = ServiceRequest(
        address=given.pop("url", ""),
        data=None if html is None else html.encode("utf-8", "replace"),
        encoding=None if html is None else "utf-8",
    )
    return _with_options(asked, given, most_seconds)


def parse_query(query: Mapping[str, str], body: bytes, *, most_seconds: float) -> ServiceRequest:
    """Return the request of a body that is a document, with its address and options in the query of the URL."""
    given: dict[str, Any] = dict(query)
    if "timeout" in given:
        try:
            given["timeout"] = float(given["timeout"])
        except ValueError as error:
            raise Refusal(400, f"timeout must be a number of seconds, not {given['timeout']!r}") from error
    if "browser" in given:
        given["browser"] = _TRUTH.get(given["browser"].lower(), given["browser"])
    _check(given, {"url": _PAGE["url"], **_OPTIONS})
    return _with_options(ServiceRequest(address=given.pop("url", ""), data=body), given, most_seconds)


def parse_accepted(address: str, accept: str) -> ServiceRequest:
    """Return the request of GET with an address; its format is the first that the client accepts, else Markdown."""
    wanted = [kind.partition(";")[0].strip().lower() for kind in accept.split(",")]
    names = {form.media: form.name for form in reversed(FORMATS)} | {"text/html": READER}
    return ServiceRequest(address=address, format=next((names[kind] for kind in wanted if kind in names), READER))


def _check(given: Mapping[str, Any], known: Mapping[str, dict[str, Any]]) -> None:
    for name, value in given.items():
        if name not in known:
            raise Refusal(400, str(unknown_name("field", str(name), tuple(known))))
        kind = known[name]["type"]
        if not isinstance(value, _TYPES[kind]) or (kind == "number" and isinstance(value, bool)):
            raise Refusal(400, f"{name} must be a {kind}, not {value!r:.80}")


def _with_options(asked: ServiceRequest, given: Mapping[str, Any], most_seconds: float) -> ServiceRequest:
    try:
        if "format" in given and given["format"] not in _MEDIA:
            raise unknown_name("format", given["format"], tuple(_MEDIA))
        if "keep" in given:
            roles_to_keep(given["keep"])
    except ValueError as error:
        raise Refusal(400, str(error)) from error
    if not 0 < given.get("timeout", most_seconds) <= most_seconds:
        raise Refusal(400, f"timeout must be above 0 and at most {most_seconds:g}, as the service was started")
    return replace(asked, **given)


def openapi() -> dict[str, Any]:
    """Return the description of the service (OpenAPI 3.1)."""
    failed = {"description": "Refused or failed; error.message says why.", "content": _json({"type": "object"})}
    parameters = [
        {"name": name, "in": "query", "schema": schema, "description": schema["description"]}
        for name, schema in {"url": _PAGE["url"], **_OPTIONS}.items()
    ]
    formats = {form.media: {"schema": {"type": "object" if form.name == DEFAULT else "string"}} for form in FORMATS}
    body = {
        "required": True,
        "content": _json({"type": "object", "properties": _PAGE | _OPTIONS, "additionalProperties": False})
        | {"text/html": {"schema": {"type": "string"}}, "application/octet-stream": {"schema": {"type": "string"}}},
    }
    extract: dict[str, Any] = {"summary": "The content of a page.", "parameters": parameters, "requestBody": body}
    extract["responses"] = {"200": {"description": "The document.", "content": formats}, "default": failed}
    render = {key: value for key, value in extract.items() if key != "responses"} | {"summary": "A page, saved."}
    saved = {"application/vnd.blocksight.page": {"schema": {"type": "string", "format": "binary"}}}
    render["responses"] = {"200": {"description": "The page.", "content": saved}, "default": failed}
    address = {"name": "address", "in": "path", "required": True, "schema": {"type": "string"}}
    markdown = {"200": {"description": "Markdown, or what Accept asks for.", "content": formats}, "default": failed}
    state = {"200": {"description": "The state.", "content": _json({"type": "object"})}}
    counts = {
        "200": {"description": "Counts for Prometheus.", "content": {"text/plain": {"schema": {"type": "string"}}}}
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "blocksight", "version": VERSION},
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
        "paths": {
            "/extract": {"post": extract},
            "/render": {"post": render},
            "/{address}": {
                "get": {
                    "summary": "The page of an address as Markdown.",
                    "parameters": [address],
                    "responses": markdown,
                }
            },
            "/health": {"get": {"summary": "Whether it runs.", "security": [], "responses": state}},
            "/metrics": {"get": {"summary": "Counts.", "responses": counts}},
            "/openapi.json": {"get": {"summary": "This description.", "security": [], "responses": state}},
        },
    }


def _json(schema: dict[str, Any]) -> dict[str, Any]:
    return {"application/json": {"schema": schema}}
