"""What the main request of a page is answered: status, kind and size, and the words for what is no page."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable
from contextlib import suppress
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from ....errors import HttpFailed, PageFailed, Refused
from ...devtools.channel import Channel, ChannelClosed, CommandFailed
from ...network.proxy import PageProxy
from ...render_options import RenderOptions
from ...sources.sources import too_large_error
from ...visibility.paint_order import plain_address
from .recorded_responses import RecordedResponses

_READABLE = ("text/", "application/xhtml+xml", "application/xml", "application/json")
_CALL = 5.0
#: A number in a header; servers could write other digits than these, and very many.
_NUMBER = re.compile(r"[0-9]{1,15}")


class Pictures:
    """Watches which pictures come: one of which nothing has come paints nothing.

    The browser says so itself; a page's scripts could tell anything.
    """

    def __init__(self) -> None:
        self._asked: dict[str, set[str]] = {}
        self._failed: set[str] = set()
        self._came: set[str] = set()

    @property
    def lost(self) -> frozenset[str]:
        """The addresses that were asked for in vain."""
        return frozenset(self._failed - self._came)

    def requested(self, event: dict[str, Any]) -> None:
        """Note a request; one that is sent on has several addresses."""
        if event.get("type") == "Image":
            self._asked.setdefault(event["requestId"], set()).add(plain_address(event["request"]["url"]))

    def responded(self, event: dict[str, Any]) -> None:
        """Note an answer, whatever it is: only drawing it would tell whether it is a picture."""
        self._came |= self._asked.pop(event["requestId"], set())

    def failed(self, event: dict[str, Any]) -> None:
        """Note that no answer came; one that breaks off has come."""
        self._failed |= self._asked.pop(event["requestId"], set())


class MainResponse:
    """Watches the answer to the main request: its status, its kind, and that it stays within the limit."""

    def __init__(self, channel: Channel, frame: str, options: RenderOptions, name: str, way: PageProxy) -> None:
        self.name = name
        self.options = options
        self.status = 0
        self.kind = ""
        self.again = ""
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
        self.pictures = Pictures()
        self.traffic = RecordedResponses(channel, largest=options.max_bytes) if options.warc else None
        channel.on("Network.loadingFailed", self.pictures.failed)

    def _requested(self, event: dict[str, Any]) -> None:
        self.pictures.requested(event)
        if self.traffic is not None:
            self.traffic.requested(event)
        if event.get("type") == "Document" and event.get("frameId") == self._frame:
            self._request = event["requestId"]
            self._address = event["request"]["url"]
            self.status, self.kind, self.received = 0, "", 0

    def _responded(self, event: dict[str, Any]) -> Awaitable[None] | None:
        self.pictures.responded(event)
        if self.traffic is not None:
            self.traffic.responded(event)
        return self._judged(event["response"]) if event["requestId"] == self._request else None

    async def _judged(self, response: dict[str, Any]) -> None:
        self.status, self.kind = int(response["status"]), response["mimeType"]
        headers = {name.lower(): value for name, value in response["headers"].items()}
        self.again = headers.get("retry-after", "")
        announced = headers.get("content-length", "0")
        if _NUMBER.fullmatch(announced):
            await self._limit(int(announced))

    def _data(self, event: dict[str, Any]) -> Awaitable[None] | None:
        main = event["requestId"] == self._request
        return self._limit(self.received + event["dataLength"]) if main else None

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
            raise Refused(self.name, refused.reason)
        if self.too_large.is_set():
            raise too_large_error(self.name, self.received, self.options.max_bytes)
        if self.kind and not self.kind.startswith(_READABLE):
            raise PageFailed(self.name, f"this is {self.kind}, not a web page")
        if self.status >= 400 and not self.options.any_status:
            why = f"HTTP {self.status} {_phrase(self.status)} (--any-status takes its page)"
            raise HttpFailed(self.name, why, self.status, _seconds(self.again))

    def told(self) -> dict[str, str]:
        """Return where the answer came from, after redirects, and its status."""
        return {"address": self._address, "status": str(self.status)}

    def failure(self, error_text: str) -> PageFailed:
        """Put into words why there is no main answer."""
        known = self._way.failure(self._address)
        return type(known)(self.name, known.reason) if known else _failure(self.name, error_text)


def _seconds(written: str) -> float | None:
    """Read when a server wants to be asked again (RFC 9110, section 10.2.3): seconds, or a date."""
    if _NUMBER.fullmatch(written.strip()):
        return float(written)
    with suppress(ValueError):
        return max(parsedate_to_datetime(written).timestamp() - time.time(), 0.0)
    return None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return ""


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
