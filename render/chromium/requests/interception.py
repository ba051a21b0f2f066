"""What a page's requests are answered here: the document, the files beside it, an archive's parts, a password."""

from __future__ import annotations

import asyncio
import base64
from contextlib import suppress
from typing import Any
from urllib.parse import urldefrag, urlsplit

from ....errors import PageFailed
from ....page.parse import decode
from ...archives.archives import Archive
from ...devtools.channel import Channel, CommandFailed
from ...render_options import RenderOptions
from ...sources.local_assets import LocalAssets
from ...sources.sources import PageSource, is_network_blocked, origin
from ...sources.truncated import MAX_BYTES, truncate_html
from .blocked_resources import FAILING, GREY_TYPE, KINDS, PICTURE, BlockedResources, grey

#: Kinds of request that a page without the network gets an empty answer to; the rest fail.
_EMPTY = frozenset({"Stylesheet", "Script"})
_CALL = 5.0
_PIECE = 1_000_000


class RequestHandler:
    """Stops at the requests that are ours to answer or to add to, and lets all others pass.

    Parameters
    ----------
    channel : Channel
    frame : str
        Of the page itself, not of what it frames.
    address : str
        Of the page; headers and password are meant for its origin.
    document : PageSource or None
        The page, where it is at hand.
    options : RenderOptions
    begins : float
        Seconds in which a page that is not at hand must be rendered. Then only its beginning is given to the browser
        (:mod:`~blocksight.render.sources.truncated`), of what has come of it in a quarter of them. 0 for all of it.
    spared : BlockedResources, optional
        What the page is to do without.
    """

    def __init__(
        self,
        channel: Channel,
        frame: str,
        address: str,
        document: PageSource | None,
        options: RenderOptions,
        *,
        begins: float = 0.0,
        spared: BlockedResources | None = None,
    ) -> None:
        self._channel = channel
        self._frame = frame
        self._document = document
        self._origin = origin(address)
        self._served = False
        self._begins = begins if document is None else 0.0
        #: Why not even the beginning is given.
        self.refused: PageFailed | None = None
        self._options = options
        self._asked: set[str] = set()
        self._spared = spared
        self._closed = is_network_blocked(document, options)
        self._archive = document.archive if document else None
        self._neighbours: LocalAssets | None = None
        if document is not None and document.folder is not None:
            self._neighbours = LocalAssets(document.folder, max_bytes=options.max_bytes)
        channel.on("Fetch.requestPaused", self._paused)
        channel.on("Fetch.authRequired", self._locked)

    async def start(self) -> None:
        """Ask the browser to stop at these requests, and to send none that will not be answered anyway."""
        if patterns := self._patterns():
            wanted = {"patterns": patterns, "handleAuthRequests": self._options.credentials is not None}
            await self._channel.send("Fetch.enable", wanted, timeout=_CALL)
        if self._closed and not self._archive:
            # Not a boundary, the proxy is: it saves the way there.
            allowed = [{"urlPattern": f"{self._origin}/*", "block": False}] if self._origin else []
            blocked = {"urlPatterns": [*allowed, {"urlPattern": "*://*:*/*", "block": True}]}
            await self._channel.send("Network.setBlockedURLs", blocked, timeout=_CALL)

    def _patterns(self) -> list[dict[str, str]]:
        """Return which requests to stop at: each costs time."""
        patterns = self._asked_for()
        if self._begins:
            patterns.append({"urlPattern": "*", "resourceType": "Document", "requestStage": "Response"})
        if self._spared:
            patterns += [{"urlPattern": "*", "resourceType": kind} for kind in KINDS]
        return patterns

    def _asked_for(self) -> list[dict[str, str]]:
        options = self._options
        if self._archive or (options.credentials and options.send_everywhere):
            return [{"urlPattern": "*"}]
        ours = self._document is not None or options.headers or options.credentials
        patterns = [{"urlPattern": f"{self._origin}/*"}] if ours and self._origin else []
        return [*patterns, {"urlPattern": "*", "resourceType": "Document"}] if self._closed else patterns

    async def _locked(self, event: dict[str, Any]) -> None:
        """Return name and password once, to those they are meant for; who asks again has not taken them."""
        name, password = self._options.credentials or ("", "")
        challenge = event["authChallenge"]
        meant = self._options.send_everywhere or origin(challenge["origin"]) == self._origin
        known = meant and event["requestId"] not in self._asked and challenge.get("source") != "Proxy"
        self._asked.add(event["requestId"])
        answer = {"response": "ProvideCredentials", "username": name, "password": password}
        reply = {
            "requestId": event["requestId"],
            "authChallengeResponse": answer if known else {"response": "CancelAuth"},
        }
        await self._channel.send("Fetch.continueWithAuth", reply, timeout=_CALL)

    async def _paused(self, event: dict[str, Any]) -> None:
        kind = event.get("resourceType", "")
        own = origin(event["request"]["url"]) == self._origin
        if "responseStatusCode" in event or "responseErrorReason" in event:
            await self._begun(event)
            return
        if self._spared and kind in KINDS and await self._is_spared(event, self._spared):
            return
        # The browser spells addresses its own way: the document is what it asks for first.
        if self._document and not self._served and kind == "Document":
            self._served = True
            await self._fulfil(event, self._document.html.encode("utf-8", "replace"), "text/html; charset=utf-8")
        elif self._archive is not None:
            await self._played_back(event, self._archive)
        elif own and self._neighbours is not None:
            await self._beside(event, self._neighbours)
        elif own and self._document is None:
            await self._go_on(event)
        elif self._closed:
            await self._shut_out(event)
        else:
            await self._go_on(event)

    async def _is_spared(self, event: dict[str, Any], spared: BlockedResources) -> bool:
        """Answer a request whose answer cannot matter for the layout; return whether this is one."""
        kind = event["resourceType"]
        if kind in FAILING:
            await self._fail(event)
            return True
        if kind != PICTURE or event["frameId"] != self._frame or event["request"]["method"] != "GET":
            return False
        if size := await spared.size(event["request"]["url"]):
            await self._fulfil(event, grey(*size), GREY_TYPE)
        return size is not None

    async def _begun(self, event: dict[str, Any]) -> None:
        """Give the browser the beginning of the page instead of all of it; any other answer passes."""
        status = event.get("responseStatusCode", 0)
        headers = {one["name"].lower(): one["value"] for one in event.get("responseHeaders", ())}
        kind = headers.get("content-type", "text/html")
        page = event["frameId"] == self._frame and status and not 300 <= status < 400
        if not page or not kind.lower().startswith("text/html"):
            await self._channel.send("Fetch.continueRequest", {"requestId": event["requestId"]}, timeout=_CALL)
            return
        data = await self._taken(event)
        encoding = kind.lower().partition("charset=")[2].strip("\"' ") or None
        try:
            name, seconds = event["request"]["url"], self._begins
            html = await asyncio.to_thread(lambda: truncate_html(decode(data, encoding), name, seconds))
        except PageFailed as refused:
            self.refused = refused
            await self._fail(event)
            return
        await self._fulfil(event, html.encode("utf-8", "replace"), "text/html; charset=utf-8", status=status)

    async def _taken(self, event: dict[str, Any]) -> bytes:
        """Return what comes of an answer in time; one without end is not waited for."""
        taken = await self._channel.send(
            "Fetch.takeResponseBodyAsStream", {"requestId": event["requestId"]}, timeout=_CALL
        )
        data = bytearray()
        with suppress(TimeoutError, CommandFailed):
            async with asyncio.timeout(self._begins / 4):
                while len(data) < MAX_BYTES:
                    wanted = {"handle": taken["stream"], "size": _PIECE}
                    piece = await self._channel.send("IO.read", wanted, timeout=self._begins)
                    data += base64.b64decode(piece["data"]) if piece.get("base64Encoded") else piece["data"].encode()
                    if piece["eof"]:
                        break
        return bytes(data)

    async def _go_on(self, event: dict[str, Any]) -> None:
        """Let a request pass; with the headers that are meant for the page's origin, if it goes there."""
        request, told = event["request"], {"requestId": event["requestId"]}
        mine = self._options.headers if origin(request["url"]) == self._origin else ()
        if mine and not self._options.send_everywhere:
            # Given for this one hop: after a redirect the browser stops here again, or sends none of them.
            names = {name.lower() for name, _ in mine}
            kept = [(name, value) for name, value in request["headers"].items() if name.lower() not in names]
            told["headers"] = [{"name": name, "value": value} for name, value in (*kept, *mine)]
        await self._channel.send("Fetch.continueRequest", told, timeout=_CALL)

    async def _beside(self, event: dict[str, Any], neighbours: LocalAssets) -> None:
        """Answer from the files beside the page, if it is the page itself that asks."""
        request, found = event["request"], None
        if event["frameId"] == self._frame and request["method"] == "GET":
            path = urlsplit(request["url"]).path
            found = await asyncio.to_thread(neighbours.find, path, event.get("resourceType", ""))
        if found is not None:
            await self._fulfil(event, *found, shared=False)
        else:
            await self._shut_out(event)

    async def _shut_out(self, event: dict[str, Any]) -> None:
        kind = event.get("resourceType", "")
        if kind in _EMPTY:
            await self._fulfil(event, b"", "text/css" if kind == "Stylesheet" else "text/javascript")
        elif kind == "Document":
            # "No content" leaves the page where it is; a failed navigation would replace it by an error page.
            await self._fulfil(event, b"", "text/html", status=204)
        else:
            await self._fail(event)

    async def _played_back(self, event: dict[str, Any], archive: Archive) -> None:
        request, kind = event["request"], event.get("resourceType", "")
        found = archive.resources.get((request["method"], urldefrag(request["url"]).url))
        if found is not None:
            await self._fulfil(event, found.body, found.kind, status=found.status, location=found.location)
        elif kind == "Document":
            await self._fulfil(event, b"", "text/html", status=204)
        else:
            await self._fail(event)

    async def _fail(self, event: dict[str, Any]) -> None:
        fail = {"requestId": event["requestId"], "errorReason": "BlockedByClient"}
        await self._channel.send("Fetch.failRequest", fail, timeout=_CALL)

    async def _fulfil(
        self,
        event: dict[str, Any],
        body: bytes,
        kind: str,
        *,
        status: int = 200,
        location: str = "",
        shared: bool = True,
    ) -> None:
        """Answer a request; ``shared`` lets every origin read the answer."""
        headers = {"Content-Type": kind, "X-Content-Type-Options": "nosniff"}
        if shared:
            headers = {
                "Content-Type": kind,
                "Access-Control-Allow-Origin": event["request"]["headers"].get("Origin", "*"),
                "Access-Control-Allow-Credentials": "true",
            }
        if location:
            headers["Location"] = location
        answer = {
            "requestId": event["requestId"],
            "responseCode": status,
            "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
            "body": base64.b64encode(body).decode(),
        }
        await self._channel.send("Fetch.fulfillRequest", answer, timeout=_CALL)
