"""Watch the requests of a page: its main response and the errors if it is no page, and open requests.

Chromium's virtual clock pauses for requests, with two exceptions: not for the body of fetch() that a script reads in
pieces, and for ever for an event stream.
"""

from __future__ import annotations

import asyncio
import base64
import re
import time
from collections import Counter
from collections.abc import Awaitable
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import urldefrag

from ....errors import ConnectionFailed, HttpFailed, NameUnresolved, PageFailed, Refused
from ....page.metadata.usage import header_statements
from ....page.parse import decode
from ...devtools.channel import Channel, ChannelClosed, CommandFailed
from ...network.proxy import PageProxy
from ...render_options import RenderOptions
from ...sources.sources import list_remedy, too_large_error

_WEB = ("http://", "https://")
#: Headers by which a server knows a version of a page.
VALIDATORS = ("etag", "last-modified")
_FEEDS = ("application/rss+xml", "application/atom+xml")
#: What to do with what is no page.
_REMEDIES = {"application/pdf": " (convert it first, as pdftohtml does)"}
_REMEDIES |= dict.fromkeys(_FEEDS, list_remedy("feed"))
_READABLE = ("text/", "application/xhtml+xml", "application/xml", "application/json")
_CALL = 5.0
#: Bytes of responses that are kept outside of the page's process, in total and of each.
_MOST_KEPT, _LARGEST_KEPT = 20_000_000, 1_000_000
#: A number in a header; servers could write other digits than these, and very many.
_NUMBER = re.compile(r"[0-9]{1,15}")
#: Network errors of the browser, and what their error messages say.
_ERRORS = {
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
    "net::ERR_SSL_PROTOCOL_ERROR": "it does not speak https: try its http address",
}
#: Beginnings of the network errors of connections that could not be made, or broke.
_CONNECTION_ERRORS = tuple(
    f"net::ERR_{name}"
    for name in (
        *("CONNECTION_", "INTERNET_", "ADDRESS_UNREACHABLE", "EMPTY_RESPONSE", "SOCKET_", "NETWORK_", "TUNNEL_"),
        *("PROXY_", "TIMED_OUT", "CONTENT_LENGTH_MISMATCH", "INCOMPLETE_", "HTTP2_", "QUIC_", "SSL_PROTOCOL_ERROR"),
    )
)
_REFUSED = frozenset({"net::ERR_UNSAFE_PORT", "net::ERR_UNSAFE_REDIRECT", "net::ERR_BLOCKED_BY_CLIENT"})
#: Responses that may be read in pieces.
_STREAMS = ("Fetch", "EventSource")
#: Real seconds without a sign of a request, and of a stream or a socket, after which it is not waited for; those that a
#: page may wait for streams: they may never end.
UNANSWERED_SECONDS, _SILENT_SECONDS, _MOST_STREAM_SECONDS = 10.0, 5.0, 7.0
#: Requests that a script repeats, and the number of those of an address from which on the clock runs in real time.
_POLLED, _POLLS = ("Fetch", "XHR"), 4
#: A page is stopped after so many requests beyond its limit of those that reach the network: what came before the limit
#: is answered meanwhile.
_MORE_ASKED = 2000


