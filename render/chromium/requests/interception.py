"""Intercept the requests of a page: answer some from here, add headers and a password to others, block the rest.

Beacons and pings of links change nothing in a page: they are never sent. An image with a declared width and height, if
images are blocked, is replaced by a plain gray one of that size, on which text in any usual color is visible: no box
moves.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urldefrag, urlsplit

from ....errors import HttpFailed, PageFailed, Refused, TimedOut
from ....page.metadata.usage import FIELDS
from ....page.parse import decode
from ...archives.archives import Archive
from ...devtools.channel import Channel, CommandFailed
from ...devtools.scripts import call
from ...network.proxy import PageProxy
from ...render_options import RenderOptions
from ...sources.alternates import ACCEPT, MARKDOWN
from ...sources.local_assets import LocalAssets
from ...sources.sources import PageSource, is_network_blocked, origin, too_large_error
from ...sources.truncated import MAX_BYTES, truncate_html
from .main_response import VALIDATORS

#: Types of requests to which a page without network gets an empty response; others fail.
_EMPTY = frozenset({"Stylesheet", "Script"})
#: Media types of documents that are truncated, and those that are fetched: no parser of XML truncates.
_HTML, _FETCHED = ("text/html",), ("text/html", "application/xhtml+xml", MARKDOWN)
#: Headers of a response that stay if it is replaced.
_STATED = (*FIELDS, *VALIDATORS)
_NOT_MODIFIED = 304
_CALL = 5.0
_PIECE = 100_000
#: DevTools' name of the type of images.
IMAGE = "Image"
GRAY_TYPE = "image/svg+xml"
#: DevTools' name of the type of beacons and pings of links. (There is no pattern for what is fetched for other pages.)
_PING = "Ping"
#: Seconds for which an image waits for the document, and for a reply; images whose size is requested, at most.
_PARSE_SECONDS, _SIZE_SECONDS, _MOST_SIZES = 5.0, 2.0, 5_000


class RequestHandler:
    """Intercepts the requests that are answered or changed here, and continues all others.

    ``address`` has the origin that gets headers and password; ``document`` is the page, unless it is loaded from there:
    then the request for it gives the ``proxy`` its password, which the browser keeps for all others.
    With ``truncate_in`` seconds, the browser gets the start of the document as received in a quarter of them.
    """

    def __init__(
        self,
        channel: Channel,
        frame: str,
        address: str,
        document: PageSource | None,
        options: RenderOptions,
        blocked: BlockedResources,
        proxy: PageProxy,
        *,
        truncate_in: float = 0.0,
    ) -> None:
        self._channel = channel
        self._frame = frame
        #: To be set when the browser has taken all commands before the navigation: no request is continued before.
        self.ready = asyncio.Event()
        self._document = document
        self._origin = origin(address)
        self._is_served = False
        self._truncate_in = truncate_in if document is None else 0.0
        #: The truncated document.
        self.truncated = ""
        #: The document as received, if only that is fetched; "" unless it is HTML or Markdown.
        self.fetched = ""
        self.is_markdown = False
        #: The digest of its bytes.
        self.answer = ""
        #: Why the fetched document is not complete, "" if it is.
        self.partial_reason = ""
        self._fetches = options.fetch_only and document is None
        #: The error if the document cannot even be truncated, or if a redirect must not be followed.
        self.refused: PageFailed | None = None
        self._options = options
        self._proxy = proxy
        self._authenticated: set[tuple[str, bool]] = set()
        self._blocked = blocked
        self._is_closed = is_network_blocked(document, options)
        self._archive = document.archive if document else None
        self._follow = options.follow if document is None else None
        self._followed: set[str] = set()
        self._assets: LocalAssets | None = None
        if document is not None and document.folder is not None:
            self._assets = LocalAssets(document.folder, max_bytes=options.max_bytes)
        channel.on("Fetch.requestPaused", self._paused)
        channel.on("Fetch.authRequired", self._authenticate)

    def commands(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the commands that enable interception, and block requests that would not be answered."""
        if patterns := self._patterns():
            is_asked = self._document is None or self._options.credentials is not None
            yield "Fetch.enable", {"patterns": patterns, "handleAuthRequests": is_asked}
        if self._is_closed and not self._archive:
            # The proxy is the boundary; this only saves the way to it.
            allowed = [{"urlPattern": f"{self._origin}/*", "block": False}] if self._origin else []
            yield "Network.setBlockedURLs", {"urlPatterns": [*allowed, {"urlPattern": "*://*:*/*", "block": True}]}

    def _patterns(self) -> list[dict[str, str]]:
        patterns = self._answered_patterns()
        if self._document is None:
            patterns.append({"urlPattern": "*", "resourceType": "Document"})
        if self._truncate_in or self._fetches:
            patterns.append({"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"})
        return patterns + [{"urlPattern": "*", "resourceType": name} for name in self._blocked.types]

    def _answered_patterns(self) -> list[dict[str, str]]:
        options = self._options
        if self._archive:
            return [{"urlPattern": "*"}]
        is_ours = self._document is not None or options.headers or options.credentials
        patterns = [{"urlPattern": f"{self._origin}/*"}] if is_ours and self._origin else []
        return [*patterns, {"urlPattern": "*", "resourceType": "Document"}] if self._is_closed else patterns

    async def _authenticate(self, event: dict[str, Any]) -> None:
        """Send name and password once, to their origin or proxy; a second challenge means that they were rejected."""
        challenge = event["authChallenge"]
        is_proxy = challenge.get("source") == "Proxy"
        given = (self._proxy.name, self._proxy.secret) if is_proxy else self._options.credentials
        is_meant = is_proxy or origin(challenge["origin"]) == self._origin
        question = (event["requestId"], is_proxy)
        is_first = question not in self._authenticated
        self._authenticated.add(question)
        answer = {"response": "CancelAuth"}
        if given is not None and is_meant and is_first:
            answer = {"response": "ProvideCredentials", "username": given[0], "password": given[1]}
        reply = {"requestId": event["requestId"], "authChallengeResponse": answer}
        await self._channel.send("Fetch.continueWithAuth", reply, timeout=_CALL)

    async def _paused(self, event: dict[str, Any]) -> None:
        await self.ready.wait()
        is_document = event.get("resourceType", "") == "Document"
        is_own = event["frameId"] == self._frame
        if self._fetches and is_own and event.get("responseStatusCode") == _NOT_MODIFIED:
            self.refused = HttpFailed(event["request"]["url"], "HTTP 304 (not modified)", _NOT_MODIFIED)
            await self._fail(event)
        elif "responseStatusCode" in event or "responseErrorReason" in event:
            await self._take_document(event)
        elif is_document and is_own and self._is_not_followed(event):
            await self._fail(event)
        elif not await self._is_blocked(event):
            await self._answer(event, is_document=is_document)

    async def _answer(self, event: dict[str, Any], *, is_document: bool) -> None:
        """Answer a request from the document, the archive or the folder; else reject or continue it."""
        is_own = origin(event["request"]["url"]) == self._origin
        # The browser normalizes addresses: the document is what it requests first.
        if self._document and not self._is_served and is_document:
            self._is_served = True
            await self._fulfil(event, self._document.html.encode("utf-8", "replace"), "text/html; charset=utf-8")
        elif self._archive is not None:
            await self._replay(event, self._archive)
        elif is_own and self._assets is not None:
            await self._serve_asset(event, self._assets)
        elif self._is_closed and not (is_own and self._document is None):
            await self._reject(event)
        else:
            await self._continue(event)

    def _is_not_followed(self, event: dict[str, Any]) -> bool:
        """Decide whether a redirect or a navigation must not be requested; the first request is the page's own."""
        url = urldefrag(event["request"]["url"]).url
        if self._follow is None or url in self._followed:
            return False
        if self._followed and (why := self._follow(url)):
            self.refused = Refused(url, why)
            return True
        self._followed.add(url)
        return False

    async def _is_blocked(self, event: dict[str, Any]) -> bool:
        """Answer a request that is blocked; return False for others, and an image whose size is not declared."""
        resource_type = event.get("resourceType", "")
        if resource_type in self._blocked.types and resource_type != IMAGE:
            await self._fail(event)
            return True
        is_page_image = resource_type == IMAGE and IMAGE in self._blocked.types and event["frameId"] == self._frame
        if not is_page_image or event["request"]["method"] != "GET":
            return False
        if size := await self._blocked.size(event["request"]["url"]):
            await self._fulfil(event, gray_image(*size), GRAY_TYPE)
        return size is not None

    async def _take_document(self, event: dict[str, Any]) -> None:
        """Take the page's document, and give the browser its start, or none of it; continue any other response."""
        status = event.get("responseStatusCode", 0)
        headers = {header["name"].lower(): header["value"] for header in event.get("responseHeaders", ())}
        media_type = headers.get("content-type", "text/html")
        is_page = event["frameId"] == self._frame and status and not 300 <= status < 400
        if not is_page or not media_type.lower().startswith(_FETCHED if self._fetches else _HTML):
            await self._channel.send("Fetch.continueRequest", {"requestId": event["requestId"]}, timeout=_CALL)
            return
        seconds, most = self._truncate_in / 4, MAX_BYTES
        if self._fetches:
            seconds, most = self._options.timeout / 2, self._options.max_bytes
        data, is_complete = await self._received(event, seconds, most)
        encoding = media_type.lower().partition("charset=")[2].strip("\"' ") or None
        if self._fetches:
            if len(data) > most:
                self.refused = too_large_error(event["request"]["url"], len(data), most)
                await self._fail(event)
                return
            if not is_complete:
                self.partial_reason = f"its HTML did not arrive within {seconds:g} s (timeout gives more)"
                if not data.strip():
                    self.refused = TimedOut(event["request"]["url"], self.partial_reason)
                    await self._fail(event)
                    return
            self.is_markdown = media_type.lower().startswith(MARKDOWN)
            self.fetched, self.answer = decode(data, encoding), hashlib.sha256(data).hexdigest()[:32]
            await self._fulfil(event, b"", "text/html; charset=utf-8", status=status)
            return
        try:
            name, seconds = event["request"]["url"], self._truncate_in
            html = await asyncio.to_thread(lambda: truncate_html(decode(data, encoding), name, seconds))
        except PageFailed as refused:
            self.refused = refused
            await self._fail(event)
            return
        self.truncated = html
        await self._fulfil(event, html.encode("utf-8", "replace"), "text/html; charset=utf-8", status=status)

    async def _received(self, event: dict[str, Any], seconds: float, most: int) -> tuple[bytes, bool]:
        """Return what arrives of a response in some seconds, and a piece more than ``most``, and whether it is all."""
        reply = await self._channel.send(
            "Fetch.takeResponseBodyAsStream", {"requestId": event["requestId"]}, timeout=_CALL
        )
        data, is_complete = bytearray(), False
        with suppress(TimeoutError, CommandFailed):
            async with asyncio.timeout(seconds):
                while len(data) <= most and not is_complete:
                    parameters = {"handle": reply["stream"], "size": _PIECE}
                    piece = await self._channel.send("IO.read", parameters, timeout=4 * seconds)
                    data += base64.b64decode(piece["data"]) if piece.get("base64Encoded") else piece["data"].encode()
                    is_complete = bool(piece["eof"])
        return bytes(data), is_complete

    async def _continue(self, event: dict[str, Any]) -> None:
        """Continue a request; to the page's origin with the headers of the options."""
        request, parameters = event["request"], {"requestId": event["requestId"]}
        headers = self._options.headers if origin(request["url"]) == self._origin else ()
        if self._fetches:
            accepted = (("Accept", ACCEPT),) if self._options.alternate else ()
            headers = (*accepted, *self._options.conditions, *headers)
        if headers:
            # For this one hop: after a redirect the browser pauses here again, or sends none of them.
            names = {name.lower() for name, _ in headers}
            others = [(name, value) for name, value in request["headers"].items() if name.lower() not in names]
            # The last of two headers with one name counts, that of the options.
            sent = {name.lower(): (name, value) for name, value in (*others, *headers)}.values()
            parameters["headers"] = [{"name": name, "value": value} for name, value in sent]
        await self._channel.send("Fetch.continueRequest", parameters, timeout=_CALL)

    async def _serve_asset(self, event: dict[str, Any], assets: LocalAssets) -> None:
        """Answer from the files next to the page, if the page's own frame requests one."""
        request, asset = event["request"], None
        if event["frameId"] == self._frame and request["method"] == "GET":
            path = urlsplit(request["url"]).path
            asset = await asyncio.to_thread(assets.find, path, event.get("resourceType", ""))
        if asset is not None:
            await self._fulfil(event, *asset, shared=False)
        else:
            await self._reject(event)

    async def _reject(self, event: dict[str, Any]) -> None:
        resource_type = event.get("resourceType", "")
        if resource_type in _EMPTY:
            await self._fulfil(event, b"", "text/css" if resource_type == "Stylesheet" else "text/javascript")
        elif resource_type == "Document":
            # "No content" does not change the page; a failed navigation would replace it by an error page.
            await self._fulfil(event, b"", "text/html", status=204)
        else:
            await self._fail(event)

    async def _replay(self, event: dict[str, Any], archive: Archive) -> None:
        request, resource_type = event["request"], event.get("resourceType", "")
        resource = archive.resources.get((request["method"], urldefrag(request["url"]).url))
        if resource is not None:
            body, media_type = resource.body, resource.kind
            await self._fulfil(event, body, media_type, status=resource.status, location=resource.location)
        elif resource_type == "Document":
            await self._fulfil(event, b"", "text/html", status=204)
        else:
            await self._fail(event)

    async def _fail(self, event: dict[str, Any]) -> None:
        parameters = {"requestId": event["requestId"], "errorReason": "BlockedByClient"}
        await self._channel.send("Fetch.failRequest", parameters, timeout=_CALL)

    async def _fulfil(
        self,
        event: dict[str, Any],
        body: bytes,
        media_type: str,
        *,
        status: int = 200,
        location: str = "",
        shared: bool = True,
    ) -> None:
        """Answer a request, or replace its response; with ``shared`` every origin may read it."""
        headers = {"Content-Type": media_type, "X-Content-Type-Options": "nosniff"}
        if shared:
            headers = {
                "Content-Type": media_type,
                "Access-Control-Allow-Origin": event["request"]["headers"].get("Origin", "*"),
                "Access-Control-Allow-Credentials": "true",
            }
        if location:
            headers["Location"] = location
        kept = [one for one in event.get("responseHeaders", ()) if one["name"].lower() in _STATED]
        response = {
            "requestId": event["requestId"],
            "responseCode": status,
            "responseHeaders": [*kept, *({"name": name, "value": value} for name, value in headers.items())],
            "body": base64.b64encode(body).decode(),
        }
        await self._channel.send("Fetch.fulfillRequest", response, timeout=_CALL)


