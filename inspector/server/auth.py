"""Authentication: requests must have this machine as their host, and a secret token in their path.

All addresses that the inspector's page requests contain the token, and no other page can guess it. A page that uses DNS
rebinding names another host.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

#: Names of this machine; any port, as forwarding changes it.
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
#: Only our own files are loaded, nothing is sent elsewhere, and text is never parsed as markup.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types 'none'"
)
_HEADERS: Mapping[bytes, bytes] = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"x-frame-options": b"DENY",
}


class Auth:
    """Passes requests of this machine's own pages on to an application, without the token in their path."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0].lower() not in _HEADERS]
                message["headers"] = [*kept, *_HEADERS.items()]
            await send(message)

        why = self._refusal(Headers(scope=scope), scope)
        if why:
            await PlainTextResponse(why + "\n", status_code=403)(scope, receive, guarded)
            return
        if scope["path"] == f"/{self._token}":
            await RedirectResponse(f"/{self._token}/")(scope, receive, guarded)
            return
        inner = scope["path"][len(self._token) + 1 :] or "/"
        await self._app({**scope, "path": inner, "raw_path": inner.encode()}, receive, guarded)

    def _refusal(self, headers: Headers, scope: Scope) -> str:
        if _name(headers.get("host", "")) not in HOSTS:
            return "this address is for this machine only: open it as 127.0.0.1 or localhost"
        origin = headers.get("origin")
        if origin is not None and _name(origin.partition("://")[2]) not in HOSTS:
            return "other sites may not send this request"
        first, _, rest = scope["path"][1:].partition("/")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and not _follows(headers, scope, rest):
            return "other sites may not send this request"
        if not secrets.compare_digest(first.encode(), self._token.encode()):
            return "the address is not complete: copy all of it from the terminal"
        return ""


def _follows(headers: Headers, scope: Scope, rest: str) -> bool:
    """Return whether a request follows a link to the inspector, and only opens it."""
    is_navigation = (headers.get("sec-fetch-mode"), headers.get("sec-fetch-dest")) == ("navigate", "document")
    return is_navigation and scope["method"] == "GET" and not rest


def _name(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()