class MainResponse:
    """Watches the response to the main request: its status, its type, and that it stays within the limit."""

    def __init__(
        self,
        channel: Channel,
        frame: str,
        options: RenderOptions,
        name: str,
        proxy: PageProxy,
        open_requests: OpenRequests,
    ) -> None:
        self.name = name
        self.options = options
        self.status = 0
        self.mime_type = ""
        self.retry_after = ""
        #: What the headers state about the use of the page.
        self.usage = ""
        self._validators: dict[str, str] = {}
        self.received = 0
        self.documents = 0  # how many it loaded, one after another
        self.too_large = asyncio.Event()
        self._channel = channel
        self._frame = frame
        self._request = ""
        self._address = self._first = ""
        self._proxy = proxy
        self._open = open_requests
        channel.on("Network.requestWillBeSent", self._requested)
        channel.on("Network.webSocketCreated", self._connected)
        channel.on("Network.webSocketFrameReceived", self._open.touch_socket)
        channel.on("Network.webSocketClosed", self._open.end)
        channel.on("Network.responseReceived", self._responded)
        channel.on("Network.dataReceived", self._data)
        self._addresses: dict[str, str] = {}
        #: Requests and sockets of the page, those that never reach the proxy included.
        self._asked = 0
        #: The requests of the page that failed, each with its reason.
        self.failures: list[str] = []
        channel.on("Network.loadingFinished", self._open.end)
        channel.on("Network.loadingFailed", self._failed)

    def keep(self) -> None:
        """Keep the document outside of the page's process, which may be busy when it is needed."""
        sizes = {"maxTotalBufferSize": _MOST_KEPT, "maxResourceBufferSize": _LARGEST_KEPT}
        # Nothing waits for it: older browsers do not have the command.
        self._channel.post("Network.configureDurableMessages", sizes, timeout=_CALL)

    async def body(self, timeout: float) -> str:
        """Return the document as received, "" if it has not been received or the browser does not have it."""
        with suppress(CommandFailed, TimeoutError):
            reply = await self._channel.send("Network.getResponseBody", {"requestId": self._request}, timeout=timeout)
            return decode(base64.b64decode(reply["body"])) if reply["base64Encoded"] else str(reply["body"])
        return ""

    def _requested(self, event: dict[str, Any]) -> Awaitable[None] | None:
        self._addresses[event["requestId"]] = event["request"]["url"]
        self._open.requested(event)
        if event.get("type") == "Document" and event.get("frameId") == self._frame:
            self.documents += event["requestId"] != self._request
            self._request = event["requestId"]
            self._address = event["request"]["url"]
            self._first = self._first or self._address
            self.status, self.mime_type, self.received = 0, "", 0
        return self._limit_requests() if event["request"]["url"].startswith(_WEB) else None

    def _connected(self, event: dict[str, Any]) -> Awaitable[None] | None:
        self._open.touch_socket(event)
        return self._limit_requests()

    def _limit_requests(self) -> Awaitable[None] | None:
        self._asked += 1
        return self._stop() if self._asked == self.options.max_requests + _MORE_ASKED else None

    async def _stop(self) -> None:
        """End scripts and requests of a page that asks without end: reports of each would keep others waiting."""
        self._proxy.limit_exceeded = True
        self._proxy.shut()
        self._open.clear()
        self._channel.post("Network.disable", timeout=_CALL)
        self._channel.post("Emulation.setScriptExecutionDisabled", {"value": True}, timeout=_CALL)
        for method in ("Runtime.terminateExecution", "Page.stopLoading"):
            self._channel.post(method, timeout=_CALL)

    def _responded(self, event: dict[str, Any]) -> Awaitable[None] | None:
        self._open.responded(event)
        if event["requestId"] == self._request:
            return self._read_head(event["response"])
        if (status := int(event["response"]["status"])) >= 400:
            self._add_failure(event, f"HTTP {status} {_phrase(status)}")
        return None

    async def _read_head(self, response: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in response["headers"].items()}
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        # The browser shows feeds as plain text.
        self.status, self.mime_type = int(response["status"]), kind if kind in _FEEDS else response["mimeType"]
        self.retry_after = headers.get("retry-after", "")
        self.usage = header_statements(headers)
        self._validators = {name.replace("-", "_"): headers[name] for name in VALIDATORS if name in headers}
        length = headers.get("content-length", "0")
        if _NUMBER.fullmatch(length):
            await self._limit(int(length))

    def _data(self, event: dict[str, Any]) -> Awaitable[None] | None:
        self._open.received(event)
        is_main = event["requestId"] == self._request
        return self._limit(self.received + event["dataLength"]) if is_main else None

    def _failed(self, event: dict[str, Any]) -> None:
        self._open.end(event)
        error = event["errorText"]
        if not (event.get("canceled") or event.get("blockedReason") or error in _REFUSED):
            self._add_failure(event, _ERRORS.get(error, error))

    def _add_failure(self, event: dict[str, Any], reason: str) -> None:
        address = self._addresses.pop(event["requestId"], "")
        if address.startswith(_WEB):
            self.failures.append(f"{address[:300]}: {reason}")

    async def _limit(self, size: int) -> None:
        self.received = max(self.received, size)
        if size > self.options.max_bytes and not self.too_large.is_set():
            self.too_large.set()
            # A page that is busy with what it has does not stop at once.
            self._proxy.shut()
            with suppress(TimeoutError, ChannelClosed, CommandFailed):
                await self._channel.send("Page.stopLoading", timeout=_CALL)

    def check(self) -> None:
        """Raise PageFailed or Refused when the response is no page that can be rendered."""
        if not self.status and isinstance(refused := self._proxy.failure(self._address), Refused):
            raise Refused(self.name, refused.reason)
        if self.too_large.is_set():
            raise too_large_error(self.name, self.received, self.options.max_bytes)
        if self.mime_type and not self.mime_type.startswith(_READABLE):
            raise PageFailed(self.name, f"this is {self.mime_type}, not a web page{_REMEDIES.get(self.mime_type, '')}")
        if self.status >= 400 and not self.options.any_status:
            remedy = "credentials gives name and password" if self.status == 401 else "any_status takes its page"
            why = f"HTTP {self.status} {_phrase(self.status)} ({remedy})"
            raise HttpFailed(self.name, why, self.status, _seconds(self.retry_after))

    def page_address(self, current: str = "") -> str:
        """Return the address of the page: ``current`` or that of the response, as it was written if it has stayed.

        A document that was given by name has that name, unless scripts of one with an address have left it.
        """
        current = current or self._address
        is_moved = urldefrag(current).url != urldefrag(self._first).url
        is_web = current.startswith(_WEB) and self._first.startswith(_WEB) and self.name.startswith(_WEB)
        return current if is_moved and is_web else self.name

    def environment(self, address: str) -> dict[str, str]:
        """Return the address of the page, that which was requested if it is another, status, usage and validators."""
        requested = {} if address == self.name else {"requested": self.name}
        usage = {"usage": self.usage} if self.usage else {}
        known = {"address": address if requested else self._address, "status": str(self.status)}
        return known | requested | usage | self._validators

    def failure(self, error_text: str) -> PageFailed:
        """Return the error for a main request that failed."""
        if error := self._proxy.failure(self._address):
            return type(error)(self.name, error.reason)
        if error_text in _REFUSED:
            return Refused(self.name, f"the browser refuses this address ({error_text})")
        reason = _ERRORS.get(error_text, f"could not be loaded ({error_text})")
        if error_text.startswith("net::ERR_CERT_"):
            reason = f"its certificate is not valid (any_certificate accepts it): {error_text}"
        if self.status == 204:  # a browser stays where it is
            reason = f"HTTP {self.status} {_phrase(self.status)}: there is no page"
        if error_text.startswith("net::ERR_NAME_"):
            return NameUnresolved(self.name, reason)
        return (ConnectionFailed if error_text.startswith(_CONNECTION_ERRORS) else PageFailed)(self.name, reason)


