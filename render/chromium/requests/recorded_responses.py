"""Record what the browser loads for a page, for archives that can be replayed."""

from __future__ import annotations

import asyncio
import base64
from contextlib import suppress
from typing import Any

from ...archives.warc_writer import gzip_records, http_response, make_record
from ...devtools.channel import Channel, ChannelClosed, CommandFailed
from ...network.proxy import DOCUMENTS_PER_PAGE

_BODY_SECONDS = 5.0
_TYPE = "application/http; msgtype=response"


class RecordedResponses:
    """Records the responses of a page with their bodies, together up to ``DOCUMENTS_PER_PAGE`` times ``largest``."""

    def __init__(self, channel: Channel, *, largest: int) -> None:
        self._channel = channel
        self._bytes_left = DOCUMENTS_PER_PAGE * largest
        self._open: dict[str, dict[str, Any]] = {}
        self._responses: list[tuple[dict[str, Any], bytes]] = []
        self._pending = 0
        self._idle = asyncio.Event()
        self._idle.set()

    def requested(self, event: dict[str, Any]) -> None:
        """Record the redirect that caused a request."""
        if "redirectResponse" in event:
            self._responses.append((event["redirectResponse"], b""))

    def responded(self, event: dict[str, Any]) -> None:
        """Record the head of a response."""
        self._open[event["requestId"]] = event["response"]

    async def finished(self, event: dict[str, Any]) -> None:
        """Fetch a body at once: the browser forgets those of removed frames."""
        response = self._open.pop(event["requestId"], None)
        if response is None or not response["url"].startswith(("http://", "https://")):
            return
        self._pending += 1
        self._idle.clear()
        try:
            with suppress(TimeoutError, ChannelClosed, CommandFailed):
                query = {"requestId": event["requestId"]}
                reply = await self._channel.send("Network.getResponseBody", query, timeout=_BODY_SECONDS)
                body = base64.b64decode(reply["body"]) if reply["base64Encoded"] else reply["body"].encode()
                self._bytes_left -= len(body)
                if self._bytes_left >= 0:
                    self._responses.append((_with_charset(response, reply), body))
        finally:
            self._pending -= 1
            if not self._pending:
                self._idle.set()

    async def records(self, seconds: float) -> bytes:
        """Return the responses as WARC records, those that are complete after some seconds."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), max(seconds, 0.001))
        return await asyncio.to_thread(_records, tuple(self._responses))


def _with_charset(response: dict[str, Any], reply: dict[str, Any]) -> dict[str, Any]:
    """Set the charset of a body that the browser has decoded: it returns text as UTF-8, whatever it was."""
    if reply["base64Encoded"]:
        return response
    headers = {name: value for name, value in response["headers"].items() if name.lower() != "content-type"}
    return response | {"headers": headers | {"Content-Type": f"{response['mimeType']}; charset=utf-8"}}


def _records(responses: tuple[tuple[dict[str, Any], bytes], ...]) -> bytes:
    return gzip_records(
        make_record(
            "response",
            http_response(int(response["status"]), response["headers"].items(), body),
            _TYPE,
            address=response["url"].partition("#")[0],
        )[1]
        for response, body in responses
    )