def gray_image(width: int, height: int) -> bytes:
    """Return a plain gray image with a size in CSS pixels."""
    size = f'width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><rect {size} fill="#808080"/></svg>'.encode()


class BlockedResources:
    """Decides which requests of a page are blocked.

    ``types`` are DevTools' names of the blocked types: of beacons and of those that the options name.
    """

    def __init__(self, channel: Channel, blocked: Sequence[str], parsed: Callable[[], Awaitable[None]]) -> None:
        self._channel = channel
        #: Waits until the document has been parsed: images are requested before their elements are created.
        self._parsed = parsed
        self.types = tuple(dict.fromkeys([_PING, *(name.capitalize() for name in blocked)]))
        self._sizes: dict[str, tuple[int, int]] = {}
        self._queries = 0
        self._lock = asyncio.Lock()

    async def size(self, address: str) -> tuple[int, int] | None:
        """Return the declared width and height of an image; None unless the markup declares both."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_PARSE_SECONDS):
                await self._parsed()
        queries = self._queries
        async with self._lock:
            # Whoever waited for the lock shares the reply.
            if address not in self._sizes and self._queries == queries:
                self._sizes |= await self._declared_sizes()
                self._queries += 1
        return self._sizes.get(address)

    async def _declared_sizes(self) -> dict[str, tuple[int, int]]:
        """Return the declared sizes by address."""
        value: Any = None
        with suppress(CommandFailed, TimeoutError):
            value = await self._channel.evaluate(call("declared_image_sizes", _MOST_SIZES), timeout=_SIZE_SECONDS)
        return {urldefrag(address).url: (int(width), int(height)) for address, width, height in value or []}