def _seconds(retry_after: str) -> float | None:
    """Parse a Retry-After header (RFC 9110, section 10.2.3): seconds, or a date."""
    if _NUMBER.fullmatch(retry_after.strip()):
        return float(retry_after)
    with suppress(ValueError):
        return max(parsedate_to_datetime(retry_after).timestamp() - time.time(), 0.0)
    return None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


class OpenRequests:
    """Records which requests and sockets of a page are open, by reports of the browser (DevTools' domain Network).

    One that has been silent for long is waited for no more, until something is heard of it.
    """

    def __init__(self) -> None:
        self._types: dict[str, str] = {}
        #: When something of a request was last heard of.
        self._last: dict[str, float] = {}
        #: What the clock does not wait for by itself: event streams, bodies that may be read in pieces, sockets.
        self._streams: set[str] = set()
        self._polls: Counter[str] = Counter()
        self._waited = 0.0
        self._ended = asyncio.Event()
        #: Whether the clock has gone on without the answer of a request.
        self.gave_up = False

    @property
    def are_open(self) -> bool:
        """Whether any request is open."""
        return bool(self._types)

    def are_given_up(self) -> bool:
        """Return whether all open requests are event streams, or have been silent for long, and there is one."""
        silent = time.monotonic() - UNANSWERED_SECONDS
        waiting = (key for key, kind in self._types.items() if kind != "EventSource" and self._last[key] > silent)
        are_given_up = bool(self._types) and next(waiting, None) is None
        self.gave_up |= are_given_up and any(kind != "EventSource" for kind in self._types.values())
        return are_given_up

    async def watch(self, worker: Channel, timeout: float) -> None:
        """Record the bodies that a worker reads, which the browser does not report with those of the page.

        Only bodies: the end of other requests is never reported if the worker is terminated.
        """
        worker.on("Network.responseReceived", self._responded_to_worker)
        worker.on("Network.dataReceived", self.received)
        worker.on("Network.loadingFinished", self.end)
        worker.on("Network.loadingFailed", self.end)
        await worker.send("Network.enable", timeout=timeout)

    def _responded_to_worker(self, event: dict[str, Any]) -> None:
        if event.get("type") == "Fetch":
            self.touch_socket(event)

    def requested(self, event: dict[str, Any]) -> None:
        """Record a request."""
        kind = event.get("type", "")
        self._types[event["requestId"]] = kind
        self.received(event)
        if kind == "EventSource":
            self._streams.add(event["requestId"])
        elif kind in _POLLED:
            self._polls[event["request"]["url"]] += 1

    def responded(self, event: dict[str, Any]) -> None:
        """Record the head of a response."""
        self.received(event)
        if event.get("type") in _STREAMS and event["requestId"] in self._types:
            self._streams.add(event["requestId"])

    def received(self, event: dict[str, Any]) -> None:
        """Record a piece of a body."""
        self._last[event["requestId"]] = time.monotonic()

    def touch_socket(self, event: dict[str, Any]) -> None:
        """Record a new socket, or a message of one."""
        self.received(event)
        self._streams.add(event["requestId"])

    def end(self, event: dict[str, Any]) -> None:
        """Record the end of a request or a socket."""
        self._types.pop(event["requestId"], None)
        self._last.pop(event["requestId"], None)
        self._streams.discard(event["requestId"])
        self._ended.set()

    def clear(self) -> None:
        """Forget all: nothing more is reported."""
        for each in (self._types, self._last, self._streams, self._polls):
            each.clear()
        self._ended.set()

    async def wait_for_streams(self, step: float) -> None:
        """Wait until all streams have ended or are silent; if the page polls, wait for ``step`` seconds, too."""
        if self._waited < _SILENT_SECONDS and max(self._polls.values(), default=0) >= _POLLS:
            await self._wait(step)
        while self._streams:
            due = max(self._last[key] for key in self._streams) + _SILENT_SECONDS - time.monotonic()
            if due <= 0 or not await self._wait(due):
                return

    async def _wait(self, seconds: float) -> bool:
        """Wait for the end of a request, for some seconds at most; False if the time for it is over."""
        start, left = time.monotonic(), _MOST_STREAM_SECONDS - self._waited
        self._ended.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(max(min(seconds, left), 0.0)):
                await self._ended.wait()
        self._waited += time.monotonic() - start
        return left > 0
