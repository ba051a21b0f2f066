"""What comes over the network for one document: status, kind and size, and the answers that we give ourselves."""

from __future__ import annotations

import asyncio
import base64
import mimetypes
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urldefrag, urlsplit

from ..archives import Archive
from ..errors import PageFailed, Refused
from ..network.proxy import Exit
from ..options import RenderOptions
from ..sources import PageSource, too_large
from .channel import Channel, ChannelClosed, CommandFailed

#: What a saved page may load from its own folder. Not what scripts fetch: a saved page is no reason to let a stranger's
#: script read files.
_SIBLINGS = frozenset({"Stylesheet", "Image", "Font", "Script"})
#: Kinds of request that an offline page gets an empty answer to; the rest fail.
_EMPTY = frozenset({"Stylesheet", "Script"})

_READABLE = ("text/", "application/xhtml+xml", "application/xml", "application/json")
_CALL = 5.0


class MainResponse:
    """Watches the answer to the main request: its status, its kind, and that it stays within the limit."""

    def __init__(self, channel: Channel, frame: str, options: RenderOptions, name: str, way: Exit) -> None:
        self.name = name
        self.options = options
        self.status = 0
        self.kind = ""
        self.received = 0
        self.too_large = asyncio.Event()
        self._channel = channel
        self._frame = frame
        self._request = ""
        self._address = ""
        self._way = way
        channel.on("Network.requestWillBeSent", self._requested)
        channel.on("Network.responseReceived", self._responded)
        channel.on("Network.dataReceived", self._data)

    def _requested(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Document" and event.get("frameId") == self._frame:
            self._request = event["requestId"]
            self._address = event["request"]["url"]
            self.status, self.kind, self.received = 0, "", 0

    async def _responded(self, event: dict[str, Any]) -> None:
        if event["requestId"] != self._request:
            return
        response = event["response"]
        self.status, self.kind = int(response["status"]), response["mimeType"]
        headers = {name.lower(): value for name, value in response["headers"].items()}
        announced = headers.get("content-length", "0")
        if announced.isdigit():
            await self._limit(int(announced))

    async def _data(self, event: dict[str, Any]) -> None:
        if event["requestId"] == self._request:
            await self._limit(self.received + event["dataLength"])

    async def _limit(self, size: int) -> None:
        self.received = max(self.received, size)
        if size > self.options.max_bytes and not self.too_large.is_set():
            self.too_large.set()
            with suppress(TimeoutError, ChannelClosed, CommandFailed):
                await self._channel.send("Page.stopLoading", timeout=_CALL)

    def check(self) -> None:
        """Raise PageFailed or Refused when the main answer is no page that can be taken."""
        refused = None if self.status else self._way.failure(self._address)
        if isinstance(refused, Refused):
            raise Refused(self.name, refused.why)
        if self.too_large.is_set():
            raise too_large(self.name, self.received, self.options.max_bytes)
        if self.kind and not self.kind.startswith(_READABLE):
            raise PageFailed(self.name, f"this is {self.kind}, not a web page")
        if self.status >= 400 and not self.options.any_status:
            raise PageFailed(self.name, f"HTTP {self.status} {_phrase(self.status)} (--any-status takes its page)")

    def failure(self, error_text: str) -> PageFailed:
        """Put into words why there is no main answer."""
        known = self._way.failure(self._address)
        return type(known)(self.name, known.why) if known else _failure(self.name, error_text)


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


class Answers:
    """Answers a page's requests from memory: the document itself and, for a file, what lies beside it."""

    def __init__(self, channel: Channel, address: str, document: PageSource | None, options: RenderOptions) -> None:
        self._channel = channel
        self._document = document
        self._origin = _origin(address)
        self._served = False
        self._options = options
        self._asked: set[str] = set()
        self._archive = document.archive if document else None
        channel.on("Fetch.requestPaused", self._paused)
        channel.on("Fetch.authRequired", self._locked)

    async def start(self) -> None:
        """Ask the browser to stop at the requests that are ours to answer, and to hide the others when offline."""
        credentials = self._options.credentials is not None
        patterns = self._patterns()
        if patterns or credentials:
            wanted = {"patterns": patterns or [{"urlPattern": "*"}], "handleAuthRequests": credentials}
            await self._channel.send("Fetch.enable", wanted, timeout=_CALL)
        if self._options.offline and not self._archive:
            # Not a boundary, the proxy is: it saves the way there.
            allowed = [{"urlPattern": f"{self._origin}/*", "block": False}] if self._origin else []
            blocked = {"urlPatterns": [*allowed, {"urlPattern": "*://*:*/*", "block": True}]}
            await self._channel.send("Network.setBlockedURLs", blocked, timeout=_CALL)

    def _patterns(self) -> list[dict[str, str]]:
        if self._archive:
            return [{"urlPattern": "*"}]
        own = [{"urlPattern": f"{self._origin}/*"}] if self._document else []
        return [*own, {"urlPattern": "*", "resourceType": "Document"}] if self._options.offline else own

    async def _locked(self, event: dict[str, Any]) -> None:
        """Return name and password once; who asks again has not taken them."""
        name, password = self._options.credentials or ("", "")
        known = event["requestId"] not in self._asked and event["authChallenge"].get("source") != "Proxy"
        self._asked.add(event["requestId"])
        answer = {"response": "ProvideCredentials", "username": name, "password": password}
        reply = {
            "requestId": event["requestId"],
            "authChallengeResponse": answer if known else {"response": "CancelAuth"},
        }
        await self._channel.send("Fetch.continueWithAuth", reply, timeout=_CALL)

    async def _paused(self, event: dict[str, Any]) -> None:
        request, kind = event["request"], event.get("resourceType", "")
        document = self._document
        # The browser spells addresses its own way: the document is what it asks for first.
        if document and not self._served and kind == "Document":
            self._served = True
            await self._fulfil(event, document.html.encode("utf-8", "replace"), "text/html; charset=utf-8")
        elif self._archive is not None:
            await self._played_back(event, self._archive)
        elif (file := self._sibling(request["url"], kind)) is not None:
            await self._fulfil(event, file.read_bytes(), mimetypes.guess_type(file.name)[0] or "text/plain")
        elif self._document is None and _origin(request["url"]) == self._origin:
            await self._channel.send("Fetch.continueRequest", {"requestId": event["requestId"]}, timeout=_CALL)
        elif self._options.offline and kind in _EMPTY:
            await self._fulfil(event, b"", "text/css" if kind == "Stylesheet" else "text/javascript")
        elif self._options.offline and kind == "Document":
            # "No content" leaves the page where it is; a failed navigation would replace it by an error page.
            await self._fulfil(event, b"", "text/html", status=204)
        elif self._options.offline or (document and document.folder):
            fail = {"requestId": event["requestId"], "errorReason": "BlockedByClient"}
            await self._channel.send("Fetch.failRequest", fail, timeout=_CALL)
        else:
            await self._channel.send("Fetch.continueRequest", {"requestId": event["requestId"]}, timeout=_CALL)

    async def _played_back(self, event: dict[str, Any], archive: Archive) -> None:
        request, kind = event["request"], event.get("resourceType", "")
        found = archive.resources.get((request["method"], urldefrag(request["url"]).url))
        if found is not None:
            await self._fulfil(event, found.body, found.kind, status=found.status, location=found.location)
        elif kind == "Document":
            await self._fulfil(event, b"", "text/html", status=204)
        else:
            fail = {"requestId": event["requestId"], "errorReason": "BlockedByClient"}
            await self._channel.send("Fetch.failRequest", fail, timeout=_CALL)

    def _sibling(self, url: str, kind: str) -> Path | None:
        document = self._document
        if document is None or document.folder is None or kind not in _SIBLINGS:
            return None
        if urlsplit(url).netloc != urlsplit(document.address).netloc:
            return None
        folder = document.folder.resolve()
        file = (folder / unquote(urlsplit(url).path).lstrip("/")).resolve()
        if not file.is_relative_to(folder) or not file.is_file() or file.stat().st_size > self._options.max_bytes:
            return None
        return file

    async def _fulfil(
        self, event: dict[str, Any], body: bytes, kind: str, *, status: int = 200, location: str = ""
    ) -> None:
        answer = {
            "requestId": event["requestId"],
            "responseCode": status,
            "responseHeaders": [
                {"name": "Content-Type", "value": kind},
                {"name": "Access-Control-Allow-Origin", "value": event["request"]["headers"].get("Origin", "*")},
                {"name": "Access-Control-Allow-Credentials", "value": "true"},
                *([{"name": "Location", "value": location}] if location else []),
            ],
            "body": base64.b64encode(body).decode(),
        }
        await self._channel.send("Fetch.fulfillRequest", answer, timeout=_CALL)


def _origin(address: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"}:
        return ""
    port = f":{parts.port}" if parts.port not in (None, {"http": 80, "https": 443}[parts.scheme]) else ""
    return f"{parts.scheme}://{parts.hostname}{port}"


def _failure(name: str, error_text: str) -> PageFailed:
    """Put the browser's network error into words."""
    words = {
        "net::ERR_NAME_NOT_RESOLVED": "no such host",
        "net::ERR_CONNECTION_REFUSED": "connection refused",
        "net::ERR_CONNECTION_RESET": "the connection was reset",
        "net::ERR_CONNECTION_CLOSED": "the connection was closed without an answer",
        "net::ERR_CONNECTION_TIMED_OUT": "the host did not answer",
        "net::ERR_INTERNET_DISCONNECTED": "this machine is not connected to the network",
        "net::ERR_ADDRESS_UNREACHABLE": "the host cannot be reached",
        "net::ERR_EMPTY_RESPONSE": "the answer was empty",
        "net::ERR_TOO_MANY_REDIRECTS": "it redirects without end",
        "net::ERR_INVALID_URL": "this is no address",
        "net::ERR_ABORTED": "the browser took it for a download, not a page",
    }
    if error_text in {"net::ERR_UNSAFE_PORT", "net::ERR_UNSAFE_REDIRECT", "net::ERR_BLOCKED_BY_CLIENT"}:
        return Refused(name, f"the browser refuses this address ({error_text})")
    return PageFailed(name, words.get(error_text, f"could not be loaded ({error_text})"))
